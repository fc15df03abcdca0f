using System.Globalization;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Events;

namespace AsyncLog.Bench;

/// <summary>Serilog's file sink on the caller's thread: as it comes, with one flush per event, or buffered.</summary>
internal sealed class SerilogSynchronousLibrary(LibrarySetup setup, bool isBuffered) : ILibrary
{
    public IReadOnlyList<string> Files { get; } = [setup.PathOf("serilog.log")];

    public void AddTo(ILoggingBuilder builder) => builder.AddSerilog(
        new LoggerConfiguration()
            .MinimumLevel.Information()
            // its provider passes MEL's filters by: without this the web mode would have the framework's own lines
            .MinimumLevel.Override("Microsoft", LogEventLevel.Warning)
            .WriteTo.File(
                Files[0],
                outputTemplate: SerilogLibrary.Line,
                formatProvider: CultureInfo.InvariantCulture,
                buffered: isBuffered,
                fileSizeLimitBytes: null,
                retainedFileCountLimit: null)
            .CreateLogger(),
        dispose: true);

    public void Dispose()
    {
        // the provider owns the logger
    }
}
