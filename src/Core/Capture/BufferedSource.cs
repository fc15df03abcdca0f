using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog;

/// <summary>A record that somebody buffered (log buffering of dotnet/extensions) and now hands on.</summary>
internal readonly struct BufferedSource(BufferedLogRecord record) : IEventSource
{
    public void Fill(LogEvent logEvent, SinkLogger logger, int messageLimit)
        => BufferedEvents.Read(record, logger.Category, logger.CategoryUtf8, messageLimit, logEvent);
}
