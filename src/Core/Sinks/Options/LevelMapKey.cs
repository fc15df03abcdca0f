using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The <c>LogLevel</c> map: category prefixes to levels, as in <c>Logging:LogLevel</c>.</summary>
internal sealed class LevelMapKey<TOptions>() : OptionKey<TOptions>(KeyName, OptionReload.Live)
    where TOptions : SinkOptions
{
    public const string KeyName = nameof(SinkOptions.LogLevel);

    public override void Read(IConfigurationSection section, TOptions options, LayerLog<TOptions> log, string path, OptionLayer layer)
    {
        if (!string.IsNullOrEmpty(section.Value))
        {
            log.Problem(path, Name, section.Value, "expected a map of categories and levels");
            return;
        }

        foreach (KeyValuePair<string, string?> pair in section.AsEnumerable(makePathsRelative: true))
        {
            if (string.IsNullOrEmpty(pair.Value))
            {
                continue;
            }

            Parsed<LogLevel> level = OptionText.Level(pair.Value);
            string? rule = level.Rule ?? KeyRule(pair.Key);
            if (rule is not null)
            {
                log.Problem($"{path}:{pair.Key}", Name, pair.Value, rule, level.Suggestion);
                continue;
            }

            options.LogLevel[pair.Key] = level.Value;
            log.Placed(Name, new KeyPlace(layer, path, null));
        }
    }

    /// <summary>The rule a category key breaks, in words.</summary>
    public static string? KeyRule(string category) =>
        category.AsSpan().Count('*') > 1 ? "a category may have one '*' only" : null;

    // With the lengths: the shown text does not tell where a category ends.
    public override object? Snapshot(TOptions options) => string.Concat(options.LogLevel
        .OrderBy(static pair => pair.Key, StringComparer.OrdinalIgnoreCase)
        .Select(static pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key.Length}:{pair.Key}{pair.Value} ")));

    public override string? Show(TOptions options) => string.Join(", ", options.LogLevel
        .OrderBy(pair => pair.Key, StringComparer.OrdinalIgnoreCase)
        .Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key}={pair.Value}")));

    public override string? Check(TOptions options)
    {
        foreach ((string category, LogLevel level) in options.LogLevel)
        {
            if (KeyRule(category) is { } rule)
            {
                return rule;
            }

            if (ScalarForms.Level.Check(level) is { } levelRule)
            {
                return levelRule;
            }
        }

        return null;
    }

    public override void Copy(TOptions from, TOptions to)
    {
        to.LogLevel.Clear();
        foreach ((string category, LogLevel level) in from.LogLevel)
        {
            to.LogLevel[category] = level;
        }
    }
}
