using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Replaces the logger factory's rules for a sink's provider by one, where the sink's instances have levels of their own.</summary>
internal sealed class SinkFilterOptions<TOptions>(SinkServices<TOptions> services) : IPostConfigureOptions<LoggerFilterOptions>
    where TOptions : SinkOptions, new()
{
    public void PostConfigure(string? name, LoggerFilterOptions options)
    {
        // The logger factory has the options without a name.
        if (name != Options.DefaultName)
            return;
        var levels = services.Configuration.UseFactoryRules(options);
        if (!levels.DecidesHere)
            return;
        for (var index = options.Rules.Count - 1; index >= 0; index--)
        {
            if (options.Rules[index].ProviderName is { } provider && services.Configuration.Naming.IsProvider(provider))
                options.Rules.RemoveAt(index);
        }

        options.Rules.Add(levels.CreateFactoryRule());
    }
}

/// <summary>Makes the logger factory build its rules again after new settings of a sink were applied.</summary>
internal sealed class FilterChanges<TOptions> : IOptionsChangeTokenSource<LoggerFilterOptions>
    where TOptions : SinkOptions
{
    private ConfigurationReloadToken _token = new();

    public string Name => Options.DefaultName;

    public IChangeToken GetChangeToken() => Volatile.Read(ref _token);

    public void Fire() => Interlocked.Exchange(ref _token, new ConfigurationReloadToken()).OnReload();
}
