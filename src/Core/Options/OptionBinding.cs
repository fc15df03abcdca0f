using System.Collections;
using System.Globalization;
using System.Reflection;
using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>The options of a sink that a delegate of its author binds: all of them in one call, which sees no other keys.</summary>
/// <param name="bind">Sets what the section has, and nothing else: a named instance inherits the rest.</param>
internal sealed class OptionBinding<TOptions>(Action<IConfiguration, TOptions> bind)
    where TOptions : SinkOptions, new()
{
    private const string Cure = "remove the key to use the default";
    private readonly Dictionary<string, Type> _types = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Adds a row for each property, and the delegate.</summary>
    /// <param name="properties">The public properties of the options class.</param>
    public void AddTo(OptionsTable<TOptions> table, IEnumerable<PropertyInfo> properties)
    {
        foreach (var property in properties.Where(IsOption))
        {
            var name = property.GetCustomAttribute<ConfigurationKeyNameAttribute>()?.Name ?? property.Name;
            table.Add(new BoundKey<TOptions>(name, property));
            _types.Add(name, Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType);
        }

        table.BindRest = Bind;
    }

    // Neither an option that every sink has, also if it is overridden, nor a computed value.
    private static bool IsOption(PropertyInfo property)
        => property.GetGetMethod() is { IsStatic: false } get && get.GetBaseDefinition().DeclaringType != typeof(SinkOptions)
            && property.GetIndexParameters().Length == 0
            && (property.GetSetMethod() is not null || !(property.PropertyType.IsValueType || property.PropertyType == typeof(string)));

    private void Bind(IReadOnlyList<IConfigurationSection> keys, string path, TOptions options, OptionsReadLog log)
    {
        if (keys.Count == 0 || TryBind(keys, path, options) is not { } failure)
            return;
        // The binder stops at the first mistake, and not every exception names its key. Bound alone, each key shows its own.
        var before = log.Problems.Count;
        foreach (var key in keys)
        {
            if (TryBind([key], path, new TOptions()) is { } own)
                Report(key, $"{path}:{key.Key}", own, log);
        }

        if (log.Problems.Count == before)
            log.ReportProblem(path, "", null, TextOf(failure, keys));
    }

    private Exception? TryBind(IReadOnlyList<IConfigurationSection> keys, string path, TOptions options)
    {
        try
        {
            bind(SectionOf(keys, path), options);
            return null;
        }
        catch (Exception exception)
        {
            // Reported by the caller. Setters of the options run in there.
            return exception is TargetInvocationException { InnerException: { } inner } ? inner : exception;
        }
    }

    private void Report(IConfigurationSection key, string path, Exception failure, OptionsReadLog log)
    {
        var text = TextOf(failure, [key]);
        // The binder's own exceptions have an inner one; those of setters say themselves what is allowed.
        if (failure is InvalidOperationException { InnerException: not null }
            && key.Value is { } value && _types.TryGetValue(key.Key, out var type)
            && ExpectedOf(type, value) is { Rule: { } rule } expected)
        {
            log.ReportProblem(path, key.Key, value, $"{rule}; {Cure} ({text})", expected.Suggestion);
        }
        else
        {
            log.ReportProblem(path, key.Key, key.Value, $"{text}; {Cure}");
        }
    }

    private static (string? Rule, string? Suggestion) ExpectedOf(Type type, string text)
    {
        if (type.IsEnum)
            return OptionText.Enum(type, text) is var parsed ? (parsed.Rule, parsed.Suggestion) : default;
        return (Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => OptionText.Boolean(text).Rule,
            >= TypeCode.SByte and <= TypeCode.UInt64 => "expected a whole number",
            >= TypeCode.Single and <= TypeCode.Decimal => "expected a number such as 1.5",
            _ => type == typeof(TimeSpan) ? "expected a time such as 00:00:05" : null,
        }, null);
    }

    // The binder repeats the value, which may be a secret.
    private static string TextOf(Exception failure, IEnumerable<IConfigurationSection> keys)
    {
        var text = ConfigurationProblem.Show(failure).TrimEnd('.');
        foreach (var (path, value) in keys.SelectMany(static key => key.AsEnumerable()))
        {
            if (!string.IsNullOrEmpty(value))
                text = text.Replace(value, ConfigurationProblem.Show(ConfigurationPath.GetSectionKey(path), value), StringComparison.Ordinal);
        }

        return text;
    }

    // With the full path, which the messages of the binder show.
    private static IConfigurationSection SectionOf(IEnumerable<IConfigurationSection> keys, string path) => new ConfigurationBuilder()
        .AddInMemoryCollection(keys.SelectMany(
            key => key.AsEnumerable().Select(pair => KeyValuePair.Create($"{path}:{key.Key}{pair.Key[key.Path.Length..]}", pair.Value))))
        .Build().GetSection(path);
}

/// <summary>An option that a delegate of the sink's author binds. Bound with the others of its section, by <see cref="OptionBinding{TOptions}"/>.</summary>
internal sealed class BoundKey<TOptions>(string name, PropertyInfo property) : OptionKey<TOptions>(name, OptionReload.Rebuild)
    where TOptions : SinkOptions
{
    public override OptionForm Form => new(OptionFormKind.Text) { Type = property.PropertyType };

    public override void Read(IConfigurationSection section, TOptions options, OptionsReadLog log, string path, OptionLayer layer)
    {
        log.SetOrigin(Name, new OptionOrigin(layer, path, section.Value));
        // Added: the binder adds the elements of a list to inherited ones.
        options.BoundTexts[Name] = options.BoundTexts.GetValueOrDefault(Name) + section.Value + string.Concat(section.AsEnumerable(makePathsRelative: true)
            .Select(static pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key.Length}:{pair.Key}{pair.Value?.Length}:{pair.Value}")));
    }

    /// <summary>The value; of a list or an object, which may be another one at each reading, the text in configuration.</summary>
    public override object? Snapshot(TOptions options) => ScalarOf(options) ?? options.BoundTexts.GetValueOrDefault(Name);

    public override string? Show(TOptions options) => ScalarOf(options) is { } value ? Convert.ToString(value, CultureInfo.InvariantCulture) : null;

    public override string? Check(TOptions options) => null;

    public override void Copy(TOptions from, TOptions to)
    {
        var (value, old) = (property.GetValue(from), property.GetValue(to));
        if (!Equals(value, old) && !CopyElements(value, old))
            Set(to, value is Array array ? array.Clone() : value);
        if (from.BoundTexts.TryGetValue(Name, out var text))
            to.BoundTexts[Name] = text;
        else
            to.BoundTexts.Remove(Name);
    }

    private void Set(TOptions to, object? value)
    {
        if (property.GetSetMethod() is not null)
            property.SetValue(to, value);
    }

    // Into the list or map that the other object has of its own. Any other object is shared: its class is the author's.
    private static bool CopyElements(object? value, object? to)
    {
        if (value?.GetType() != to?.GetType())
            return false;
        if (value is IDictionary map && to is IDictionary { IsReadOnly: false, IsFixedSize: false } otherMap)
        {
            otherMap.Clear();
            foreach (DictionaryEntry entry in map)
                otherMap.Add(entry.Key, entry.Value);
            return true;
        }

        if (value is not IList list || to is not IList { IsReadOnly: false, IsFixedSize: false } otherList)
            return false;
        otherList.Clear();
        foreach (var element in list)
            otherList.Add(element);
        return true;
    }

    private object? ScalarOf(TOptions options) => property.GetValue(options) is var value and (IConvertible or IFormattable) ? value : null;
}
