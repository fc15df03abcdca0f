using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The rows of the known-key table that only the syslog sink has.</summary>
internal static class SyslogOptionRows
{
    private const string Scheme = nameof(AsyncSyslogOptions.Endpoint);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ShortestAttempt = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestAttempt = TimeSpan.FromMinutes(2);

    public static void AddTo(SinkOptionsTable<AsyncSyslogOptions> table)
    {
        table
            .Refuse(nameof(SinkOptions.MaxRecordSize), "MaxMessageBytes bounds a record")
            .Refuse(nameof(SinkOptions.TimestampFormat), "Format decides the time stamp");
        AddRecord(table);
        AddStructuredData(table);
        AddOrigin(table);
        AddTransport(table);
        table.Tls(static o => o.Tls, Scheme, static o => SyslogEndpoint.SchemeOf(o) == SyslogEndpoint.Tls, "only with tls://");
    }

    private static void AddRecord(SinkOptionsTable<AsyncSyslogOptions> table) => table
        .Value("Facility", static o => o.Facility, static (o, v) => o.Facility = v, OptionReload.Live, SyslogFacilityText.Parse, SyslogFacilityText.Show, SyslogFacilityText.Rule)
        .Map("Severity", static o => o.Severity, OptionReload.Live, ParseLevel, ParseSeverity, AsyncSyslogRules.Severity)
        .OptionalText("AppName", static o => o.AppName, static (o, v) => o.AppName = v, OptionReload.Rebuild)
        .OptionalText("HostName", static o => o.HostName, static (o, v) => o.HostName = v, OptionReload.Rebuild)
        .OptionalText("ProcId", static o => o.ProcId, static (o, v) => o.ProcId = v, OptionReload.Rebuild)
        .Enum("MsgId", static o => o.MsgId, static (o, v) => o.MsgId = v, OptionReload.Live)
        .Size("MaxMessageBytes", static o => o.MaxMessageBytes, static (o, v) => o.MaxMessageBytes = (int?)v, OptionReload.Rebuild, SyslogLimits.Smallest, SyslogLimits.Largest)
        .OnlyWhen("MaxMessageBytes", Scheme, AsyncSyslogRules.FitsDatagram, "must be from 480 to 65507 bytes with udp://")
        .Check("MaxQueueMemory", AsyncSyslogRules.MaxQueueMemory)
        .Enum("ControlCharacters", static o => o.ControlCharacters, static (o, v) => o.ControlCharacters = v, OptionReload.Live)
        .OnlyWhen("ControlCharacters", Scheme, static o => !AsyncSyslogRules.KeepsOnUnix(o), "Keep is not possible with a local socket")
        .OnlyWhen("ControlCharacters", nameof(SinkOptions.Format), static o => !AsyncSyslogRules.KeepsInOlderForm(o), "Keep is only possible with Format Rfc5424")
        .Check("ControlCharacters", AsyncSyslogRules.ControlCharacters)
        .Enum("Bom", static o => o.Bom, static (o, v) => o.Bom = v, OptionReload.Live);

    private static void AddStructuredData(SinkOptionsTable<AsyncSyslogOptions> table) => table
        .Size("MaxParamValueBytes", static o => o.MaxParamValueBytes, static (o, v) => o.MaxParamValueBytes = v, OptionReload.Live, min: 16, max: SyslogLimits.Largest)
        .Switch("StructuredData", static o => o.StructuredData, static (o, v) => o.StructuredData = v, OptionReload.Live)
        .Value("EnterpriseNumber", static o => o.EnterpriseNumber, static (o, v) => o.EnterpriseNumber = v, OptionReload.Rebuild, static text => new Parsed<string>(text), static text => text, AsyncSyslogRules.EnterpriseNumber)
        .Text("LibrarySdId", static o => o.LibrarySdId, static (o, v) => o.LibrarySdId = v, OptionReload.Rebuild)
        .Check("LibrarySdId", static o => AsyncSyslogRules.SdId(o.LibrarySdId, o.EnterpriseNumber))
        .Text("PropertySdId", static o => o.PropertySdId, static (o, v) => o.PropertySdId = v, OptionReload.Rebuild)
        .Check("PropertySdId", AsyncSyslogRules.PropertySdId)
        .Switch("TraceContext", static o => o.TraceContext, static (o, v) => o.TraceContext = v, OptionReload.Live)
        .Switch("IncludeTemplate", static o => o.IncludeTemplate, static (o, v) => o.IncludeTemplate = v, OptionReload.Live)
        .Switch("SequenceId", static o => o.SequenceId, static (o, v) => o.SequenceId = v, OptionReload.Rebuild)
        .OnlyWhen("SequenceId", Scheme, static o => o.Format is not null || SyslogLayout.FormOf(o) == SyslogForm.Rfc5424, "only with Format Rfc5424")
        .OnlyWhen("SequenceId", nameof(SinkOptions.Format), static o => SyslogLayout.FormOf(o) == SyslogForm.Rfc5424, "only with Format Rfc5424")
        .Switch("TimeQuality", static o => o.TimeQuality, static (o, v) => o.TimeQuality = v, OptionReload.Live);

    private static void AddOrigin(SinkOptionsTable<AsyncSyslogOptions> table) => table
        .OptionalText("Origin:Ip", static o => o.Origin.Ip, static (o, v) => o.Origin.Ip = v, OptionReload.Live)
        .Check("Origin:Ip", static o => AsyncSyslogRules.OriginIp(o.Origin.Ip))
        .OptionalText("Origin:EnterpriseId", static o => o.Origin.EnterpriseId, static (o, v) => o.Origin.EnterpriseId = v, OptionReload.Live)
        .Check("Origin:EnterpriseId", static o => AsyncSyslogRules.OriginEnterpriseId(o.Origin.EnterpriseId))
        .OptionalText("Origin:Software", static o => o.Origin.Software, static (o, v) => o.Origin.Software = v, OptionReload.Live)
        .Check("Origin:Software", static o => AsyncSyslogRules.OriginSoftware(o.Origin.Software))
        .OptionalText("Origin:SwVersion", static o => o.Origin.SwVersion, static (o, v) => o.Origin.SwVersion = v, OptionReload.Live)
        .Check("Origin:SwVersion", static o => AsyncSyslogRules.OriginSwVersion(o.Origin.SwVersion));

    private static void AddTransport(SinkOptionsTable<AsyncSyslogOptions> table) => table
        .Value("Endpoint", static o => o.Endpoint, static (o, v) => o.Endpoint = v, OptionReload.Rebuild, SyslogEndpoint.Parse, static uri => uri?.OriginalString, SyslogEndpoint.Rule)
        .Enum("Framing", static o => o.Framing, static (o, v) => o.Framing = v, OptionReload.Rebuild)
        .OnlyWhen("Framing", Scheme, AsyncSyslogRules.FramingFits, "OctetCounting is possible with tcp:// and tls://, LineFeed with tcp:// only")
        .Time("ConnectTimeout", static o => o.ConnectTimeout, static (o, v) => o.ConnectTimeout = v, OptionReload.Live, ShortestAttempt, LongestAttempt)
        .Time("TlsHandshakeTimeout", static o => o.TlsHandshakeTimeout, static (o, v) => o.TlsHandshakeTimeout = v, OptionReload.Live, ShortestAttempt, LongestAttempt)
        .Time("SendTimeout", static o => o.SendTimeout, static (o, v) => o.SendTimeout = v, OptionReload.Live, TimeSpan.FromMilliseconds(10), TimeSpan.FromMinutes(5))
        .Time("ReconnectDelay", static o => o.ReconnectDelay, static (o, v) => o.ReconnectDelay = v, OptionReload.Live, new TimeSpan(1))
        .Time("MaxReconnectDelay", static o => o.MaxReconnectDelay, static (o, v) => o.MaxReconnectDelay = v, OptionReload.Live, new TimeSpan(1), TimeSpan.FromDays(1))
        .Check("ReconnectDelay", AsyncSyslogRules.ReconnectDelay)
        .Time("KeepAlive", static o => o.KeepAlive, static (o, v) => o.KeepAlive = v, OptionReload.Rebuild, Second)
        .Time("UserTimeout", static o => o.UserTimeout, static (o, v) => o.UserTimeout = v, OptionReload.Rebuild, Second)
        .Time("DnsRefresh", static o => o.DnsRefresh, static (o, v) => o.DnsRefresh = v, OptionReload.Live, Second)
        .Switch("ReportUnreachable", static o => o.ReportUnreachable, static (o, v) => o.ReportUnreachable = v, OptionReload.Rebuild)
        .OnlyWhen("ReportUnreachable", Scheme, static o => SyslogEndpoint.SchemeOf(o) == SyslogEndpoint.Udp, "only with udp://")
        .Integer("MaxDatagramsPerSecond", static o => o.MaxDatagramsPerSecond, static (o, v) => o.MaxDatagramsPerSecond = v, OptionReload.Live, min: 1)
        .Switch("ResendAcknowledgedWindow", static o => o.ResendAcknowledgedWindow, static (o, v) => o.ResendAcknowledgedWindow = v, OptionReload.Rebuild)
        .OnlyWhen("ResendAcknowledgedWindow", Scheme, SyslogEndpoint.IsStream, "only with tcp:// or tls://");

    private static Parsed<LogLevel> ParseLevel(string text) =>
        Enum.GetValues<LogLevel>().SkipLast(1).Where(level => level.ToString().Equals(text, StringComparison.OrdinalIgnoreCase)).Select(static level => new Parsed<LogLevel>(level))
            .FirstOrDefault(Parsed<LogLevel>.Invalid("expected Trace, Debug, Information, Warning, Error or Critical"));

    private static Parsed<int> ParseSeverity(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? new(value) : Parsed<int>.Invalid("must be from 0 to 7");
}
