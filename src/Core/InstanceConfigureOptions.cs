using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>A delegate for one named instance. Unlike names of options, names of instances are equal ignoring case.</summary>
internal sealed class InstanceConfigureOptions<TOptions>(string instance, Action<TOptions> configure) : IConfigureNamedOptions<TOptions>
    where TOptions : SinkOptions
{
    public void Configure(TOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, TOptions options)
    {
        if (instance.Equals(name, StringComparison.OrdinalIgnoreCase))
        {
            configure(options);
        }
    }
}

/// <summary>Makes the options that an application asks the container for: those of the section and its instances, not only what code set.</summary>
internal sealed class SinkOptionsFactory<TOptions>(SinkServices<TOptions> services) : IOptionsFactory<TOptions>
    where TOptions : SinkOptions, new()
{
    public TOptions Create(string name) => services.Configuration.ReadOptions(name);
}
