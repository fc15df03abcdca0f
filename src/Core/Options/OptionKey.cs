using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>One row of the options table: reads, compares, checks, shows and copies one option.</summary>
internal abstract class OptionKey<TOptions>(string name, OptionReload reload)
{
    public string Name { get; } = name;

    public OptionReload Reload { get; } = reload;

    /// <summary>The form of its values in configuration.</summary>
    public abstract OptionForm Form { get; }

    /// <summary>Sets the option from its section, or reports the problem with the value.</summary>
    public abstract void Read(IConfigurationSection section, TOptions options, OptionsReadLog log, string path, OptionLayer layer);

    /// <summary>The value in a form that <see cref="object.Equals(object?, object?)"/> compares.</summary>
    public abstract object? Snapshot(TOptions options);

    /// <summary>The value as text for messages; null for none.</summary>
    public abstract string? Show(TOptions options);

    /// <summary>The rule that the value breaks, in words; null when it breaks none.</summary>
    public abstract string? Check(TOptions options);

    public abstract void Copy(TOptions from, TOptions to);
}

/// <summary>An option that is one text in configuration.</summary>
internal sealed class ScalarKey<TOptions>(string name, Func<TOptions, object?> get, Action<TOptions, object?> set, UntypedOptionKind kind, OptionReload reload)
    : OptionKey<TOptions>(name, reload)
{
    public override OptionForm Form => kind.Form;

    public override void Read(IConfigurationSection section, TOptions options, OptionsReadLog log, string path, OptionLayer layer)
    {
        var text = section.Value;
        var isSection = section.GetChildren().Any();
        var parsed = isSection ? ParseResult<object?>.Invalid("expected one value, not a section or list") : Parse(text);
        var rule = parsed.Rule ?? kind.Check(parsed.Value);
        if (rule is not null)
        {
            log.ReportProblem(path, Name, isSection ? null : text ?? "", rule, parsed.Suggestion);
            return;
        }

        set(options, parsed.Value);
        log.SetOrigin(Name, new OptionOrigin(layer, path, text ?? ""));
    }

    public override object? Snapshot(TOptions options) => get(options);

    public override string? Show(TOptions options) => get(options) is { } value ? kind.Show(value) : null;

    public override string? Check(TOptions options) => kind.Check(get(options));

    public override void Copy(TOptions from, TOptions to) => set(to, get(from));

    private ParseResult<object?> Parse(string? text)
    {
        if (!string.IsNullOrEmpty(text))
            return kind.Parse(text);
        return kind.Form.IsOptional ? new ParseResult<object?>(null) : ParseResult<object?>.Invalid("a value is required: remove the key to use the default");
    }
}

/// <summary>An option that is a map of named texts; it merges key by key along the layers.</summary>
internal class MapKey<TOptions, TKey, TValue>(
    string name, Func<TOptions, IDictionary<TKey, TValue>> get, UntypedOptionKind keyKind, UntypedOptionKind valueKind, OptionReload reload)
    : OptionKey<TOptions>(name, reload)
    where TKey : notnull
{
    public override OptionForm Form => new(OptionFormKind.Map) { NameType = typeof(TKey), Type = typeof(TValue) };

    /// <summary>The rule that a text in place of the map breaks.</summary>
    protected virtual string Rule => "expected a map of names to values";

    public override void Read(IConfigurationSection section, TOptions options, OptionsReadLog log, string path, OptionLayer layer)
    {
        if (!string.IsNullOrEmpty(section.Value))
        {
            log.ReportProblem(path, Name, section.Value, Rule);
            return;
        }

        if (OptionText.IsList([.. section.GetChildren().Select(static child => child.Key)]))
        {
            log.ReportProblem(path, Name, null, Rule + ", not a list");
            return;
        }

        foreach (var (name, text, isSection) in Entries(section))
        {
            var key = keyKind.Parse(name);
            var value = isSection ? ParseResult<object?>.Invalid("expected one value, not a section or list") : valueKind.Parse(text);
            var rule = key.Rule ?? keyKind.Check(key.Value) ?? value.Rule ?? valueKind.Check(value.Value);
            if (rule is not null)
            {
                log.ReportProblem($"{path}:{name}", Name, isSection ? null : text, rule, key.Suggestion ?? value.Suggestion);
                continue;
            }

            get(options)[(TKey)key.Value!] = (TValue)value.Value!;
            log.SetOrigin(Name, new OptionOrigin(layer, path, null));
            log.SetOrigin($"{Name}:{name}", new OptionOrigin(layer, $"{path}:{name}", text));
            if (WarningOf($"{path}:{name}", name) is { } warning)
                log.UnknownKeys.Add(warning);
        }
    }

    // With the lengths: the shown text does not mark where a value ends.
    public override object? Snapshot(TOptions options)
    {
        if (get(options).Count == 0)
            return "";
        var pairs = new List<string>();
        foreach (var (key, value) in get(options))
            pairs.Add($"{WithLength(keyKind.Show(key))}{WithLength(valueKind.Show(value))}");
        pairs.Sort(StringComparer.Ordinal);
        return string.Concat(pairs);
    }

    public override string? Show(TOptions options) => get(options) is { Count: > 0 } map
        ? string.Join(", ", map.Select(pair => $"{keyKind.Show(pair.Key)}={valueKind.Show(pair.Value)}").Order(StringComparer.Ordinal))
        : null;

    public override string? Check(TOptions options)
    {
        foreach (var (key, value) in get(options))
        {
            if ((keyKind.Check(key) ?? valueKind.Check(value)) is { } rule)
                return $"{keyKind.Show(key)}: {rule}";
        }

        return null;
    }

    public override void Copy(TOptions from, TOptions to)
    {
        get(to).Clear();
        foreach (var (key, value) in get(from))
            get(to)[key] = value;
    }

    /// <summary>The names and texts in the section of the map, and whether a name has a section instead of a text.</summary>
    protected virtual IEnumerable<(string Name, string Text, bool IsSection)> Entries(IConfigurationSection section)
        => section.GetChildren().Select(static child => (child.Key, child.Value ?? "", child.GetChildren().Any()));

    /// <summary>A warning about a valid name, or null.</summary>
    protected virtual UnknownKey? WarningOf(string path, string name) => null;

    private static string WithLength(string text) => string.Create(CultureInfo.InvariantCulture, $"{text.Length}:{text}");
}

/// <summary>The <c>LogLevel</c> map: category prefixes to levels, as in <c>Logging:LogLevel</c>. A category may have sections below it.</summary>
internal sealed class LevelMapKey<TOptions>() : MapKey<TOptions, string, LogLevel>(
    LevelMap.KeyName, static options => options.LogLevel, LevelMap.KeyKind, OptionKind.Level.Untyped, OptionReload.Live)
    where TOptions : SinkOptions
{
    protected override string Rule => "expected a map of categories to levels, such as { \"Default\": \"Error\" }";

    protected override IEnumerable<(string Name, string Text, bool IsSection)> Entries(IConfigurationSection section)
        => section.AsEnumerable(makePathsRelative: true).Where(static pair => !string.IsNullOrEmpty(pair.Value)).Select(static pair => (pair.Key, pair.Value!, false));

    protected override UnknownKey? WarningOf(string path, string name) => LevelMap.WarningOf(path, name);
}
