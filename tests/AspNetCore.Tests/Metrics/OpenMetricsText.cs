using System.Globalization;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Metrics;

/// <summary>A strict reader of the OpenMetrics text format 1.0: whatever the format does not allow is an exception.</summary>
internal sealed partial class OpenMetricsText
{
    private readonly Dictionary<string, OpenMetricsFamily> _families = new(StringComparer.Ordinal);
    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
    private OpenMetricsFamily? _family;

    private OpenMetricsText(string text)
    {
        if (!text.EndsWith("# EOF\n", StringComparison.Ordinal))
            throw new FormatException("the end mark is not the last line");
        foreach (var line in text[..^"# EOF\n".Length].Split('\n')[..^1])
            Read(line);
    }

    public IReadOnlyDictionary<string, OpenMetricsFamily> Families => _families;

    public static OpenMetricsText Parse(string text) => new(text);

    /// <summary>The sum over all samples of a name that have these labels.</summary>
    public double Sum(string sample, params ReadOnlySpan<(string Name, string Value)> labels)
    {
        double sum = 0;
        foreach (var found in _families.Values.SelectMany(static family => family.Samples).Where(found => found.Name == sample))
        {
            var fits = true;
            foreach (var (name, value) in labels)
                fits &= found.Labels.GetValueOrDefault(name) == value;
            sum += fits ? found.Value : 0;
        }

        return sum;
    }

    private void Read(string line)
    {
        if (Metadata().Match(line) is { Success: true } metadata)
            ReadMetadata(metadata.Groups[1].Value, metadata.Groups[2].Value, metadata.Groups[3].Value);
        else if (Sample().Match(line) is { Success: true } sample)
            ReadSample(sample);
        else
            throw new FormatException("neither metadata nor a sample: " + line);
    }

    private void ReadMetadata(string kind, string family, string value)
    {
        if (_family?.Name != family)
        {
            _family = new OpenMetricsFamily(family);
            if (!_families.TryAdd(family, _family))
                throw new FormatException(family + " stands in two places");
        }

        if (_family.Samples.Count > 0 || !_family.Metadata.TryAdd(kind, value))
            throw new FormatException($"{kind} of {family} stands where it may not");
        if (kind == "UNIT" && !family.EndsWith("_" + value, StringComparison.Ordinal))
            throw new FormatException($"{family} does not end in its unit {value}");
        if (kind == "TYPE" && value is not ("gauge" or "counter" or "histogram"))
            throw new FormatException($"{value} is no type");
    }

    private void ReadSample(Match sample)
    {
        var name = sample.Groups[1].Value;
        if (_family is null || !_family.Suffixes.Contains(name[Math.Min(name.Length, _family.Name.Length)..]) || !name.StartsWith(_family.Name, StringComparison.Ordinal))
            throw new FormatException($"{name} is no sample of {_family?.Name}");
        var labels = Label().Matches(sample.Groups[2].Value).ToDictionary(static label => label.Groups[1].Value, static label => Unescape(label.Groups[2].Value), StringComparer.Ordinal);
        if (!_seen.Add(name + "|" + string.Join('|', labels.OrderBy(static label => label.Key, StringComparer.Ordinal))))
            throw new FormatException("twice: " + sample.Value);
        var value = double.Parse(sample.Groups[3].Value.Replace("+Inf", "Infinity", StringComparison.Ordinal), NumberStyles.Float, CultureInfo.InvariantCulture);
        if (_family.Metadata["TYPE"] != "gauge" && value < 0)
            throw new FormatException("a count below zero: " + sample.Value);
        _family.Samples.Add(new OpenMetricsSample(name, labels, value));
    }

    private static string Unescape(string value)
        => value.Replace(@"\\", "\0", StringComparison.Ordinal).Replace(@"\n", "\n", StringComparison.Ordinal).Replace("\\\"", "\"", StringComparison.Ordinal).Replace('\0', '\\');

    [GeneratedRegex(@"^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\""]|\\[\\""n])*)$")]
    private static partial Regex Metadata();

    [GeneratedRegex(@"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*=""(?:[^\\""]|\\[\\""n])*""(?:,(?!\})|(?=\})))*)\})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)$")]
    private static partial Regex Sample();

    [GeneratedRegex(@"([a-zA-Z_][a-zA-Z0-9_]*)=""((?:[^\\""]|\\[\\""n])*)""")]
    private static partial Regex Label();
}
