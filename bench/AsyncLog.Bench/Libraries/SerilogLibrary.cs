using System.Globalization;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Configuration;
using Serilog.Formatting.Compact;
using Serilog.Sinks.Async;

namespace AsyncLog.Bench;

/// <summary>Serilog to a file: buffered is its fast configuration, a flush per event what its packages have by default.</summary>
/// <param name="setup">What every library is given.</param>
/// <param name="isBuffered">True if it flushes when its buffer is full.</param>
/// <param name="queueLength">Events in the queue of its asynchronous sink, by default 10,000; null: it writes on the caller's thread.</param>
/// <param name="isJson">Whether it writes JSON with the message.</param>
internal sealed class SerilogLibrary(LibrarySetup setup, bool isBuffered, int? queueLength = null, bool isJson = false) : ILibrary, IAsyncLogEventSinkMonitor
{
    private const string Line = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} [{Level:u4}] [{SourceContext}] {Message:lj}{NewLine}{Exception}";

    private const string LineWithScopes = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff} [{Level:u4}] [{SourceContext}] {Message:lj} {Properties}{NewLine}{Exception}";

    private IAsyncLogEventSinkInspector? _queue;

    public int Room => queueLength / 2 ?? int.MaxValue;

    public IReadOnlyList<string> Files { get; } = [setup.PathOf("serilog.log")];

    public void AddTo(ILoggingBuilder builder)
    {
        var configuration = new LoggerConfiguration().MinimumLevel.Information();
        if (queueLength is { } length)
            configuration.WriteTo.Async(AddFile, monitor: this, bufferSize: length, blockWhenFull: !setup.Drops);
        else
            AddFile(configuration.WriteTo);
        builder.AddSerilog(configuration.CreateLogger(), dispose: true);
    }

    // the last record may still be in the worker's hands when the queue is empty; it is one of thousands
    public void Drain(IServiceProvider services) => SpinWait.SpinUntil(() => (_queue?.Count ?? 0) == 0, TimeSpan.FromSeconds(60));

    public void StartMonitoring(IAsyncLogEventSinkInspector inspector) => _queue = inspector;

    public void StopMonitoring(IAsyncLogEventSinkInspector inspector)
    {
        // the queue is read until the end
    }

    public void Dispose()
    {
        // the provider owns the logger
    }

    private void AddFile(LoggerSinkConfiguration sinks)
    {
        if (isJson)
            sinks.File(new RenderedCompactJsonFormatter(), Files[0], buffered: isBuffered, fileSizeLimitBytes: null, retainedFileCountLimit: null);
        else
            AddText(sinks);
    }

    private void AddText(LoggerSinkConfiguration sinks) => sinks.File(
        Files[0],
        outputTemplate: setup.HasScopes ? LineWithScopes : Line,
        formatProvider: CultureInfo.InvariantCulture,
        buffered: isBuffered,
        fileSizeLimitBytes: null,
        retainedFileCountLimit: null);
}
