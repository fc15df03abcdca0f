using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog;

/// <summary>Reads a buffered record, logged later by Microsoft.Extensions.Telemetry, into an event with the record's time, ids and texts.</summary>
internal static class BufferedEvents
{
    /// <summary>Fills an event. Never throws; an exception of the record is counted in the event and leaves a placeholder.</summary>
    /// <param name="record">The record.</param>
    /// <param name="level">Its level.</param>
    /// <param name="utcTicks">The time, used if the record's own cannot be read.</param>
    /// <param name="category">The logger's category.</param>
    /// <param name="messageLimit">The maximum number of bytes of the message.</param>
    /// <param name="target">The event.</param>
    public static void Read(BufferedLogRecord record, LogLevel level, long utcTicks, LogCategory category, int messageLimit, LogEvent target)
    {
        target.Begin(utcTicks, level, category, default, null, null, messageLimit);
        try
        {
            target.Begin(record.Timestamp.UtcTicks, level, category, record.EventId, null, null, messageLimit);
            target.SetBuffered(record.Exception, record.ActivityTraceId, record.ActivitySpanId, record.ManagedThreadId);
            ReadAttributes(record, target);
            target.SetMessage(record.FormattedMessage ?? target.MessageTemplate);
        }
        catch (Exception exception)
        {
            target.CountRenderError(exception);
            target.SetMessage(MessageRenderer.Placeholder(null, exception));
        }
    }

    private static void ReadAttributes(BufferedLogRecord record, LogEvent target)
    {
        string? template = null;
        var attributes = record.Attributes;
        if (attributes is not null && PairReader.ReadList(ref attributes, PairReader.MaxPairs, target.State, ref template) is not null)
            target.RenderErrors++;
        target.TakeExceptionAttributes();
        target.SetTemplate(record.MessageTemplate ?? template);
    }
}
