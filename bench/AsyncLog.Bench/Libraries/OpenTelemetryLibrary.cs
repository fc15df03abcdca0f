using Microsoft.Extensions.Logging;
using OpenTelemetry;

namespace AsyncLog.Bench;

/// <summary>OpenTelemetry's batch processor in front of an exporter that only counts: the pure cost of its caller and queue.</summary>
internal sealed class OpenTelemetryLibrary : ILibrary
{
    private const int TunedQueue = 262_144;
    private const int DefaultQueue = 2_048;

    private readonly CountingExporter _exporter = new();
    private readonly BatchLogRecordExportProcessor _processor;

    private readonly bool _hasScopes;

    private OpenTelemetryLibrary(LibrarySetup setup, Func<BaseExporter<OpenTelemetry.Logs.LogRecord>, BatchLogRecordExportProcessor> processor, int queueLength)
    {
        _processor = processor(_exporter);
        _hasScopes = setup.HasScopes;
        Room = queueLength / 2;
    }

    public int Room { get; }

    /// <summary>A long queue, exported every 100 ms or when a batch is full. The pool holds 2,048 records: a batch of more, or a delay in which more come, has records made anew.</summary>
    public static OpenTelemetryLibrary Tuned(LibrarySetup setup, int batchSize) => new(
        setup,
        exporter => new BatchLogRecordExportProcessor(exporter, TunedQueue, scheduledDelayMilliseconds: 100, exporterTimeoutMilliseconds: 30_000, maxExportBatchSize: batchSize),
        TunedQueue);

    /// <summary>As the processor comes: a queue of 2,048, exported every 5 s or when 512 are there.</summary>
    public static OpenTelemetryLibrary Default(LibrarySetup setup) => new(setup, static exporter => new BatchLogRecordExportProcessor(exporter), DefaultQueue);

    public void AddTo(ILoggingBuilder builder) => builder.AddOpenTelemetry(options =>
    {
        options.IncludeScopes = _hasScopes;
        options.IncludeFormattedMessage = false;
        options.AddProcessor(_processor);
    });

    public void Drain(IServiceProvider services) => _processor.ForceFlush(60_000);

    public void Verify(WrittenLines expected)
    {
        if (_exporter.Count != expected.Count)
            throw new InvalidOperationException($"OpenTelemetry exported {_exporter.Count} of {expected.Count} records");
    }

    public void Dispose()
    {
        _processor.Dispose();
        _exporter.Dispose();
    }

    private sealed class CountingExporter : BaseExporter<OpenTelemetry.Logs.LogRecord>
    {
        // exporting thread only, read after dispose
        public long Count { get; private set; }

        public override ExportResult Export(in Batch<OpenTelemetry.Logs.LogRecord> batch)
        {
            Count += batch.Count;
            return ExportResult.Success;
        }
    }
}
