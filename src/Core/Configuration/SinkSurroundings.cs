using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>What reading options needs from outside the configuration.</summary>
internal sealed class SinkSurroundings
{
    public required ApplicationInfo Application { get; init; }

    public required SinkFormats Formats { get; init; }

    /// <summary>Gives the value of an environment variable; null when it is not defined.</summary>
    public Func<string, string?> Variable { get; init; } = Environment.GetEnvironmentVariable;

    /// <summary>Gives a value at the root of the configuration or, where none is registered, of an environment variable.</summary>
    public Func<string, string?> RootValue { get; init; } = Environment.GetEnvironmentVariable;

    /// <summary>The application's whole configuration; null where none is registered.</summary>
    public IConfiguration? Root { get; init; }

    /// <summary>The names of the sections of all sinks of the container.</summary>
    public IReadOnlyCollection<string> Sections { get; init; } = [];

    /// <summary>The application's name as the host says it.</summary>
    public string? HostApplicationName { get; init; }
}
