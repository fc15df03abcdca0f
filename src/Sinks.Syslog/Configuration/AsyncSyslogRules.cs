using System.Buffers;
using System.Globalization;
using System.Net;

namespace AsyncLog;

/// <summary>The rules of the syslog options that are more than a range, each as the text of the broken rule or null.</summary>
internal static class AsyncSyslogRules
{
    private const int LongestId = 32;
    private const int LongestSoftware = 48;
    private const int LongestVersion = 32;
    private const int RecordsInQueue = 4;

    private static readonly SearchValues<char> NotInNames = SearchValues.Create("=]\"@");
    private static readonly string[] Registered = ["timeQuality", "origin", "meta", "snmp", "alarm", "ssign", "ssign-cert", "PCNNode", "PCNTerm"];

    /// <summary>Digits, or groups of digits joined by single dots.</summary>
    public static string? EnterpriseNumber(string? number) =>
        !string.IsNullOrEmpty(number) && number.Split('.').All(static group => group.Length > 0 && group.All(char.IsAsciiDigit))
            ? null
            : "expected a private enterprise number: digits, or groups of digits joined by dots";

    /// <summary>An SD-ID without its number.</summary>
    public static string? SdId(string name, string enterpriseNumber) =>
        string.IsNullOrEmpty(name) ? "must not be empty"
        : name.AsSpan().ContainsAnyExceptInRange('!', '~') || name.AsSpan().ContainsAny(NotInNames)
            ? "may contain printable ASCII only, and no space, =, ], \" or @"
        : Registered.Contains(name, StringComparer.Ordinal) ? "is registered for another purpose: choose another name"
        : name.Length + 1 + enterpriseNumber.Length > LongestId ? "must be at most 32 characters long together with @ and the enterprise number"
        : null;

    public static string? PropertySdId(AsyncSyslogOptions options) =>
        SdId(options.PropertySdId, options.EnterpriseNumber)
        ?? (string.Equals(options.PropertySdId, options.LibrarySdId, StringComparison.Ordinal) ? "must differ from LibrarySdId" : null);

    public static string? Severity(int severity) => severity is >= 0 and <= 7 ? null : "must be from 0 to 7";

    /// <summary>Characters that stay would break records apart where a line feed ends one.</summary>
    public static string? ControlCharacters(AsyncSyslogOptions options) =>
        options.ControlCharacters == SyslogControlCharacters.Keep && SyslogLimits.FramingOf(options) == FrameKind.LineFeed
            ? "Keep is not possible with line feed framing"
            : null;

    public static bool KeepsOnUnix(AsyncSyslogOptions options) =>
        options.ControlCharacters == SyslogControlCharacters.Keep && SyslogEndpoint.SchemeOf(options) == SyslogEndpoint.Unix;

    public static bool KeepsInOlderForm(AsyncSyslogOptions options) =>
        options.ControlCharacters == SyslogControlCharacters.Keep && SyslogLayout.FormOf(options) != SyslogForm.Rfc5424;

    public static bool FramingFits(AsyncSyslogOptions options) =>
        SyslogEndpoint.IsStream(options) && (options.Framing == SyslogFraming.OctetCounting || SyslogEndpoint.SchemeOf(options) == SyslogEndpoint.Tcp);

    public static bool FitsDatagram(AsyncSyslogOptions options) =>
        options.MaxMessageBytes is not > SyslogLimits.LargestUdp || SyslogEndpoint.SchemeOf(options) != SyslogEndpoint.Udp;

    public static string? ReconnectDelay(AsyncSyslogOptions options) =>
        options.ReconnectDelay > options.MaxReconnectDelay ? "must not be more than MaxReconnectDelay" : null;

    /// <summary>A segment holds one record of the largest size at least, and the queue needs four of them to keep moving.</summary>
    public static string? MaxQueueMemory(AsyncSyslogOptions options)
    {
        long least = (long)RecordsInQueue * SyslogLimits.MaxRecordBytesOf(options);
        return options.MaxQueueMemory < least
            ? string.Create(CultureInfo.InvariantCulture, $"must be at least {RecordsInQueue} x MaxMessageBytes and framing ({least} bytes)")
            : null;
    }

    public static string? OriginIp(string? ip) => string.IsNullOrEmpty(ip) || IPAddress.TryParse(ip, out _) ? null : "expected an IP address";

    public static string? OriginEnterpriseId(string? id) => string.IsNullOrEmpty(id) ? null : EnterpriseNumber(id);

    public static string? OriginSoftware(string? software) => software?.Length > LongestSoftware ? "must be at most 48 characters long" : null;

    public static string? OriginSwVersion(string? version) => version?.Length > LongestVersion ? "must be at most 32 characters long" : null;
}
