using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

/// <summary>Options of the sink that reload is tested with.</summary>
internal sealed class ReloadOptions : SinkOptions
{
    /// <summary>Changing it makes another sink, as a path does.</summary>
    public string? Destination { get; set; }

    /// <summary>Given to the running sink.</summary>
    public int Tuning { get; set; }

    /// <summary>Makes the records of a layout of the sink's own.</summary>
    public string? Prefix { get; set; }
}

/// <summary>Its provider.</summary>
[ProviderAlias("Reload")]
internal sealed class ReloadLoggerProvider(SinkServices<ReloadOptions> services) : SinkLoggerProvider<ReloadOptions>(services);
