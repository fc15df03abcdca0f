using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;

namespace AsyncLog.Bench;

/// <summary>OpenTelemetry .NET's own exporter over HTTP/protobuf behind its batch processor. It drops when its queue is full.</summary>
internal sealed class OpenTelemetryOtlpLibrary(LibrarySetup setup, bool withMessage, int batchSize = OpenTelemetryOtlpLibrary.BatchSize) : ILibrary
{
    public const int QueueLength = 262_144;
    public const int BatchSize = 8_192;
    private const int DrainTimeout = 60_000;

    public static readonly TimeSpan ScheduledDelay = TimeSpan.FromMilliseconds(100);

    public void AddTo(ILoggingBuilder builder) => builder.AddOpenTelemetry(options =>
    {
        options.IncludeScopes = false;
        options.IncludeFormattedMessage = withMessage;
        options.AddOtlpExporter((exporter, processor) =>
        {
            exporter.Endpoint = setup.Collector!;
            exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
            processor.BatchExportProcessorOptions.MaxQueueSize = QueueLength;
            processor.BatchExportProcessorOptions.MaxExportBatchSize = batchSize;
            processor.BatchExportProcessorOptions.ScheduledDelayMilliseconds = (int)ScheduledDelay.TotalMilliseconds;
        });
    });

    /// <summary>The library with the endpoint and the protocol set and nothing else.</summary>
    public static ILibrary WithDefaults(LibrarySetup setup) => new DefaultsLibrary(builder => builder.AddOpenTelemetry(options => options.AddOtlpExporter(exporter =>
    {
        exporter.Endpoint = setup.Collector!;
        exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
    })));

    public void Drain(IServiceProvider services)
    {
        if (!services.GetRequiredService<LoggerProvider>().ForceFlush(DrainTimeout))
            throw new InvalidOperationException("OpenTelemetry did not drain");
    }

    public void Dispose()
    {
        // the container owns everything
    }
}
