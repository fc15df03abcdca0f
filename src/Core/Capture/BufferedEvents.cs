using System.Diagnostics;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog;

/// <summary>Fills an event from a record that was buffered before.</summary>
internal static class BufferedEvents
{
    public static void Fill(BufferedLogRecord record, LogEvent target, string category, byte[] categoryUtf8, int messageLimit)
    {
        target.Begin(record.Timestamp.UtcTicks, record.LogLevel, category, categoryUtf8, record.EventId, null, null, messageLimit);
        foreach (var (key, value) in record.Attributes)
        {
            if (key == StateKeys.OriginalFormat)
                target.MessageTemplate = value as string;
            else if (key is not null)
                target.AddProperty(key, LogValue.FromObject(value));
        }

        target.MessageTemplate ??= record.MessageTemplate;
        target.SetMessage(record.FormattedMessage);
        target.ExceptionText = record.Exception;
        target.SetTrace(record.ActivityTraceId ?? default, record.ActivitySpanId ?? default, ActivityTraceFlags.None);
        if (record.ManagedThreadId is { } thread)
            target.ThreadId = thread;
    }
}
