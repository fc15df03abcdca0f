using System.Globalization;

namespace AsyncLog;

/// <summary>What AsyncLog has to know of the OTLP sink.</summary>
internal static class AsyncOtlpSinkType
{
    private const string ServiceNameKey = "service.name";
    private const int DefaultBatchSize = 512;

    // A request of records is worth its round trip: far larger than what other sinks write at once. It takes its records from one segment, so whoever
    // wants more in a request gets larger ones, as far as the queue's memory goes.
    private const int SmallestSegment = 512 << 10;
    private const int TypicalRecordBytes = 512;

    /// <param name="createSink">Makes the sink of resolved options; null: <see cref="OtlpSinkFactory"/>.</param>
    public static SinkType<AsyncOtlpOptions> Create(Func<AsyncOtlpOptions, SinkContext, ILogSink>? createSink = null)
    {
        createSink ??= OtlpSinkFactory.Create;
        return new SinkType<AsyncOtlpOptions>("otlp", (options, context) =>
        {
            OtlpWarnings.Report(options, context);
            return createSink(options, context);
        })
        {
            ChildrenKey = "Collectors",
            RegistrationMethod = "AddAsyncOtlp",
            TargetKey = nameof(AsyncOtlpOptions.Endpoint),
            Formats = ["Otlp"],
            DefaultFormat = "Otlp",
            AcceptsFormatters = false,
            ReadEnvironment = OtlpEnvironment.Read,
            Describe = OtlpOptionRows.AddTo,
            HasDefault = static options => options.Endpoint is not null,
            Resolve = static (options, _) => Resolve(options),
            Summary = SummaryOf,
            Backoff = static options => new Backoff(options.RetryDelay, options.MaxRetryDelay, HasJitter: true),
            BatchDelay = static options => options.ScheduledDelay,
            SegmentSize = static options => (int)Math.Clamp((long)options.MaxExportBatchSize * TypicalRecordBytes, SmallestSegment, int.MaxValue),
            Apply = OtlpSinkFactory.Apply,
            Layout = static (options, layout) => layout with { Template = null, Custom = OtlpLayout.From(options) },
        };
    }

    private static void Resolve(AsyncOtlpOptions options)
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
        // The default is nobody's wish, so nobody has to hear of it.
        if (options.MaxExportBatchSize != DefaultBatchSize)
            variables.Warn("batch_size", string.Create(CultureInfo.InvariantCulture, $"MaxExportBatchSize {options.MaxExportBatchSize} is more than MaxQueueLength: {options.MaxQueueLength} is used."));
        options.MaxExportBatchSize = options.MaxQueueLength;
    }

    private static string? NameIn(IDictionary<string, string> attributes) => attributes.TryGetValue(ServiceNameKey, out var name) ? name : null;

    private static string SummaryOf(AsyncOtlpOptions options) =>
        $"{OtlpProtocolNames.Of(options.Protocol)}, gzip {(options.Compression == OtlpCompression.Gzip ? "on" : "off")}";
}
