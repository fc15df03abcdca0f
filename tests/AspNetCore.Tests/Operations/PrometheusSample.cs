using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests.Operations;

/// <summary>One element of an answer of Prometheus.</summary>
internal sealed record PrometheusSample(IReadOnlyDictionary<string, string> Labels, double Value)
{
    public string? Sink => Labels.GetValueOrDefault("asynclog_sink_name");

    public static PrometheusSample Of(JsonElement element)
        => new(
            element.GetProperty("metric").EnumerateObject().ToDictionary(static label => label.Name, static label => label.Value.GetString()!, StringComparer.Ordinal),
            double.Parse(element.GetProperty("value")[1].GetString()!.Replace("Inf", "Infinity", StringComparison.Ordinal), CultureInfo.InvariantCulture));
}
