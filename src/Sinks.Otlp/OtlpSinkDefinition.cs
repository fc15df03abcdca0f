using System.Globalization;

namespace AsyncLog;

/// <summary>Describes the OTLP sink.</summary>
/// <param name="createSink">Makes the sink of resolved options; null: <see cref="OtlpSinkFactory"/>.</param>
internal sealed class OtlpSinkDefinition(Func<AsyncOtlpOptions, SinkContext, ILogSink>? createSink = null) : SinkDefinition<AsyncOtlpOptions>("otlp")
{
    private const string ServiceNameKey = "service.name";
    private const int DefaultBatchSize = 512;

    // A request of records is worth its round trip: far larger than what other sinks write at once. It takes its records from one segment, so whoever
    // wants more in a request gets larger ones, as far as the queue's memory goes.
    private const int SmallestSegment = 512 << 10;
    private const int TypicalRecordBytes = 512;

    public override string ChildrenKey => "Collectors";

    public override string RegistrationMethod => "AddAsyncOtlp";

    public override string DestinationKey => nameof(AsyncOtlpOptions.Endpoint);

    public override IReadOnlyList<string> Formats => [DefaultFormat];

    public override string DefaultFormat => "Otlp";

    public override bool AcceptsFormatters => false;

    public override bool CanApply => true;

    public override ILogSink CreateSink(AsyncOtlpOptions options, SinkContext context)
    {
        OtlpWarnings.Report(options, context);
        return createSink is null ? OtlpSinkFactory.Create(options, context) : createSink(options, context);
    }

    public override void Describe(SinkOptionsTable<AsyncOtlpOptions> table) => OtlpOptionRows.AddTo(table);

    public override void ReadEnvironment(AsyncOtlpOptions options, SinkEnvironment environment) => OtlpEnvironment.Read(options, environment);

    public override bool HasDefaultInstance(AsyncOtlpOptions options) => options.Endpoint is not null;

    public override void Resolve(AsyncOtlpOptions options, InstanceResolution resolution)
    {
        // What is wrong was told; then there is nothing to resolve.
        if (OtlpEndpoint.Rule(options.Endpoint) is null)
            options.Endpoint = OtlpEndpoint.Resolve(options);
        var variables = options.Variables;
        options.ServiceName ??= NameIn(options.ResourceAttributes) ?? variables.ServiceName ?? variables.ResourceAttributes.GetValueOrDefault(ServiceNameKey)
            ?? variables.HostApplicationName ?? OtlpResource.UnknownService();
        foreach (var (key, value) in variables.ResourceAttributes)
            options.ResourceAttributes.TryAdd(key, value);
        if (options.MaxExportBatchSize <= options.MaxQueueLength)
            return;
        // Not reported for the default: it was not configured.
        if (options.MaxExportBatchSize != DefaultBatchSize)
            variables.Warn("batch_size", string.Create(CultureInfo.InvariantCulture, $"MaxExportBatchSize {options.MaxExportBatchSize} is more than MaxQueueLength: {options.MaxQueueLength} is used."));
        options.MaxExportBatchSize = options.MaxQueueLength;
    }

    public override string Summarize(AsyncOtlpOptions options) =>
        $"{OtlpProtocolNames.Of(options.Protocol)}, gzip {(options.Compression == OtlpCompression.Gzip ? "on" : "off")}";

    public override RecordLayout LayoutOf(AsyncOtlpOptions options, RecordLayout layout) => layout with { Template = null, Custom = OtlpLayout.From(options) };

    public override void Apply(ILogSink sink, AsyncOtlpOptions options) => OtlpSinkFactory.Apply(sink, options);

    public override Backoff BackoffOf(AsyncOtlpOptions options) => new(options.RetryDelay, options.MaxRetryDelay, HasJitter: true);

    public override TimeSpan BatchDelayOf(AsyncOtlpOptions options) => options.ScheduledDelay;

    public override int SegmentSizeOf(AsyncOtlpOptions options)
        => (int)Math.Clamp((long)options.MaxExportBatchSize * TypicalRecordBytes, SmallestSegment, int.MaxValue);

    private static string? NameIn(IDictionary<string, string> attributes) => attributes.TryGetValue(ServiceNameKey, out var name) ? name : null;
}
