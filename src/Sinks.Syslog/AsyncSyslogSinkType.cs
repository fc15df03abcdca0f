using System.Globalization;

namespace AsyncLog;

/// <summary>What AsyncLog has to know of the syslog sink.</summary>
internal static class AsyncSyslogSinkType
{
    private static readonly TimeSpan LongestLocalDelay = TimeSpan.FromSeconds(1);

    /// <param name="createSink">Makes the sink of resolved options; null: <see cref="SyslogSinkFactory"/>.</param>
    public static SinkType<AsyncSyslogOptions> Create(Func<AsyncSyslogOptions, SinkContext, ILogSink>? createSink = null)
    {
        createSink ??= SyslogSinkFactory.Create;
        return new SinkType<AsyncSyslogOptions>("syslog", (options, context) =>
        {
            SyslogWarnings.Report(options, context);
            return createSink(options, context);
        })
        {
            ChildrenKey = "Servers",
            RegistrationMethod = "AddAsyncSyslog",
            TargetKey = nameof(AsyncSyslogOptions.Endpoint),
            Formats = Enum.GetNames<SyslogForm>(),
            DefaultFormat = nameof(SyslogForm.Rfc5424),
            AcceptsFormatters = false,
            Describe = SyslogOptionRows.AddTo,
            HasDefault = static options => options.Endpoint is not null,
            Resolve = Resolve,
            Summary = SummaryOf,
            Backoff = static options => new Backoff(options.ReconnectDelay, LongestDelayOf(options), HasJitter: true),
            Apply = SyslogSinkFactory.Apply,
            Redirect = static (sink, options) => ((SyslogSink)sink).TryRedirect(options),
            Layout = static (options, layout) => layout with
            {
                // Refused as an option; set in code all the same it must not replace the formats of the template's own time stamps.
                TimestampFormat = null,
                // Those of the layout have their tokens expanded.
                Custom = SyslogLayout.From(options) with { Properties = ConstantProperties.From(layout.Properties) },
            },
        };
    }

    private static void Resolve(AsyncSyslogOptions options, InstanceResolution resolution)
    {
        options.Endpoint ??= SyslogEndpoint.Default;
        options.Format ??= SyslogLayout.FormOf(options).ToString();
        options.MaxMessageBytes = SyslogLimits.MaxMessageBytesOf(options);
        options.MaxRecordSize = SyslogLimits.MaxRecordBytesOf(options);
        options.SendTimeout = SyslogLimits.SendTimeoutOf(options);
        options.AppName ??= resolution.Application.ApplicationName;
        options.HostName ??= SyslogLayout.FormOf(options) == SyslogForm.Rfc3164 ? LocalHost.WithoutDomain(LocalHost.Name) : LocalHost.Name;
        options.ProcId ??= Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        if (SyslogHeader.LongestOf(options) > options.MaxMessageBytes / 2)
            resolution.Problem(nameof(options.MaxMessageBytes), "the fixed header of a record must not take more than half of it");
    }

    // A local socket costs nothing to try, and its daemon is back within seconds.
    private static TimeSpan LongestDelayOf(AsyncSyslogOptions options)
    {
        if (SyslogEndpoint.SchemeOf(options) != SyslogEndpoint.Unix || options.MaxReconnectDelay < LongestLocalDelay)
            return options.MaxReconnectDelay;
        return options.ReconnectDelay > LongestLocalDelay ? options.ReconnectDelay : LongestLocalDelay;
    }

    private static string SummaryOf(AsyncSyslogOptions options) => $"{options.Format!.ToLowerInvariant()}{FramingText(options)}, facility {options.Facility}";

    private static string FramingText(AsyncSyslogOptions options) => SyslogLimits.FramingOf(options) switch
    {
        FrameKind.OctetCounting => ", octet counting",
        FrameKind.LineFeed => ", line feed framing",
        _ => "",
    };
}
