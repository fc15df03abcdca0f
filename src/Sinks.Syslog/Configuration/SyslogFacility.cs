using System.Globalization;

namespace AsyncLog;

/// <summary>The facility of a syslog record (RFC 5427). Its number is the code on the wire.</summary>
public enum SyslogFacility
{
    /// <summary>Kernel messages.</summary>
    Kern = 0,

    /// <summary>User-level messages.</summary>
    User = 1,

    /// <summary>Mail system.</summary>
    Mail = 2,

    /// <summary>System daemons.</summary>
    Daemon = 3,

    /// <summary>Security and authorization messages.</summary>
    Auth = 4,

    /// <summary>Messages of the syslog daemon itself.</summary>
    Syslog = 5,

    /// <summary>Line printer subsystem.</summary>
    Lpr = 6,

    /// <summary>Network news subsystem.</summary>
    News = 7,

    /// <summary>UUCP subsystem.</summary>
    Uucp = 8,

    /// <summary>Clock daemon (cron).</summary>
    Cron = 9,

    /// <summary>Private security and authorization messages.</summary>
    AuthPriv = 10,

    /// <summary>FTP daemon.</summary>
    Ftp = 11,

    /// <summary>NTP subsystem.</summary>
    Ntp = 12,

    /// <summary>Log audit.</summary>
    Audit = 13,

    /// <summary>Log alert.</summary>
    Alert = 14,

    /// <summary>Clock daemon.</summary>
    Clock = 15,

    /// <summary>Local use 0.</summary>
    Local0 = 16,

    /// <summary>Local use 1.</summary>
    Local1 = 17,

    /// <summary>Local use 2.</summary>
    Local2 = 18,

    /// <summary>Local use 3.</summary>
    Local3 = 19,

    /// <summary>Local use 4.</summary>
    Local4 = 20,

    /// <summary>Local use 5.</summary>
    Local5 = 21,

    /// <summary>Local use 6.</summary>
    Local6 = 22,

    /// <summary>Local use 7.</summary>
    Local7 = 23,
}

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
