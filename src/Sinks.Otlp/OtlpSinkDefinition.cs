using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Describes the OTLP sink.</summary>
/// <param name="createSink">Creates the sink in tests; null: <see cref="OtlpSink.Create"/>.</param>
internal sealed class OtlpSinkDefinition(Func<AsyncOtlpLoggerOptions, SinkContext, ILogSink>? createSink = null) : SinkDefinition<AsyncOtlpLoggerOptions>("otlp")
{
    private const string ServiceNameKey = "service.name";

    // A request takes its records from one segment and costs a round trip: segments are larger than those of other sinks.
    private const int SegmentSize = 1 << 20;

    // Parts of the names of headers with credentials: Authorization, api-key, X-Auth-Token, Cookie, …
    private static readonly string[] SecretNames = ["auth", "key", "token", "secret", "password", "credential", "cookie", "signature"];

    public override string ChildrenKey => "Collectors";

    public override string RegistrationMethod => "AddAsyncOtlp";

    public override string DestinationKey => nameof(AsyncOtlpLoggerOptions.Endpoint);

    public override IReadOnlyList<string> Formats => [DefaultFormat];

    public override string DefaultFormat => "Otlp";

    public override bool AcceptsFormatters => false;

    public override bool CanApply => true;

    // A record is an encoded LogRecord. The resource is the sending process's; only the service must be the same.
    public override Func<AsyncOtlpLoggerOptions, string> WireFormat { get; } = static options => "1 " + options.ServiceName;

    public override ILogSink CreateSink(AsyncOtlpLoggerOptions options, SinkContext context)
    {
        ReportWarnings(options, context);
        return createSink is null ? OtlpSink.Create(options, context) : createSink(options, context);
    }

    public override void Describe(OptionsTable<AsyncOtlpLoggerOptions> table) => OtlpOptionRows.AddTo(table);

    public override void ReadEnvironment(AsyncOtlpLoggerOptions options, SinkEnvironment environment) => OtlpEnvironment.Read(options, environment);

    public override string? ServerOf(AsyncOtlpLoggerOptions options) => OtlpEndpoint.ServerOf(options);

    public override void Resolve(AsyncOtlpLoggerOptions options, InstanceResolution resolution)
    {
        if (resolution.IsDefault && options.Variables.Credentials is { } names && OtlpEndpoint.ServerOfVariables(options) is { } other && other != OtlpEndpoint.ServerOf(options))
            options.Variables.Warn("credentials", $"{names} are for {other}, the endpoint of the variables, and not used for another one: set Headers and Tls beside Endpoint.");
        // An invalid endpoint is reported by its row of the table.
        if (OtlpEndpoint.Rule(options.Endpoint) is null)
            options.Endpoint = OtlpEndpoint.Resolve(options);
        var variables = options.Variables;
        options.ServiceName ??= NameIn(options.ResourceAttributes) ?? variables.ServiceName ?? variables.ResourceAttributes.GetValueOrDefault(ServiceNameKey)
            ?? variables.HostApplicationName ?? OtlpResource.UnknownService();
        foreach (var (key, value) in variables.ResourceAttributes)
            options.ResourceAttributes.TryAdd(key, value);
    }

    public override string Summarize(AsyncOtlpLoggerOptions options) =>
        $"{options.ProtocolName}, gzip {(options.Compression == CompressionMethod.Gzip ? "on" : "off")}";

    public override RecordLayout LayoutOf(AsyncOtlpLoggerOptions options, RecordLayout layout) => layout with { Template = null, Custom = OtlpLayout.From(options) };

    public override void Apply(ILogSink sink, AsyncOtlpLoggerOptions options) => ((OtlpSink)sink).Apply(options);

    public override Backoff BackoffOf(AsyncOtlpLoggerOptions options) => new(options.RetryDelay, options.MaxRetryDelay, HasJitter: true);

    public override TimeSpan BatchDelayOf(AsyncOtlpLoggerOptions options) => options.ScheduledDelay;

    public override int SegmentSizeOf(AsyncOtlpLoggerOptions options) => SegmentSize;

    // Settings that are valid but discouraged, and ignored ones; at every start.
    private static void ReportWarnings(AsyncOtlpLoggerOptions options, SinkContext context)
    {
        foreach (var (severity, condition, message) in options.Variables.Notices)
            context.Report(severity, condition, message);
        if (options.AcceptsAnyCertificate)
            AnyCertificate.Report(context);
        if (options.Endpoint is { IsLoopback: false } endpoint && endpoint.Scheme == Uri.UriSchemeHttp && options.Headers.Keys.FirstOrDefault(IsSecret) is { } name)
            context.Report(LogLevel.Warning, "plain_headers", $"the header {name} is sent to {endpoint.Host} without encryption, so anyone on the network path can read it. Use https://.");
    }

    private static bool IsSecret(string header) => Array.Exists(SecretNames, part => header.Contains(part, StringComparison.OrdinalIgnoreCase));

    private static string? NameIn(IDictionary<string, string> attributes) => attributes.TryGetValue(ServiceNameKey, out var name) ? name : null;
}
