using System.Globalization;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Describes the syslog sink.</summary>
/// <param name="createSink">Makes the sink of resolved options; null: <see cref="SyslogSink"/>.</param>
/// <param name="localDaemon">The endpoint where none is configured; null: <see cref="SyslogEndpoint.Default"/>.</param>
/// <param name="hasWarned">True after the enterprise number for documentation was reported; null: that of the process.</param>
internal sealed class SyslogSinkDefinition(
    Func<AsyncSyslogOptions, SinkContext, ILogSink>? createSink = null, Uri? localDaemon = null, StrongBox<bool>? hasWarned = null)
    : SinkDefinition<AsyncSyslogOptions>("syslog")
{
    private static readonly StrongBox<bool> HasWarned = new();
    private static readonly TimeSpan LongestLocalDelay = TimeSpan.FromSeconds(1);

    public override string ChildrenKey => "Servers";

    public override string RegistrationMethod => "AddAsyncSyslog";

    public override string DestinationKey => nameof(AsyncSyslogOptions.Endpoint);

    public override IReadOnlyList<string> Formats => Enum.GetNames<SyslogForm>();

    public override string DefaultFormat => nameof(SyslogForm.Rfc5424);

    public override bool AcceptsFormatters => false;

    public override bool CanApply => true;

    // A record is a frame or a datagram already, or waits for its number; its length is bounded by what the peer takes. The first digit is the version of the form.
    public override Func<AsyncSyslogOptions, string> WireFormat { get; } = static options => string.Create(
        CultureInfo.InvariantCulture,
        $"1 {SyslogDefaults.FramingOf(options)} {options.MaxMessageBytes} {options.EnterpriseNumber}{(options.SequenceId ? " numbered" : "")}");

    public override ILogSink CreateSink(AsyncSyslogOptions options, SinkContext context)
    {
        if (SyslogDefaults.FormOf(options) == SyslogForm.Rfc5424 && options.EnterpriseNumber == AsyncSyslogOptions.DocumentationNumber
            && !Interlocked.Exchange(ref (hasWarned ?? HasWarned).Value, true))
        {
            context.Report(
                SelfReportLevel.Warning, "enterprise_number",
                $"EnterpriseNumber is {AsyncSyslogOptions.DocumentationNumber}, the number for documentation: set your own private enterprise number.");
        }

        if (options.AcceptsAnyCertificate)
            AnyCertificate.Report(context);
        return createSink is null ? new SyslogSink(options, context) : createSink(options, context);
    }

    public override void ReadEnvironment(AsyncSyslogOptions options, SinkEnvironment environment) => options.DefaultEndpoint = localDaemon ?? SyslogEndpoint.Default;

    public override void Describe(OptionsTable<AsyncSyslogOptions> table) => SyslogOptionRows.AddTo(table);

    public override string? ServerOf(AsyncSyslogOptions options) =>
        SyslogEndpoint.Rule(options.Endpoint) is null && options.Endpoint is { } uri ? new SyslogEndpoint(uri).ToString() : options.Endpoint?.OriginalString;

    public override void Resolve(AsyncSyslogOptions options, InstanceResolution resolution)
    {
        options.Endpoint ??= options.DefaultEndpoint;
        options.Format ??= SyslogDefaults.FormOf(options).ToString();
        options.MaxMessageBytes = SyslogDefaults.MaxMessageBytesOf(options);
        options.MaxRecordSize = SyslogDefaults.MaxRecordBytesOf(options);
        options.SendTimeout = SyslogDefaults.SendTimeoutOf(options);
        options.AppName ??= resolution.Application.ApplicationName;
        options.HostName ??= SyslogDefaults.FormOf(options) == SyslogForm.Rfc3164 ? LocalHost.WithoutDomain(LocalHost.Name) : LocalHost.Name;
        options.ProcId ??= Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        if (SyslogHeader.LongestOf(options) > options.MaxMessageBytes / 2)
            resolution.Problem(nameof(options.MaxMessageBytes), "the fixed header of a record must not take more than half of it: raise it, or shorten HostName, AppName or ProcId");
    }

    public override string Summarize(AsyncSyslogOptions options) => $"{options.Format!.ToLowerInvariant()}{FramingText(options)}, facility {options.Facility}";

    public override RecordLayout LayoutOf(AsyncSyslogOptions options, RecordLayout layout) => layout with
    {
        // The option is refused. If code sets it nevertheless, it must not replace the formats of the timestamps in the template.
        TimestampFormat = null,

        Custom = new SyslogSinkLayout(SyslogLayout.From(options, layout.Properties)),
    };

    public override void Apply(ILogSink sink, AsyncSyslogOptions options) => ((SyslogSink)sink).Apply(options);

    public override Backoff BackoffOf(AsyncSyslogOptions options) => new(options.ReconnectDelay, LongestDelayOf(options), HasJitter: true);

    // Attempts to reach a local daemon are cheap, and it usually returns within seconds.
    private static TimeSpan LongestDelayOf(AsyncSyslogOptions options)
    {
        if (!SyslogDefaults.IsLocal(options) || options.MaxReconnectDelay < LongestLocalDelay)
            return options.MaxReconnectDelay;
        return options.ReconnectDelay > LongestLocalDelay ? options.ReconnectDelay : LongestLocalDelay;
    }

    private static string FramingText(AsyncSyslogOptions options) => SyslogDefaults.FramingOf(options) switch
    {
        FrameKind.OctetCounting => ", octet counting",
        FrameKind.LineFeed => ", line feed framing",
        _ => "",
    };
}
