using System.Text.Json;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Operations;

/// <summary>monitoring/grafana-asynclog.json and monitoring/alerts.yaml, as far as tests look at them.</summary>
internal static partial class DashboardFiles
{
    public static string Rules { get; } = Path.Combine(Repository.Root, "monitoring", "alerts.yaml");

    public static JsonElement Dashboard { get; } = JsonDocument.Parse(File.ReadAllText(Path.Combine(Repository.Root, "monitoring", "grafana-asynclog.json"))).RootElement;

    public static IEnumerable<JsonElement> Panels => Dashboard.GetProperty("panels").EnumerateArray().Where(static panel => panel.GetProperty("type").GetString() != "row");

    /// <summary>All queries of panels: title, expression, legend.</summary>
    public static IEnumerable<(string Title, string Expression, string Legend)> Queries
        => Panels.SelectMany(static panel => panel.GetProperty("targets").EnumerateArray().Select(target =>
            (panel.GetProperty("title").GetString()!, target.GetProperty("expr").GetString()!, target.GetProperty("legendFormat").GetString()!)));

    /// <summary>What the variables of the dashboard ask for.</summary>
    public static IEnumerable<string> VariableQueries
        => Dashboard.GetProperty("templating").GetProperty("list").EnumerateArray()
            .Where(static variable => variable.GetProperty("type").GetString() == "query")
            .Select(static variable => variable.GetProperty("definition").GetString()!);

    /// <summary>All alerts: name, expression.</summary>
    public static IEnumerable<(string Name, string Expression)> Alerts
        => Alert().Matches(File.ReadAllText(Rules)).Select(static alert => (alert.Groups[1].Value, Spaces().Replace(alert.Groups[2].Value, " ").Replace(">- ", "", StringComparison.Ordinal).Trim()));

    /// <summary>An expression as Grafana would send it with everything chosen.</summary>
    public static string Resolved(string expression)
        => Variable().Replace(expression, static variable => variable.Value switch { "$__rate_interval" => "30s", "$__range" => "5m", _ => ".*" });

    /// <summary>The metrics and labels that an expression names.</summary>
    public static IEnumerable<string> Names(string expression)
        => Word().Matches(Text().Replace(expression, "")).Select(static word => word.Value)
            .Where(static word => !Known.Contains(word) && !char.IsDigit(word[0]))
            .Concat(Text().Matches(expression).SelectMany(static text => text.Value.Trim('"').Split('|')).Where(static text => text.StartsWith("asynclog_", StringComparison.Ordinal)));

    private static HashSet<string> Known { get; } =
    [
        "sum", "max", "min", "by", "on", "and", "or", "rate", "increase", "vector", "topk", "clamp_min", "histogram_quantile", "label_values", "__name__",
        "$job", "$instance", "$sink", "$__rate_interval", "$__range",
    ];

    [GeneratedRegex(@"- alert: (\w+)\n(?:\s+#.*\n)?\s+expr: ((?:.|\n)*?)\n        (?:for|labels|#)")]
    private static partial Regex Alert();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex(@"\$\w+")]
    private static partial Regex Variable();

    [GeneratedRegex(@"[$\w]+")]
    private static partial Regex Word();

    [GeneratedRegex("\"[^\"]*\"")]
    private static partial Regex Text();
}
