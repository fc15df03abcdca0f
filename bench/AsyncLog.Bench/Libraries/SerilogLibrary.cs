using System.Globalization;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Core;
using Serilog.Sinks.Async;

namespace AsyncLog.Bench;

/// <summary>Serilog, asynchronous, buffered file: its fast configuration, never losing.</summary>
internal sealed class SerilogLibrary : ILibrary, IAsyncLogEventSinkMonitor
{
    private readonly ILoggerFactory _factory;
    private IAsyncLogEventSinkInspector? _queue;

    public SerilogLibrary(string directory)
    {
        Files = [Path.Combine(directory, "serilog.log")];
        var serilog = Configure(Files[0]);
        _factory = LoggerFactory.Create(builder => builder.AddSerilog(serilog, dispose: true));
        Logger = _factory.CreateLogger(OrderLog.Category);
    }

    public Microsoft.Extensions.Logging.ILogger Logger { get; }

    public int Room => 50_000;

    public IReadOnlyList<string> Files { get; }

    // the last record may still be in the worker's hands when the queue is empty; it is one of thousands
    public void Drain() => SpinWait.SpinUntil(() => _queue!.Count == 0, TimeSpan.FromSeconds(30));

    public void StartMonitoring(IAsyncLogEventSinkInspector inspector) => _queue = inspector;

    public void StopMonitoring(IAsyncLogEventSinkInspector inspector)
    {
        // the queue is read until the end
    }

    public void Dispose() => _factory.Dispose();

    private Logger Configure(string path) => new LoggerConfiguration()
        .MinimumLevel.Information()
        .WriteTo.Async(
            sinks => sinks.File(
                path,
                outputTemplate: "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} [{Level:u4}] [{SourceContext}] {Message:lj}{NewLine}{Exception}",
                formatProvider: CultureInfo.InvariantCulture,
                buffered: true,
                fileSizeLimitBytes: null,
                retainedFileCountLimit: null),
            monitor: this,
            bufferSize: 100_000,
            blockWhenFull: true)
        .CreateLogger();
}
