using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>An option that is a map of named texts; it merges key by key along the layers.</summary>
internal sealed class MapKey<TOptions, TKey, TValue>(
    string name,
    OptionReload reload,
    Func<TOptions, IDictionary<TKey, TValue>> get,
    ScalarForm<TKey> keyForm,
    ScalarForm<TValue> valueForm) : OptionKey<TOptions>(name, reload)
    where TKey : notnull
{
    public override void Read(IConfigurationSection section, TOptions options, LayerLog<TOptions> log, string path, OptionLayer layer)
    {
        if (!string.IsNullOrEmpty(section.Value))
        {
            log.Problem(path, Name, section.Value, "expected a map: names with a value each");
            return;
        }

        foreach (IConfigurationSection child in section.GetChildren())
        {
            string text = child.Value ?? "";
            Parsed<TKey> key = keyForm.Parse(child.Key);
            Parsed<TValue> value = child.GetChildren().Any() ? Parsed<TValue>.Invalid("expected one value, not a section or list") : valueForm.Parse(text);
            string? rule = key.Rule ?? keyForm.Check(key.Value) ?? value.Rule ?? valueForm.Check(value.Value);
            if (rule is not null)
            {
                log.Problem($"{path}:{child.Key}", Name, text, rule, key.Suggestion ?? value.Suggestion);
                continue;
            }

            get(options)[key.Value] = value.Value;
            log.Placed(Name, new KeyPlace(layer, path, null));
            log.Placed($"{Name}:{child.Key}", new KeyPlace(layer, $"{path}:{child.Key}", text));
        }
    }

    // With the lengths: the shown text does not tell where a value ends.
    public override object? Snapshot(TOptions options) => string.Concat(get(options)
        .Select(pair => (Key: keyForm.Show(pair.Key), Value: valueForm.Show(pair.Value)))
        .OrderBy(static pair => pair.Key, StringComparer.Ordinal)
        .Select(static pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key.Length}:{pair.Key}{pair.Value.Length}:{pair.Value}")));

    public override string? Show(TOptions options) => get(options) is { Count: > 0 } map
        ? string.Join(", ", map.Select(pair => $"{keyForm.Show(pair.Key)}={valueForm.Show(pair.Value)}").Order(StringComparer.Ordinal))
        : null;

    public override string? Check(TOptions options)
    {
        foreach ((TKey key, TValue value) in get(options))
        {
            if ((keyForm.Check(key) ?? valueForm.Check(value)) is { } rule)
            {
                return $"{keyForm.Show(key)}: {rule}";
            }
        }

        return null;
    }

    public override void Copy(TOptions from, TOptions to)
    {
        get(to).Clear();
        foreach ((TKey key, TValue value) in get(from))
        {
            get(to)[key] = value;
        }
    }
}
