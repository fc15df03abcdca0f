using Microsoft.Extensions.Logging;
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

/// <summary>Gives an application the options in force from the container: those of the running instance, texts expanded.</summary>
/// <remarks>The object is the instance's own and is not to be changed. Without such an instance the options are read from all layers; they throw when they
/// are not valid.</remarks>
internal sealed class SinkOptionsFactory<TOptions>(SinkServices<TOptions> services) : IOptionsFactory<TOptions>
    where TOptions : SinkOptions, new()
{
    public TOptions Create(string name) =>
        services.Configuration.Current.Find(name.Length == 0 ? InstanceName.Default : name)?.Options ?? services.Configuration.ReadOptions(name);
}

/// <summary>Signals <see cref="IOptionsMonitor{TOptions}"/> that a reload changed the options in force.</summary>
internal sealed class SinkOptionsChanges<TOptions>(SinkServices<TOptions> services, string name) : IOptionsChangeTokenSource<TOptions>
    where TOptions : SinkOptions, new()
{
    public string Name => name;

    public IChangeToken GetChangeToken() => services.Reload.GetOptionsToken();
}

/// <summary>Keeps the options of <see cref="IOptionsMonitor{TOptions}"/> until a reload, which removes those of all names: named instances inherit from the section.</summary>
internal sealed class SinkOptionsCache<TOptions> : OptionsCache<TOptions>
    where TOptions : SinkOptions, new()
{
    public override bool TryRemove(string? name)
    {
        Clear();
        return true;
    }
}

/// <summary>Replaces the logger factory's rules for a sink's provider by one, where the sink's instances have their own levels.</summary>
/// <param name="services">The sink's services.</param>
/// <param name="startup">Of the container that logs before the host is built; null: the host's.</param>
internal sealed class SinkFilterOptions<TOptions>(SinkServices<TOptions> services, StartupHost? startup) : IPostConfigureOptions<LoggerFilterOptions>
    where TOptions : SinkOptions, new()
{
    public void PostConfigure(string? name, LoggerFilterOptions options)
    {
        // The logger factory has the options without a name.
        if (name != Options.DefaultName)
            return;
        // Two factories log to the sinks once a host has taken over; the rules of the host's are in force.
        var levels = startup?.IsTakenOver == true ? services.Configuration.Levels : services.Configuration.UseFactoryRules(options);
        if (!levels.DecidesHere)
            return;
        for (var index = options.Rules.Count - 1; index >= 0; index--)
        {
            if (options.Rules[index].ProviderName is { } provider && services.Configuration.Names.IsProvider(provider))
                options.Rules.RemoveAt(index);
        }

        options.Rules.Add(levels.CreateFactoryRule());
    }
}
