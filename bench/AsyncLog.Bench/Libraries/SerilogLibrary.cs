using System.Globalization;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Events;
using Serilog.Sinks.Async;

namespace AsyncLog.Bench;

/// <summary>Serilog, asynchronous to a file: buffered is its fast configuration, a flush per event with a queue of 10,000 what its packages have by default.</summary>
internal sealed class SerilogLibrary(LibrarySetup setup, int queueLength, bool isBuffered) : ILibrary, IAsyncLogEventSinkMonitor
{
    /// <summary>The line of the record, byte for byte.</summary>
    public const string Line = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} [{Level:u4}] [{SourceContext}] {Message:lj}{NewLine}{Exception}";

    private IAsyncLogEventSinkInspector? _queue;

    public int Room => queueLength / 2;

    public IReadOnlyList<string> Files { get; } = [setup.PathOf("serilog.log")];

    public void AddTo(ILoggingBuilder builder) => builder.AddSerilog(
        new LoggerConfiguration()
            .MinimumLevel.Information()
            // its provider passes MEL's filters by: without this the web mode would have the framework's own lines
            .MinimumLevel.Override("Microsoft", LogEventLevel.Warning)
            .WriteTo.Async(
                sinks => sinks.File(
                    Files[0],
                    outputTemplate: Line,
                    formatProvider: CultureInfo.InvariantCulture,
                    buffered: isBuffered,
                    fileSizeLimitBytes: null,
                    retainedFileCountLimit: null),
                monitor: this,
                bufferSize: queueLength,
                blockWhenFull: !setup.Drops)
            .CreateLogger(),
        dispose: true);

    // the last record may still be in the worker's hands when the queue is empty; it is one of thousands
    public void Drain(IServiceProvider services) => SpinWait.SpinUntil(() => _queue!.Count == 0, TimeSpan.FromSeconds(60));

    public void StartMonitoring(IAsyncLogEventSinkInspector inspector) => _queue = inspector;

    public void StopMonitoring(IAsyncLogEventSinkInspector inspector)
    {
        // the queue is read until the end
    }

    public void Dispose()
    {
        // the provider owns the logger
    }
}
