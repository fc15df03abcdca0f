using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Parses, shows and checks the values of one kind of option.</summary>
/// <typeparam name="T">The option's type.</typeparam>
internal sealed class OptionKind<T>
{
    internal readonly UntypedOptionKind Untyped;

    /// <summary>Creates a kind for the options of one sink.</summary>
    /// <param name="parse">Reads the configured text, which is not empty.</param>
    /// <param name="show">Returns the text of a value for messages; null for none.</param>
    /// <param name="check">Returns the rule a value breaks, in words, or null; also called for values that come from code.</param>
    public OptionKind(Func<string, ParseResult<T>> parse, Func<T, string?> show, Func<T, string?>? check = null)
        : this(new OptionForm(OptionFormKind.Text) { Type = typeof(T) }, parse, show, check)
    {
    }

    internal OptionKind(OptionForm form, Func<string, ParseResult<T>> parse, Func<T, string?> show, Func<T, string?>? check = null)
        : this(new UntypedOptionKind(form, text => parse(text).Box(), value => show((T)value!), value => check?.Invoke((T)value!)))
    {
    }

    internal OptionKind(UntypedOptionKind untyped) => Untyped = untyped;
}

/// <summary>A kind of option without the type of its values, because code that is generic over these types would be compiled at each start.</summary>
/// <param name="parse">Reads the configured text, which is not empty.</param>
/// <param name="show">Returns the text of a value; null for none.</param>
/// <param name="check">Returns the rule a value breaks, in words, or null.</param>
internal sealed class UntypedOptionKind(OptionForm form, Func<string, ParseResult<object?>> parse, Func<object?, string?> show, Func<object?, string?> check)
{
    public OptionForm Form => form;

    /// <summary>A choice by name among the values of an enumeration.</summary>
    public static UntypedOptionKind Choice(Type type) => new(
        OptionForm.Choice(type),
        text => OptionText.Enum(type, text),
        static value => value!.ToString(),
        value => Enum.IsDefined(type, value!) ? null : RuleOf(type));

    /// <summary>Reads the configured text. A suggestion is a value that is allowed: one out of range is replaced by the range.</summary>
    public ParseResult<object?> Parse(string text)
    {
        var parsed = parse(text);
        if (parsed.Suggestion is null)
            return parsed;
        var suggested = parse(parsed.Suggestion);
        if (!suggested.IsValid)
            return parsed with { Suggestion = null };
        return Check(suggested.Value) is { } rule ? new(null, $"{parsed.Rule}; {rule}") : parsed;
    }

    public string Show(object? value) => show(value) ?? "";

    /// <summary>The rule a value breaks, in words; null when it breaks none.</summary>
    public string? Check(object? value) => check(value);

    /// <summary>Returns the same kind, where null and the empty text mean "none".</summary>
    /// <param name="nullWord">A word for null; null: none.</param>
    /// <param name="nullMeaning">The effect of null, for messages; null: they do not name it.</param>
    public UntypedOptionKind OrNull(string? nullWord, string? nullMeaning) => new(
        nullWord is null ? form with { IsOptional = true } : form with { IsOptional = true, Words = [nullWord] },
        text =>
        {
            if (text.Equals(nullWord, StringComparison.OrdinalIgnoreCase))
                return new(null);
            var parsed = Parse(text);
            return parsed with { Rule = WithNull(nullWord is null || parsed.Rule is null ? parsed.Rule : $"{parsed.Rule}; '{nullWord}' is allowed too", nullMeaning) };
        },
        value => value is null ? nullWord : show(value),
        value => value is null ? null : WithNull(check(value), nullMeaning));

    private static string RuleOf(Type type) => "expected " + OptionText.Alternatives(Enum.GetNames(type));

    private static string? WithNull(string? rule, string? nullMeaning) => rule is null || nullMeaning is null ? rule : $"{rule}; null or an empty value means {nullMeaning}";
}

/// <summary>Form of the values of an option in configuration: the list of all options and the JSON schemas of the packages are generated from it.</summary>
internal sealed record OptionForm(OptionFormKind Kind)
{
    /// <summary>The type of the values of a choice, of a map, and of a kind that is a sink's own; else null.</summary>
    public Type? Type { get; init; }

    /// <summary>The rule of the range, in the words of the error; null: no bounds.</summary>
    public string? Rule { get; init; }

    /// <summary>The smallest number; for a size, the bytes.</summary>
    public long? Least { get; init; }

    /// <summary>The largest number; for a size, the bytes.</summary>
    public long? Most { get; init; }

    /// <summary>The words that are allowed; ignoring case.</summary>
    public IReadOnlyList<string> Words
    {
        get => field ?? (Kind == OptionFormKind.Choice ? Enum.GetNames(Type!) : []);
        init;
    }

    /// <summary>True if null and the empty text mean "none".</summary>
    public bool IsOptional { get; init; }

    /// <summary>Of a map: the type of its names.</summary>
    public Type? NameType { get; init; }

    public static OptionForm Choice(Type type) => new(OptionFormKind.Choice) { Type = type };
}

/// <summary>How the values of an option are written.</summary>
internal enum OptionFormKind
{
    /// <summary>A text, or a value that the sink's own kind parses.</summary>
    Text,

    /// <summary><c>true</c> or <c>false</c>.</summary>
    Boolean,

    /// <summary>A whole number.</summary>
    Integer,

    /// <summary>A whole number with or without a percent sign.</summary>
    Percent,

    /// <summary>Bytes, or a number with a unit.</summary>
    Size,

    /// <summary>A number with a unit, or hours, minutes and seconds.</summary>
    Time,

    /// <summary>Octal digits.</summary>
    Octal,

    /// <summary>One of the words.</summary>
    Choice,

    /// <summary>One of the words, or a name that the application registered.</summary>
    OpenChoice,

    /// <summary>Names with a value each.</summary>
    Map,
}

/// <summary>The kinds of options that sinks have in common.</summary>
internal static class OptionKind
{
    /// <summary>A text that must not be empty.</summary>
    public static OptionKind<string> Text { get; } = new(
        new OptionForm(OptionFormKind.Text), static text => new(text), static text => text, static text => string.IsNullOrEmpty(text) ? "a value is required" : null);

    /// <summary>A text that may be missing: null and the empty text are null.</summary>
    public static OptionKind<string?> OptionalText { get; } = new(new OptionForm(OptionFormKind.Text) { IsOptional = true }, static text => new(text), static text => text);

    /// <summary><c>true</c> or <c>false</c>.</summary>
    public static OptionKind<bool> Boolean { get; } = new(new OptionForm(OptionFormKind.Boolean), OptionText.Boolean, OptionText.Show);

    /// <summary>A level by name.</summary>
    public static OptionKind<LogLevel> Level { get; } = new(new UntypedOptionKind(
        OptionForm.Choice(typeof(LogLevel)), static text => OptionText.Level(text).Box(), static level => level!.ToString(),
        static level => level is < LogLevel.Trace or > LogLevel.None ? OptionText.LevelRule : null));

    /// <summary>A number of three or four octal digits.</summary>
    public static OptionKind<int> Octal { get; } = new(new OptionForm(OptionFormKind.Octal), OptionText.Octal, OptionText.ShowOctal);

    /// <summary>A file mode in octal digits, for example <c>0640</c>.</summary>
    public static OptionKind<UnixFileMode> FileMode { get; } = new(new UntypedOptionKind(
        new OptionForm(OptionFormKind.Octal), static text => OptionText.Octal(text).Select(static bits => (object?)(UnixFileMode)bits), static mode => OptionText.ShowOctal((int)(UnixFileMode)mode!),
        static _ => null));

    /// <summary>A whole number.</summary>
    public static OptionKind<int> Integer(int min = int.MinValue, int max = int.MaxValue)
    {
        var rule = OptionText.Range(min == int.MinValue ? null : OptionText.Show(min), max == int.MaxValue ? null : OptionText.Show(max));
        return new(
            new OptionForm(OptionFormKind.Integer) { Rule = rule, Least = min, Most = max }, OptionText.Integer, OptionText.Show, value => value < min || value > max ? rule : null);
    }

    /// <summary>A percentage, for example <c>10</c> or <c>10%</c>.</summary>
    public static OptionKind<int> Percent(int min = 0, int max = 100)
    {
        var rule = OptionText.Range(OptionText.Show(min), OptionText.Show(max));
        return new(
            new OptionForm(OptionFormKind.Percent) { Rule = rule, Least = min, Most = max }, OptionText.Percent, OptionText.Show, value => value < min || value > max ? rule : null);
    }

    /// <summary>A size in bytes, for example <c>100MB</c>.</summary>
    public static OptionKind<long> Size(long min = 0, long max = long.MaxValue)
    {
        var rule = OptionText.Range(SizeText.Show(min), max == long.MaxValue ? null : SizeText.Show(max));
        return new(
            new OptionForm(OptionFormKind.Size) { Rule = min == 0 && max == long.MaxValue ? null : rule, Least = min, Most = max },
            SizeText.Parse, SizeText.Show, value => value < min || value > max ? rule : null);
    }

    /// <summary>A size in bytes below 2 GB.</summary>
    public static OptionKind<int> SmallSize(int min = 0, int max = int.MaxValue - 1)
    {
        var rule = OptionText.Range(SizeText.Show(min), SizeText.Show(max));
        return new(
            new OptionForm(OptionFormKind.Size) { Rule = rule, Least = min, Most = max },
            static text => SizeText.Parse(text).Select(static bytes => (int)Math.Min(bytes, int.MaxValue)),
            static value => SizeText.Show(value),
            value => value < min || value > max ? rule : null);
    }

    /// <summary>A time, for example <c>500ms</c> or <c>00:00:05</c>; a <paramref name="min"/> of one tick means "more than 0".</summary>
    public static OptionKind<TimeSpan> Time(TimeSpan min = default, TimeSpan? max = null)
    {
        var atMost = max is { } bound ? TimeText.Show(bound) : null;
        var rule = min.Ticks == 1
            ? "must be more than 0" + (atMost is null ? "" : " and at most " + atMost)
            : OptionText.Range(TimeText.Show(min), atMost);
        return new(new UntypedOptionKind(
            new OptionForm(OptionFormKind.Time) { Rule = min == default && max is null ? null : rule }, text => TimeText.Parse(text, min, max).Box(), static value => TimeText.Show((TimeSpan)value!),
            value => (TimeSpan)value! < min || (TimeSpan)value > max ? rule : null));
    }

    /// <summary>A choice by name, ignoring case; never by number.</summary>
    public static OptionKind<TEnum> Choice<TEnum>()
        where TEnum : struct, Enum => new(UntypedOptionKind.Choice(typeof(TEnum)));

    /// <summary>Returns the same kind, where null and the empty text mean "none".</summary>
    /// <param name="kind">The kind of a value.</param>
    /// <param name="nullWord">A word for null beside the empty text; null: none.</param>
    /// <param name="nullMeaning">The effect of null, for messages: <c>no limit</c>; null: they do not name it.</param>
    public static OptionKind<T?> OrNull<T>(this OptionKind<T> kind, string? nullWord = null, string? nullMeaning = null)
        where T : struct
    {
        ArgumentNullException.ThrowIfNull(kind);
        return new(kind.Untyped.OrNull(nullWord, nullMeaning));
    }
}
