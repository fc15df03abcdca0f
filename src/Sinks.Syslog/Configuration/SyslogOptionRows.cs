using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The rows of the option table that only the syslog sink has, and their rules: each returns the text of the broken rule, or null.</summary>
internal static class SyslogOptionRows
{
    private const string OnlyRfc5424 = "only with Format Rfc5424 (the default except with unix://)";
    private const int RecordsInQueue = 4;

    private const string Scheme = nameof(AsyncSyslogLoggerOptions.Endpoint);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ShortestAttempt = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestAttempt = TimeSpan.FromMinutes(2);

    public static void AddTo(OptionsTable<AsyncSyslogLoggerOptions> table)
    {
        table
            .Forbid(nameof(SinkOptions.MaxRecordSize), "MaxMessageSize limits a record")
            .Forbid(nameof(SinkOptions.TimestampFormat), "Format decides the time stamp");
        AddRecord(table);
        AddStructuredData(table);
        AddTransport(table);
        table.AddTls(static o => o.Tls, Scheme, static o => SyslogDefaults.SchemeOf(o) == SyslogEndpoint.Tls, "only with tls://");
    }

    private static void AddRecord(OptionsTable<AsyncSyslogLoggerOptions> table) => table
        // NLog: facility.
        .Add("Facility", static o => o.Facility, static (o, v) => o.Facility = v, new OptionKind<SyslogFacility>(SyslogFacilityText.Parse, SyslogFacilityText.Show, SyslogFacilityText.Rule), OptionReload.Live)
        // NLog: perLogLevelSeverity.
        .AddMap("Severity", static o => o.Severity, ParseLevel, ParseSeverity, Severity, OptionReload.Live)
        // NLog: appName.
        .Add("AppName", static o => o.AppName, static (o, v) => o.AppName = v, OptionKind.OptionalText, OptionReload.Rebuild)
        // NLog: hostname.
        .Add("HostName", static o => o.HostName, static (o, v) => o.HostName = v, OptionKind.OptionalText, OptionReload.Rebuild)
        // NLog: msgId.
        .Add("MsgId", static o => o.MsgId, static (o, v) => o.MsgId = v, OptionKind.Choice<SyslogMsgId>(), OptionReload.Live)
        // NLog: truncateMessageTo.
        .Add("MaxMessageSize", static o => o.MaxMessageSize, static (o, v) => o.MaxMessageSize = (int?)v, OptionKind.Size(SyslogDefaults.Smallest, SyslogDefaults.Largest).OrNull(), OptionReload.Rebuild)
        .OnlyWhen("MaxMessageSize", Scheme, FitsDatagram, "must be from 480 to 65507 bytes with udp://")
        .Check("MaxQueueMemory", MaxQueueMemory)
        // NLog: disableBom.
        .Add("Bom", static o => o.Bom, static (o, v) => o.Bom = v, OptionKind.Boolean, OptionReload.Live);

    private static void AddStructuredData(OptionsTable<AsyncSyslogLoggerOptions> table) => table
        // NLog: structuredData.
        .Add("StructuredData", static o => o.StructuredData, static (o, v) => o.StructuredData = v, OptionKind.Boolean, OptionReload.Live)
        // Two deployments differ: each enterprise has its own number.
        .Add("EnterpriseNumber", static o => o.EnterpriseNumber, static (o, v) => o.EnterpriseNumber = v, new OptionKind<string>(static text => new ParseResult<string>(text), static text => text, EnterpriseNumber), OptionReload.Rebuild)
        // Two deployments differ: over UDP gaps must show, elsewhere the number only takes space.
        .Add("SequenceId", static o => o.SequenceId, static (o, v) => o.SequenceId = v, OptionKind.Boolean, OptionReload.Rebuild)
        .OnlyWhen("SequenceId", Scheme, static o => o.Format is not null || SyslogDefaults.FormOf(o) == SyslogForm.Rfc5424, OnlyRfc5424)
        .OnlyWhen("SequenceId", nameof(SinkOptions.Format), static o => SyslogDefaults.FormOf(o) == SyslogForm.Rfc5424, OnlyRfc5424);

    private static void AddTransport(OptionsTable<AsyncSyslogLoggerOptions> table) => table
        // NLog: server, port.
        .Add("Endpoint", static o => o.Endpoint, static (o, v) => o.Endpoint = v, new OptionKind<Uri?>(SyslogEndpoint.Parse, static uri => uri?.OriginalString, SyslogEndpoint.Rule), OptionReload.Rebuild)
        // NLog: framing.
        .Add("Framing", static o => o.Framing, static (o, v) => o.Framing = v, OptionKind.Choice<SyslogFraming>(), OptionReload.Rebuild)
        .OnlyWhen("Framing", Scheme, FramingFits, "OctetCounting is possible with tcp:// and tls://, LineFeed with tcp:// only")
        // Two deployments differ: a local network and a slow line.
        .Add("ConnectTimeout", static o => o.ConnectTimeout, static (o, v) => o.ConnectTimeout = v, OptionKind.Time(ShortestAttempt, LongestAttempt), OptionReload.Live)
        // NLog: reconnectInterval.
        .Add("ReconnectDelay", static o => o.ReconnectDelay, static (o, v) => o.ReconnectDelay = v, OptionKind.Time(new TimeSpan(1), SyslogDefaults.LongestReconnectDelay), OptionReload.Live)
        // NLog: keepAlive.
        .Add("KeepAlive", static o => o.KeepAlive, static (o, v) => o.KeepAlive = v, OptionKind.Time(Second).OrNull(nullMeaning: "no probes"), OptionReload.Rebuild)
        // Two deployments differ: lost records or duplicates.
        .Add("ResendAcknowledgedWindow", static o => o.ResendAcknowledgedWindow, static (o, v) => o.ResendAcknowledgedWindow = v, OptionKind.Boolean, OptionReload.Rebuild)
        .OnlyWhen("ResendAcknowledgedWindow", Scheme, SyslogDefaults.IsStream, "only with tcp:// or tls://");

    private static ParseResult<LogLevel> ParseLevel(string text) =>
        Enum.GetValues<LogLevel>().SkipLast(1).Where(level => level.ToString().Equals(text, StringComparison.OrdinalIgnoreCase)).Select(static level => new ParseResult<LogLevel>(level))
            .FirstOrDefault(ParseResult<LogLevel>.Invalid("expected Trace, Debug, Information, Warning, Error or Critical"));

    private static ParseResult<int> ParseSeverity(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? new(value) : ParseResult<int>.Invalid("must be from 0 to 7");

    /// <summary>Digits, or groups of digits joined by single dots.</summary>
    private static string? EnterpriseNumber(string? number) =>
        !string.IsNullOrEmpty(number) && number.Split('.').All(static group => group.Length > 0 && group.All(char.IsAsciiDigit))
            ? null
            : "expected a private enterprise number: digits, or groups of digits joined by dots";

    private static string? Severity(int severity) => severity is >= 0 and <= 7 ? null : "must be from 0 to 7";

    private static bool FramingFits(AsyncSyslogLoggerOptions options) =>
        SyslogDefaults.IsStream(options) && (options.Framing == SyslogFraming.OctetCounting || SyslogDefaults.SchemeOf(options) == SyslogEndpoint.Tcp);

    private static bool FitsDatagram(AsyncSyslogLoggerOptions options) =>
        options.MaxMessageSize is not > SyslogDefaults.LargestUdp || SyslogDefaults.SchemeOf(options) != SyslogEndpoint.Udp;

    /// <summary>A segment holds one record of the largest size at least, and the queue needs four of them to keep moving.</summary>
    private static string? MaxQueueMemory(AsyncSyslogLoggerOptions options)
    {
        long min = (long)RecordsInQueue * SyslogDefaults.MaxRecordBytesOf(options);
        return options.MaxQueueMemory < min
            ? string.Create(CultureInfo.InvariantCulture, $"must be at least {RecordsInQueue} x MaxMessageSize and framing ({min} bytes)")
            : null;
    }
}
