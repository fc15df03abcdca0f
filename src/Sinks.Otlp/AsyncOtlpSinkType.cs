using System.Globalization;

namespace AsyncLog;

/// <summary>What AsyncLog has to know of the OTLP sink.</summary>
internal static class AsyncOtlpSinkType
{
    // A request of records is worth its round trip: far larger than what other sinks write at once.
    private const int SegmentBytes = 512 << 10;

    /// <param name="createSink">Makes the sink of resolved options; null: <see cref="OtlpSinkFactory"/>.</param>
    public static SinkType<AsyncOtlpOptions> Create(Func<AsyncOtlpOptions, SinkContext, ILogSink>? createSink = null)
    {
        createSink ??= OtlpSinkFactory.Create;
        return new SinkType<AsyncOtlpOptions>("otlp", createSink)
        {
            ChildrenKey = "Collectors",
            RegistrationMethod = "AddAsyncOtlp",
            TargetKey = nameof(AsyncOtlpOptions.Endpoint),
            Formats = ["Otlp"],
            DefaultFormat = "Otlp",
            AcceptsFormatters = false,
            HasTarget = static options => options.Endpoint is not null,
            Summary = SummaryOf,
            Backoff = static options => new Backoff(options.RetryDelay, options.MaxRetryDelay, HasJitter: true),
            BatchDelay = static options => options.ScheduledDelay,
            SegmentSize = static _ => SegmentBytes,
        };
    }

    private static string SummaryOf(AsyncOtlpOptions options) => string.Create(
        CultureInfo.InvariantCulture, $"{OtlpProtocolNames.Of(options.Protocol)}, at most {options.MaxExportBatchSize} records a request, every {options.ScheduledDelay.TotalMilliseconds} ms");
}
