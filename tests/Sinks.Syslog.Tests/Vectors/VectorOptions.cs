using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The options of a vector, with the defaults of the vectors.</summary>
internal static class VectorOptions
{
    private static readonly Dictionary<string, Action<AsyncSyslogOptions, JsonElement>> Setters = new(StringComparer.Ordinal)
    {
        ["Format"] = static (o, v) => o.Format = v.GetString(),
        ["Facility"] = static (o, v) => o.Facility = SyslogFacilityText.Parse(v.ToString()).Value,
        ["Severity"] = static (o, v) => Each(v, (name, value) => o.Severity[Enum.Parse<LogLevel>(name)] = value.GetInt32()),
        ["HostName"] = static (o, v) => o.HostName = VectorValue.ReadText(v),
        ["AppName"] = static (o, v) => o.AppName = VectorValue.ReadText(v),
        ["ProcId"] = static (o, v) => o.ProcId = VectorValue.ReadText(v),
        ["EnterpriseNumber"] = static (o, v) => o.EnterpriseNumber = v.GetString()!,
        ["LibrarySdId"] = static (o, v) => o.LibrarySdId = v.GetString()!,
        ["PropertySdId"] = static (o, v) => o.PropertySdId = v.GetString()!,
        ["Bom"] = static (o, v) => o.Bom = Enum.Parse<SyslogBom>(v.GetString()!),
        ["ControlCharacters"] = static (o, v) => o.ControlCharacters = Enum.Parse<SyslogControlCharacters>(v.GetString()!),
        ["MaxMessageBytes"] = static (o, v) => o.MaxMessageBytes = v.GetInt32(),
        ["MaxParamValueBytes"] = static (o, v) => o.MaxParamValueBytes = v.GetInt32(),
        ["SequenceId"] = static (o, _) => o.SequenceId = true,
        ["TimeZone"] = static (o, v) => o.UseUtcTimestamp = v.GetString() == "UTC",
        ["TimeQuality"] = static (o, v) => o.TimeQuality = v.GetBoolean(),
        ["Origin"] = static (o, v) => Each(v, (name, value) => SetOrigin(o.Origin, name, VectorValue.ReadText(value))),
        ["TraceContext"] = static (o, v) => o.TraceContext = v.GetBoolean(),
        ["IncludeTemplate"] = static (o, v) => o.IncludeTemplate = v.GetBoolean(),
        ["Properties"] = static (o, v) => Each(v, (name, value) => o.Properties[name] = value.GetString()!),
        ["ResendAcknowledgedWindow"] = static (o, v) => o.ResendAcknowledgedWindow = v.GetBoolean(),
    };

    /// <summary>Sets the options; the endpoint is the caller's.</summary>
    public static void Set(AsyncSyslogOptions options, JsonElement? vector)
    {
        (options.HostName, options.AppName, options.ProcId) = ("host-1", "shop", "4242");
        if (vector is not { } given)
            return;
        Each(given, (name, value) => Setters[name](options, value));
    }

    /// <summary>The offset of the zone of a vector.</summary>
    public static TimeSpan OffsetOf(JsonElement? vector)
    {
        var text = vector?.TextOf("TimeZone", "UTC") ?? "UTC";
        return text == "UTC" ? TimeSpan.Zero : TimeSpan.Parse(text.TrimStart('+'), CultureInfo.InvariantCulture);
    }

    private static void SetOrigin(SyslogOriginOptions origin, string name, string value)
    {
        switch (name)
        {
            case "ip": origin.Ip = value; break;
            case "enterpriseId": origin.EnterpriseId = value; break;
            case "software": origin.Software = value; break;
            case "swVersion": origin.SwVersion = value; break;
            default: throw new NotSupportedException(name);
        }
    }

    private static void Each(JsonElement map, Action<string, JsonElement> set)
    {
        foreach (var property in map.EnumerateObject())
            set(property.Name, property.Value);
    }
}
