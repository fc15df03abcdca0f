using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Describes the options of a sink once: the table drives reading, error messages, reports of unknown keys and reload.</summary>
/// <typeparam name="TOptions">The sink's options class.</typeparam>
/// <remarks>
/// The options every instance has are in the table already. Defaults are those of a new options object. What the table does not name
/// can be set by code only.
/// </remarks>
public sealed class SinkOptionsTable<TOptions>
    where TOptions : SinkOptions
{
    internal SinkOptionsTable(SinkFormats formats)
    {
        BaseOptions.AddTo(this, formats);
        Keys.MarkCommon();
    }

    internal KeyTable<TOptions> Keys { get; } = new();

    /// <summary>Adds a text that must not be empty.</summary>
    public SinkOptionsTable<TOptions> Text(string key, Func<TOptions, string> get, Action<TOptions, string> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.Text);

    /// <summary>Adds a text that may be missing: null and the empty text are null.</summary>
    public SinkOptionsTable<TOptions> OptionalText(string key, Func<TOptions, string?> get, Action<TOptions, string?> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.OptionalText);

    /// <summary>Adds a switch: <c>true</c> or <c>false</c>.</summary>
    public SinkOptionsTable<TOptions> Switch(string key, Func<TOptions, bool> get, Action<TOptions, bool> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.Switch);

    /// <summary>Adds a switch that may be left open.</summary>
    public SinkOptionsTable<TOptions> Switch(string key, Func<TOptions, bool?> get, Action<TOptions, bool?> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.Optional(ScalarForms.Switch));

    /// <summary>Adds a whole number.</summary>
    public SinkOptionsTable<TOptions> Integer(
        string key, Func<TOptions, int> get, Action<TOptions, int> set, OptionReload reload, int min = int.MinValue, int max = int.MaxValue) =>
        Add(key, get, set, reload, ScalarForms.Integer(min, max));

    /// <summary>Adds a whole number that may be missing: null is no limit.</summary>
    public SinkOptionsTable<TOptions> Integer(
        string key, Func<TOptions, int?> get, Action<TOptions, int?> set, OptionReload reload, int min = int.MinValue, int max = int.MaxValue) =>
        Add(key, get, set, reload, ScalarForms.Optional(ScalarForms.Integer(min, max)));

    /// <summary>Adds a size in bytes, as <c>100MB</c>.</summary>
    public SinkOptionsTable<TOptions> Size(
        string key, Func<TOptions, long> get, Action<TOptions, long> set, OptionReload reload, long min = 0, long max = long.MaxValue) =>
        Add(key, get, set, reload, ScalarForms.Size(min, max));

    /// <summary>Adds a size in bytes that may be missing: null is no limit, or what <paramref name="nullWord"/> says.</summary>
    public SinkOptionsTable<TOptions> Size(
        string key, Func<TOptions, long?> get, Action<TOptions, long?> set, OptionReload reload, long min = 0, long max = long.MaxValue, string? nullWord = null) =>
        Add(key, get, set, reload, ScalarForms.Optional(ScalarForms.Size(min, max), nullWord));

    /// <summary>Adds a size in bytes below 2 GB.</summary>
    public SinkOptionsTable<TOptions> Size(
        string key, Func<TOptions, int> get, Action<TOptions, int> set, OptionReload reload, int min = 0, int max = int.MaxValue - 1) =>
        Add(key, get, set, reload, ScalarForms.SmallSize(min, max));

    /// <summary>Adds a time, as <c>500ms</c> or <c>00:00:05</c>; a <paramref name="min"/> of one tick means "more than 0".</summary>
    public SinkOptionsTable<TOptions> Time(
        string key, Func<TOptions, TimeSpan> get, Action<TOptions, TimeSpan> set, OptionReload reload, TimeSpan min = default, TimeSpan? max = null) =>
        Add(key, get, set, reload, ScalarForms.Time(min, max ?? TimeSpan.MaxValue));

    /// <summary>Adds a time that may be missing: null is no limit.</summary>
    public SinkOptionsTable<TOptions> Time(
        string key, Func<TOptions, TimeSpan?> get, Action<TOptions, TimeSpan?> set, OptionReload reload, TimeSpan min = default, TimeSpan? max = null) =>
        Add(key, get, set, reload, ScalarForms.Optional(ScalarForms.Time(min, max ?? TimeSpan.MaxValue)));

    /// <summary>Adds a percentage, as <c>10</c> or <c>10%</c>.</summary>
    public SinkOptionsTable<TOptions> Percent(
        string key, Func<TOptions, int> get, Action<TOptions, int> set, OptionReload reload, int min = 0, int max = 100) =>
        Add(key, get, set, reload, ScalarForms.Percent(min, max));

    /// <summary>Adds a number of three or four octal digits.</summary>
    public SinkOptionsTable<TOptions> Octal(string key, Func<TOptions, int> get, Action<TOptions, int> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.Octal);

    /// <summary>Adds a file mode in octal digits, as <c>0640</c>.</summary>
    public SinkOptionsTable<TOptions> Octal(string key, Func<TOptions, UnixFileMode> get, Action<TOptions, UnixFileMode> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.FileMode);

    /// <summary>Adds a choice by name, ignoring case; never by number. Names of a later version are answered with "planned, not available in this version".</summary>
    public SinkOptionsTable<TOptions> Enum<TEnum>(
        string key, Func<TOptions, TEnum> get, Action<TOptions, TEnum> set, OptionReload reload, params ReadOnlySpan<string> planned)
        where TEnum : struct, Enum =>
        Add(key, get, set, reload, ScalarForms.Enum<TEnum>(planned.ToArray()));

    /// <summary>Adds a choice by name that may be missing.</summary>
    public SinkOptionsTable<TOptions> Enum<TEnum>(string key, Func<TOptions, TEnum?> get, Action<TOptions, TEnum?> set, OptionReload reload)
        where TEnum : struct, Enum =>
        Add(key, get, set, reload, ScalarForms.Optional(ScalarForms.Enum<TEnum>()));

    /// <summary>Adds a level.</summary>
    public SinkOptionsTable<TOptions> Level(string key, Func<TOptions, LogLevel> get, Action<TOptions, LogLevel> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.Level);

    /// <summary>Adds a level that may be missing.</summary>
    public SinkOptionsTable<TOptions> Level(string key, Func<TOptions, LogLevel?> get, Action<TOptions, LogLevel?> set, OptionReload reload) =>
        Add(key, get, set, reload, ScalarForms.Optional(ScalarForms.Level));

    /// <summary>Adds an option of a kind of the sink's own.</summary>
    /// <param name="key">Its name; <c>Section:Name</c> for one in a section.</param>
    /// <param name="get">Reads it.</param>
    /// <param name="set">Sets it.</param>
    /// <param name="reload">What a change does.</param>
    /// <param name="parse">Reads the configured text, which is not empty.</param>
    /// <param name="show">The text of a value for messages; null for none.</param>
    /// <param name="check">The rule a value breaks, in words, or null; also for values that come from code.</param>
    public SinkOptionsTable<TOptions> Value<T>(
        string key, Func<TOptions, T> get, Action<TOptions, T> set, OptionReload reload, Func<string, Parsed<T>> parse, Func<T, string?> show,
        Func<T, string?>? check = null) =>
        Add(key, get, set, reload, new ScalarForm<T>(parse, value => show(value) ?? "") { Check = check ?? (static _ => null) });

    /// <summary>Adds a map of named values; it merges key by key where instances inherit.</summary>
    /// <param name="key">Its name.</param>
    /// <param name="get">The map in the options.</param>
    /// <param name="reload">What a change does.</param>
    /// <param name="parseKey">Reads a name.</param>
    /// <param name="parseValue">Reads a value, which may be empty.</param>
    /// <param name="checkValue">The rule a value breaks, in words, or null; also for values that come from code.</param>
    public SinkOptionsTable<TOptions> Map<TKey, TValue>(
        string key, Func<TOptions, IDictionary<TKey, TValue>> get, OptionReload reload, Func<string, Parsed<TKey>> parseKey,
        Func<string, Parsed<TValue>> parseValue, Func<TValue, string?>? checkValue = null)
        where TKey : notnull
    {
        var keys = new ScalarForm<TKey>(parseKey, MapText) { Check = value => parseKey(MapText(value)).Rule };
        Keys.Add(new MapKey<TOptions, TKey, TValue>(
            key, reload, get, keys, new ScalarForm<TValue>(parseValue, MapText) { Check = checkValue ?? (static _ => null) }));
        return this;
    }

    /// <summary>Adds the options of section <c>Tls</c>.</summary>
    /// <param name="tls">The section in the options.</param>
    /// <param name="decidingKey">The option that says whether TLS is used.</param>
    /// <param name="fits">Whether it is.</param>
    /// <param name="rule">The rule in words, for one set all the same: <c>only with tls://</c>.</param>
    public SinkOptionsTable<TOptions> Tls(Func<TOptions, TlsClientOptions> tls, string decidingKey, Func<TOptions, bool> fits, string rule)
    {
        TlsRows.AddTo(this, tls, decidingKey, fits, rule);
        return this;
    }

    /// <summary>Adds a rule over one or several options; it is asked once all values are known.</summary>
    /// <param name="key">The key the rule blames.</param>
    /// <param name="rule">The broken rule in words (<c>must be at least FileSizeLimit</c>), or null.</param>
    public SinkOptionsTable<TOptions> Check(string key, Func<TOptions, string?> rule)
    {
        Keys.Rules.Add(new CrossRule<TOptions>(key, rule));
        return this;
    }

    /// <summary>Says that an option has a meaning only while another one has a fitting value.</summary>
    /// <param name="key">The option.</param>
    /// <param name="decidingKey">The option that decides.</param>
    /// <param name="fits">Whether the deciding option's value fits.</param>
    /// <param name="rule">The rule in words, for an option set in the same place all the same. A misfit that was only inherited is ignored.</param>
    public SinkOptionsTable<TOptions> OnlyWhen(string key, string decidingKey, Func<TOptions, bool> fits, string rule)
    {
        Keys.DependentKeys.Add(new DependentKey<TOptions>(key, decidingKey, fits, rule));
        return this;
    }

    /// <summary>Takes an option out that makes no sense for this sink; using it is reported as an unknown key.</summary>
    public SinkOptionsTable<TOptions> Exclude(string key)
    {
        Keys.Remove(key);
        Keys.Rules.RemoveAll(rule => rule.Key == key);
        Keys.DependentKeys.RemoveAll(dependent => dependent.Key == key);
        return this;
    }

    /// <summary>Takes an option out that other sinks have, and stops the start where it is used all the same.</summary>
    /// <param name="key">The option.</param>
    /// <param name="hint">What to use instead, in words.</param>
    public SinkOptionsTable<TOptions> Refuse(string key, string hint)
    {
        Exclude(key);
        Keys.Refuse(key, hint);
        return this;
    }

    /// <summary>Names options of a later version; using one is answered with "planned, not available in this version".</summary>
    public SinkOptionsTable<TOptions> Planned(params ReadOnlySpan<string> keys)
    {
        Keys.AddPlanned(keys.ToArray());
        return this;
    }

    private static string MapText<T>(T value) => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";

    private SinkOptionsTable<TOptions> Add<T>(string key, Func<TOptions, T> get, Action<TOptions, T> set, OptionReload reload, ScalarForm<T> form)
    {
        Keys.Add(new ScalarKey<TOptions, T>(key, reload, get, set, form));
        return this;
    }

    internal SinkOptionsTable<TOptions> Add(OptionKey<TOptions> key)
    {
        Keys.Add(key);
        return this;
    }
}
