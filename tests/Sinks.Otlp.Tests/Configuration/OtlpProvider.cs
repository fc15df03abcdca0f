using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.FileProviders;
using Microsoft.Extensions.Hosting;

namespace AsyncLog.Tests.Configuration;

/// <summary>Starts the provider from the configuration of an application.</summary>
internal static class OtlpProvider
{
    /// <summary>Starts it.</summary>
    /// <param name="values">Keys of the configuration's root.</param>
    /// <param name="applicationName">What the host says; null: there is no host.</param>
    /// <param name="configure">Code.</param>
    public static StartedProvider<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions> Start(
        IEnumerable<(string Key, string? Value)> values, string? applicationName = null, Action<AsyncOtlpLoggerOptions>? configure = null)
    {
        ServiceDescriptor[] host = applicationName is null ? [] : [ServiceDescriptor.Singleton<IHostEnvironment>(new NamedHost { ApplicationName = applicationName })];
        return new(static createSink => new OtlpSinkDefinition(createSink), values, configure, host);
    }
}

/// <summary>A host that says its name.</summary>
internal sealed class NamedHost : IHostEnvironment
{
    public string EnvironmentName { get; set; } = "Production";

    public required string ApplicationName { get; set; }

    public string ContentRootPath { get; set; } = AppContext.BaseDirectory;

    public IFileProvider ContentRootFileProvider { get; set; } = new NullFileProvider();
}
