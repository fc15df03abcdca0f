using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Adds the rules of a sink's instances to those of the logger factory. Coming last, they win its ties.</summary>
internal sealed class SinkFilterOptions<TOptions>(SinkServices<TOptions> services, string providerName) : IPostConfigureOptions<LoggerFilterOptions>
    where TOptions : SinkOptions, new()
{
    public void PostConfigure(string? name, LoggerFilterOptions options)
    {
        // The logger factory has the options without a name.
        if (name != Options.DefaultName)
        {
            return;
        }

        LevelRules levels = services.Configuration.UseFactoryRules(options);
        if (!levels.IsUnion)
        {
            return;
        }

        foreach (LoggerFilterRule rule in UnionRules.Create(levels, providerName))
        {
            options.Rules.Add(rule);
        }
    }
}
