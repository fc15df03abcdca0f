using System.Reflection;
using Microsoft.Extensions.Hosting;

namespace AsyncLog;

/// <summary>Names and folders of the application, from the host where there is one.</summary>
internal sealed record ApplicationInfo
{
    /// <summary>The host's application name, else the entry assembly's name.</summary>
    public required string ApplicationName { get; init; }

    /// <summary>The host's environment name, else <c>Production</c>.</summary>
    public required string EnvironmentName { get; init; }

    /// <summary>The host's content root, else <see cref="AppContext.BaseDirectory"/>; relative paths start here.</summary>
    public required string ContentRootPath { get; init; }

    /// <summary>Makes the information from what a host or a configuration has; null or empty: not set.</summary>
    internal static ApplicationInfo From(string? applicationName, string? environmentName, string? contentRootPath) => new()
    {
        ApplicationName = NotEmpty(applicationName) ?? Assembly.GetEntryAssembly()?.GetName().Name ?? "app",
        EnvironmentName = NotEmpty(environmentName) ?? Environments.Production,
        ContentRootPath = NotEmpty(contentRootPath) ?? AppContext.BaseDirectory,
    };

    private static string? NotEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
