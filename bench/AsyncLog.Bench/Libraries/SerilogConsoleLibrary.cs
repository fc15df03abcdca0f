using System.Globalization;
using Microsoft.Extensions.Logging;
using Serilog;
using Serilog.Events;

namespace AsyncLog.Bench;

/// <summary>Serilog's console sink behind its asynchronous one, as its documentation recommends for many lines: a queue of 10,000 that drops when it is full.</summary>
internal sealed class SerilogConsoleLibrary : ILibrary
{
    public void AddTo(ILoggingBuilder builder) => builder.AddSerilog(
        new LoggerConfiguration()
            .MinimumLevel.Information()
            // its provider passes MEL's filters by: without this the framework's own lines would be counted
            .MinimumLevel.Override("Microsoft", LogEventLevel.Warning)
            .WriteTo.Async(static sinks => sinks.Console(outputTemplate: SerilogLibrary.Line, formatProvider: CultureInfo.InvariantCulture))
            .CreateLogger(),
        dispose: true);

    public void Dispose()
    {
        // the provider owns the logger
    }
}
