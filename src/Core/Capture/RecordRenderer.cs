using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Lets a formatter write one record and makes sure that there is one: a placeholder stands for what failed or is too long.</summary>
internal static class RecordRenderer
{
    /// <summary>How many times the bound of a record is rendered before a formatter stops, so that the true length is mostly known.</summary>
    public const int LimitFactor = 4;

    private static readonly LogCategory OwnCategory = new(NoticeRecord.Category);

    /// <summary>Renders an event.</summary>
    /// <param name="formatter">The layout.</param>
    /// <param name="logEvent">The event; tells afterwards whether it was cut and how many placeholders it needed.</param>
    /// <param name="record">The bytes; 1 to <paramref name="maxRecordSize"/> of them afterwards.</param>
    /// <param name="maxRecordSize">The bound.</param>
    // Not inlined: with the hand-over in one method, the compiler's budget for inlining would end in the middle of both.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Render(ILogFormatter formatter, LogEvent logEvent, RecordBuffer record, int maxRecordSize)
    {
        record.Reset(maxRecordSize * LimitFactor);
        logEvent.WasTruncated = false;
        logEvent.PropertiesLeftOut = 0;
        try
        {
            formatter.Format(logEvent, record);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            logEvent.CountRenderError(exception);
            Replace(record, $"<error formatting record: {exception.GetType().FullName}>\n");
        }

        if (record.Total > maxRecordSize)
        {
            logEvent.WasTruncated = true;
            Replace(record, string.Create(System.Globalization.CultureInfo.InvariantCulture, $"<record of {record.Total} bytes exceeds MaxRecordSize>\n"));
        }
        else if (record.Total == 0)
        {
            logEvent.RenderErrors++;
            Replace(record, "<empty record>\n");
        }
    }

    /// <summary>Renders a record of AsyncLog's own on a thread of AsyncLog.</summary>
    /// <returns>The bytes; empty when no event could be had.</returns>
    public static byte[] RenderOwn(SinkInstance instance, SinkRoute route, LogLevel level, EventId eventId, OwnState state, Exception? exception)
    {
        var context = CaptureContext.Current;
        if (!context.TryEnter(out var logEvent, out var record))
            return [];
        try
        {
            logEvent.Begin(
                instance.TimeProvider.GetUtcNow().UtcTicks, level, OwnCategory, eventId, exception, null, route.MaxRecordSize * LimitFactor);
            StateReader<OwnState>.Instance.Read(ref state, OwnState.Formatter, exception, logEvent);
            Render(route.Formatter, logEvent, record, route.MaxRecordSize);
            return record.WrittenSpan.ToArray();
        }
        finally
        {
            context.Exit();
        }
    }

    private static void Replace(RecordBuffer record, string text)
    {
        record.Reset(record.Limit);
        var writer = new Utf8Writer(record);
        writer.Write(text);
        writer.Flush();
    }
}
