using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The kinds of values options have.</summary>
internal static class ScalarForms
{
    public static ScalarForm<string> Text { get; } = new(OptionText.Text, static text => text)
    {
        Check = static text => string.IsNullOrEmpty(text) ? "a value is required" : null,
    };

    public static ScalarForm<string?> OptionalText { get; } = new(static text => new Parsed<string?>(text), static text => text ?? "") { IsOptional = true };

    public static ScalarForm<bool> Switch { get; } = new(OptionText.Switch, OptionText.Show);

    public static ScalarForm<LogLevel> Level { get; } = new(OptionText.Level, static level => level.ToString())
    {
        Check = static level => level is < LogLevel.Trace or > LogLevel.None ? "is not a level" : null,
    };

    public static ScalarForm<int> Octal { get; } = new(OptionText.Octal, OptionText.ShowOctal);

    public static ScalarForm<UnixFileMode> FileMode { get; } = new(
        static text => OptionText.Octal(text).Select(static bits => (UnixFileMode)bits),
        static mode => OptionText.ShowOctal((int)mode));

    public static ScalarForm<int> Integer(int min, int max)
    {
        string? rule = OptionText.Range(min == int.MinValue ? null : OptionText.Show(min), max == int.MaxValue ? null : OptionText.Show(max));
        return new(OptionText.Integer, OptionText.Show) { Check = value => value < min || value > max ? rule : null };
    }

    public static ScalarForm<int> Percent(int min, int max) => new(OptionText.Percent, OptionText.Show)
    {
        Check = value => value < min || value > max ? OptionText.Range(OptionText.Show(min), OptionText.Show(max)) : null,
    };

    public static ScalarForm<long> Size(long min, long max)
    {
        string rule = OptionText.Range(SizeText.Show(min), max == long.MaxValue ? null : SizeText.Show(max))!;
        return new(SizeText.Parse, SizeText.Show) { Check = value => value < min || value > max ? rule : null };
    }

    public static ScalarForm<int> SmallSize(int min, int max) => new(
        static text => SizeText.Parse(text).Select(static bytes => (int)Math.Min(bytes, int.MaxValue)),
        static value => SizeText.Show(value))
    {
        Check = value => value < min || value > max ? OptionText.Range(SizeText.Show(min), SizeText.Show(max)) : null,
    };

    /// <summary>A time; the lower bound of one tick means "more than 0".</summary>
    public static ScalarForm<TimeSpan> Time(TimeSpan min, TimeSpan max)
    {
        string? atMost = max == TimeSpan.MaxValue ? null : TimeText.Show(max);
        string rule = min.Ticks == 1
            ? "must be more than 0" + (atMost is null ? "" : " and at most " + atMost)
            : OptionText.Range(TimeText.Show(min), atMost)!;
        return new(TimeText.Parse, TimeText.Show) { Check = value => value < min || value > max ? rule : null };
    }

    public static ScalarForm<TEnum> Enum<TEnum>(params string[] planned)
        where TEnum : struct, Enum
    {
        return new(text => Planned<TEnum>(text, planned) ?? OptionText.Enum<TEnum>(text), static value => value.ToString())
        {
            Check = static value => System.Enum.IsDefined(value) ? null : "expected " + OptionText.Alternatives(System.Enum.GetNames<TEnum>()),
        };
    }

    private static Parsed<TEnum>? Planned<TEnum>(string text, string[] planned) =>
        planned.Contains(text, StringComparer.OrdinalIgnoreCase) ? Parsed<TEnum>.Invalid(UnknownKeyHints.Planned) : null;

    /// <summary>The same kind, where null and the empty text mean "none".</summary>
    /// <param name="form">The form of a value.</param>
    /// <param name="nullWord">A word for null beside the empty text; null: none.</param>
    public static ScalarForm<T?> Optional<T>(ScalarForm<T> form, string? nullWord = null)
        where T : struct
    {
        return new(
            text =>
            {
                if (text.Equals(nullWord, StringComparison.OrdinalIgnoreCase))
                    return new Parsed<T?>(null);
                Parsed<T?> parsed = form.Parse(text).Select(static value => (T?)value);
                return parsed.IsValid || nullWord is null ? parsed : parsed with { Rule = $"{parsed.Rule}; '{nullWord}' is allowed too" };
            },
            value => value is { } some ? form.Show(some) : nullWord ?? "")
        {
            IsOptional = true,
            Check = value => value is { } some ? form.Check(some) : null,
        };
    }
}
