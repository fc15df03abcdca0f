using System.Globalization;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Describes the syslog sink.</summary>
/// <param name="createSink">Makes the sink of resolved options; null: <see cref="SyslogSink"/>.</param>
/// <param name="localDaemon">The endpoint where none is configured; null: <see cref="SyslogEndpoint.Default"/>.</param>
/// <param name="hasWarned">True after the enterprise number for documentation was reported; null: that of the process.</param>
internal sealed class SyslogSinkDefinition(
    Func<AsyncSyslogLoggerOptions, SinkContext, ILogSink>? createSink = null, Uri? localDaemon = null, StrongBox<bool>? hasWarned = null)
    : SinkDefinition<AsyncSyslogLoggerOptions>("syslog")
{
    private static readonly StrongBox<bool> HasWarned = new();
    private static readonly TimeSpan LongestLocalDelay = TimeSpan.FromSeconds(1);

    public override string ChildrenKey => "Servers";

    public override string RegistrationMethod => "AddAsyncSyslog";

    public override string DestinationKey => nameof(AsyncSyslogLoggerOptions.Endpoint);

    public override IReadOnlyList<string> Formats => Enum.GetNames<SyslogForm>();

    public override string DefaultFormat => nameof(SyslogForm.Rfc5424);

    public override bool AcceptsFormatters => false;

    public override bool CanApply => true;

    // A record is a frame or a datagram already, or waits for its number; its length is bounded by what the peer takes. The first digit is the version of the form.
    public override Func<AsyncSyslogLoggerOptions, string> WireFormat { get; } = static options => string.Create(
        CultureInfo.InvariantCulture,
        $"1 {SyslogDefaults.FramingOf(options)} {options.MaxMessageSize} {options.EnterpriseNumber}{(options.SequenceId ? " numbered" : "")}");

    public override ILogSink CreateSink(AsyncSyslogLoggerOptions options, SinkContext context)
    {
        if (SyslogDefaults.FormOf(options) == SyslogForm.Rfc5424 && options.EnterpriseNumber == AsyncSyslogLoggerOptions.DocumentationNumber
            && !Interlocked.Exchange(ref (hasWarned ?? HasWarned).Value, true))
        {
            context.Report(
                LogLevel.Warning, "enterprise_number",
                $"EnterpriseNumber is {AsyncSyslogLoggerOptions.DocumentationNumber}, the number for documentation: set your own private enterprise number.");
        }

        if (options.AcceptsAnyCertificate)
            AnyCertificate.Report(context);
        return createSink is null ? new SyslogSink(options, context) : createSink(options, context);
    }

    public override void ReadEnvironment(AsyncSyslogLoggerOptions options, SinkEnvironment environment) => options.DefaultEndpoint = localDaemon ?? SyslogEndpoint.Default;

    public override void Describe(OptionsTable<AsyncSyslogLoggerOptions> table) => SyslogOptionRows.AddTo(table);

    public override string? ServerOf(AsyncSyslogLoggerOptions options) =>
        SyslogEndpoint.Rule(options.Endpoint) is null && options.Endpoint is { } uri ? new SyslogEndpoint(uri).ToString() : options.Endpoint?.OriginalString;

    public override void Resolve(AsyncSyslogLoggerOptions options, InstanceResolution resolution)
    {
        options.Endpoint ??= options.DefaultEndpoint;
        options.Format ??= SyslogDefaults.FormOf(options).ToString();
        options.MaxMessageSize = SyslogDefaults.MaxMessageSizeOf(options);
        options.MaxRecordSize = SyslogDefaults.MaxRecordBytesOf(options);
        options.AppName ??= resolution.Application.ApplicationName;
        options.HostName ??= SyslogDefaults.FormOf(options) == SyslogForm.Rfc3164 ? LocalHost.WithoutDomain(LocalHost.Name) : LocalHost.Name;
        if (SyslogHeader.LongestOf(options) > options.MaxMessageSize / 2)
            resolution.Problem(nameof(options.MaxMessageSize), "the fixed header of a record must not take more than half of it: raise it, or shorten HostName or AppName");
    }

    public override string Summarize(AsyncSyslogLoggerOptions options) => $"{options.Format!.ToLowerInvariant()}{FramingText(options)}, facility {options.Facility}";

    public override RecordLayout LayoutOf(AsyncSyslogLoggerOptions options, RecordLayout layout) => layout with
    {
        // The option is refused. If code sets it nevertheless, it must not replace the formats of the timestamps in the template.
        TimestampFormat = null,

        Custom = new SyslogSinkLayout(SyslogLayout.From(options, layout.Properties)),
    };

    public override void Apply(ILogSink sink, AsyncSyslogLoggerOptions options) => ((SyslogSink)sink).Apply(options);

    public override Backoff BackoffOf(AsyncSyslogLoggerOptions options) => new(options.ReconnectDelay, LongestDelayOf(options), HasJitter: true);

    // Attempts to reach a local daemon are cheap, and it usually returns within seconds.
    private static TimeSpan LongestDelayOf(AsyncSyslogLoggerOptions options)
    {
        if (!SyslogDefaults.IsLocal(options) || options.MaxReconnectDelay < LongestLocalDelay)
            return options.MaxReconnectDelay;
        return options.ReconnectDelay > LongestLocalDelay ? options.ReconnectDelay : LongestLocalDelay;
    }

    private static string FramingText(AsyncSyslogLoggerOptions options) => SyslogDefaults.FramingOf(options) switch
    {
        FrameKind.OctetCounting => ", octet counting",
        FrameKind.LineFeed => ", line feed framing",
        _ => "",
    };
}
