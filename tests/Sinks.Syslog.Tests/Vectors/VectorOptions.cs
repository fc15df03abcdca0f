using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>The options of a vector, with the defaults of the vectors.</summary>
internal static class VectorOptions
{
    /// <summary>Sets the options; where none is given the endpoint is the caller's.</summary>
    public static void Set(AsyncSyslogLoggerOptions options, JsonElement? vector)
    {
        (options.HostName, options.AppName, options.ProcId) = ("host-1", "shop", "4242");
        SetGiven(options, vector);
    }

    /// <summary>Sets the options that the vector names, and leaves the others.</summary>
    public static void SetGiven(AsyncSyslogLoggerOptions options, JsonElement? vector)
    {
        VectorOption.SetAll(options, vector, "Facility", "SequenceId", "TimeZone");
        // These have a form of their own in vectors.
        if (vector?.Find("Facility") is { } facility)
            options.Facility = SyslogFacilityText.Parse(facility.ToString()).Value;
        if (vector?.Find("SequenceId") is { } sequence)
            options.SequenceId = sequence.ValueKind != JsonValueKind.False;
        if (vector?.Find("TimeZone") is { } zone)
            options.UseUtcTimestamp = zone.GetString() == "UTC";
    }

    /// <summary>The number of the next record.</summary>
    public static int FirstNumber(JsonElement? vector) => vector?.Find("SequenceId") is { ValueKind: JsonValueKind.Number } number ? number.GetInt32() : 1;

    /// <summary>The offset of the zone of a vector.</summary>
    public static TimeSpan OffsetOf(JsonElement? vector)
    {
        var text = vector?.TextOf("TimeZone", "UTC") ?? "UTC";
        return text == "UTC" ? TimeSpan.Zero : TimeSpan.Parse(text.TrimStart('+'), CultureInfo.InvariantCulture);
    }
}
