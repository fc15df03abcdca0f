using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>A delegate for one named instance. Unlike names of options, names of instances are equal ignoring case.</summary>
internal sealed class InstanceConfigureOptions<TOptions>(string instance, Action<TOptions> configure) : IConfigureNamedOptions<TOptions>
    where TOptions : SinkOptions
{
    public void Configure(TOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? name, TOptions options)
    {
        if (instance.Equals(name, StringComparison.OrdinalIgnoreCase))
            configure(options);
    }
}

/// <summary>Gives an application the options in force when it asks the container for them: those of the instance that runs, texts expanded.</summary>
/// <remarks>The object is the instance's own and is not to be changed. Without such an instance the options are read from all layers; they throw when they
/// are not valid.</remarks>
internal sealed class SinkOptionsFactory<TOptions>(SinkServices<TOptions> services) : IOptionsFactory<TOptions>
    where TOptions : SinkOptions, new()
{
    public TOptions Create(string name) =>
        services.Configuration.Current.Find(name.Length == 0 ? InstanceName.Default : name)?.Options ?? services.Configuration.ReadOptions(name);
}

/// <summary>Tells <see cref="IOptionsMonitor{TOptions}"/> that a reload changed what is in force.</summary>
internal sealed class SinkOptionsChanges<TOptions>(SinkServices<TOptions> services, string name) : IOptionsChangeTokenSource<TOptions>
    where TOptions : SinkOptions, new()
{
    public string Name => name;

    public IChangeToken GetChangeToken() => services.Reload.GetOptionsToken();
}

/// <summary>Keeps the options of <see cref="IOptionsMonitor{TOptions}"/> until a reload. The instances of a section change together, by whatever name they are asked for.</summary>
internal sealed class SinkOptionsCache<TOptions> : OptionsCache<TOptions>
    where TOptions : SinkOptions
{
    public override bool TryRemove(string? name)
    {
        Clear();
        return true;
    }
}
