using System.Runtime.CompilerServices;

namespace AsyncLog.Tests.Configuration;

/// <summary>Starts the provider from its section of the configuration, as the first one of a process.</summary>
internal static class SyslogProvider
{
    /// <summary>Starts it.</summary>
    /// <param name="values">Keys below <c>Logging:AsyncSyslog</c>.</param>
    /// <param name="configure">Code.</param>
    public static StartedProvider<AsyncSyslogLoggerProvider, AsyncSyslogLoggerOptions> Start(
        IEnumerable<(string Key, string? Value)> values, Action<AsyncSyslogLoggerOptions>? configure = null)
        => new(static createSink => new SyslogSinkDefinition(createSink, hasWarned: new StrongBox<bool>()), values.Select(static pair => ("Logging:AsyncSyslog:" + pair.Key, pair.Value)), configure);
}
