using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Writes the OpenMetrics text format 1.0. The lines of a family are contiguous, as the format requires.</summary>
internal sealed class OpenMetricsWriter
{
    public const string ContentType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private readonly StringBuilder _text = new();
    private readonly HashSet<string> _labels = new(StringComparer.Ordinal);

    /// <summary>Begins a family.</summary>
    /// <param name="name">Its name: with its unit, without the suffix of counters; of one family only.</param>
    /// <param name="type"><c>gauge</c>, <c>counter</c> or <c>histogram</c>.</param>
    /// <param name="unit">Its unit, or empty.</param>
    public void Family(string name, string type, string unit, string help)
    {
        _text.Append("# TYPE ").Append(name).Append(' ').Append(type).Append('\n');
        if (unit.Length > 0)
            _text.Append("# UNIT ").Append(name).Append(' ').Append(unit).Append('\n');
        _text.Append("# HELP ").Append(name).Append(' ');
        AppendEscaped(help);
        _text.Append('\n');
    }

    public void Sample(string name, ReadOnlySpan<Label> common, ReadOnlySpan<Label> labels, double value)
    {
        _text.Append(name).Append('{');
        _labels.Clear();
        AppendLabels(common, isFirst: true);
        AppendLabels(labels, isFirst: common.IsEmpty);
        _text.Append("} ").Append(Number(value)).Append('\n');
    }

    /// <summary>The whole text, with its end mark.</summary>
    public string End() => _text.Append("# EOF\n").ToString();

    /// <summary>A bucket's bound as the format wants it: always a decimal number.</summary>
    public static string Bound(double bound)
    {
        if (double.IsPositiveInfinity(bound))
            return "+Inf";
        var text = bound.ToString("R", CultureInfo.InvariantCulture);
        return text.AsSpan().ContainsAny('.', 'E') ? text : text + ".0";
    }

    /// <summary>A name or tag key of the meter in the form of this format: letters, digits and underscores, no digit first.</summary>
    public static string Name(string name)
    {
        if (name.Length == 0)
            return "_";
        var result = new StringBuilder(name.Length + 1);
        if (char.IsAsciiDigit(name[0]))
            result.Append('_');
        foreach (var character in name)
            result.Append(char.IsAsciiLetterOrDigit(character) ? character : '_');
        return result.ToString();
    }

    private static string Number(double value)
        => double.IsInfinity(value) ? (value > 0 ? "+Inf" : "-Inf") : value.ToString("R", CultureInfo.InvariantCulture);

    private void AppendLabels(ReadOnlySpan<Label> labels, bool isFirst)
    {
        foreach (var label in labels)
        {
            if (!isFirst)
                _text.Append(',');
            isFirst = false;
            AppendDistinct(label.Name);
            _text.Append("=\"");
            AppendEscaped(label.Value);
            _text.Append('"');
        }
    }

    // Keys that differ in the meter may be equal here; a sample has each label once.
    private void AppendDistinct(string name)
    {
        var distinct = name;
        for (var number = 2; !_labels.Add(distinct); number++)
            distinct = string.Create(CultureInfo.InvariantCulture, $"{name}_{number}");
        _text.Append(distinct);
    }

    private void AppendEscaped(string text)
    {
        foreach (var character in text)
        {
            _ = character switch
            {
                '\\' => _text.Append(@"\\"),
                '"' => _text.Append("\\\""),
                '\n' => _text.Append(@"\n"),
                _ => _text.Append(character),
            };
        }
    }
}

/// <summary>One label of a sample; the name is in the format's form.</summary>
internal readonly record struct Label(string Name, string Value);
