using Microsoft.Extensions.Logging;
using OpenTelemetry;

namespace AsyncLog.Bench;

/// <summary>OpenTelemetry's batch processor in front of an exporter that only counts: the pure cost of its caller and queue.</summary>
internal sealed class OpenTelemetryLibrary : ILibrary
{
    private const int QueueLength = 262_144;

    private readonly CountingExporter _exporter = new();
    private BatchLogRecordExportProcessor? _processor;

    public int Room => QueueLength / 2;

    public void AddTo(ILoggingBuilder builder)
    {
        _processor = new BatchLogRecordExportProcessor(
            _exporter, QueueLength, scheduledDelayMilliseconds: 100, exporterTimeoutMilliseconds: 30_000, maxExportBatchSize: 8_192);
        builder.AddOpenTelemetry(options =>
        {
            options.IncludeScopes = false;
            options.IncludeFormattedMessage = false;
            options.AddProcessor(_processor);
        });
    }

    public void Drain(IServiceProvider services) => _processor!.ForceFlush(60_000);

    public void Verify(WrittenLines expected)
    {
        if (_exporter.Count != expected.Count)
            throw new InvalidOperationException($"OpenTelemetry exported {_exporter.Count} of {expected.Count} records");
    }

    public void Dispose()
    {
        _processor?.Dispose();
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
