using System.Globalization;

namespace AsyncLog;

/// <summary>Reads a facility: a keyword of RFC 5427 in any case, with or without <c>Log</c> before it, or the number.</summary>
internal static class SyslogFacilityText
{
    private const string Prefix = "log";

    private static readonly string Expected = "expected a number from 0 to 23 or "
        + string.Join(", ", Enum.GetNames<SyslogFacility>().SkipLast(1)).ToLowerInvariant() + " or local7";

    public static ParseResult<SyslogFacility> Parse(string text)
    {
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            return Rule((SyslogFacility)number) is { } rule ? ParseResult<SyslogFacility>.Invalid(rule) : new((SyslogFacility)number);
        var keyword = text.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) ? text[Prefix.Length..].TrimStart('_') : text;
        foreach (var facility in Enum.GetValues<SyslogFacility>())
        {
            if (facility.ToString().Equals(keyword, StringComparison.OrdinalIgnoreCase))
                return new(facility);
        }

        return ParseResult<SyslogFacility>.Invalid(Expected);
    }

    public static string? Rule(SyslogFacility facility) => Enum.IsDefined(facility) ? null : Expected;

    public static string Show(SyslogFacility facility) => facility.ToString();
}
