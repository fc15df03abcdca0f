using System.Globalization;
using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Renders one record and guarantees that there is one: an error record takes the place of one that failed, is empty or is too long.</summary>
internal static class RecordRenderer
{
    /// <summary>How many times the bound of a record is rendered before a formatter stops, so that the true length is mostly known.</summary>
    public const int LimitFactor = 4;

    private static readonly LogCategory OwnCategory = new(Notice.Category);

    /// <summary>Renders an event.</summary>
    /// <param name="formatter">The layout.</param>
    /// <param name="logEvent">The event; has afterwards whether it was truncated and the number of its render errors.</param>
    /// <param name="record">The bytes; 1 to <paramref name="maxRecordSize"/> of them afterwards.</param>
    /// <param name="maxRecordSize">The bound.</param>
    // Not inlined: with the hand-over in one method, the compiler's budget for inlining would end in the middle of both.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Render(ILogFormatter formatter, LogEvent logEvent, RecordBuffer record, int maxRecordSize)
    {
        record.Reset(maxRecordSize * LimitFactor);
        logEvent.MaxRecordSize = maxRecordSize;
        logEvent.WasTruncated = false;
        logEvent.PropertiesLeftOut = 0;
        try
        {
            formatter.Format(logEvent, record);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            logEvent.CountRenderError(exception);
            WriteError(formatter, logEvent, record, maxRecordSize, $"<error formatting record: {exception.GetType().FullName}>");
            return;
        }

        if (record.Total > maxRecordSize)
        {
            logEvent.WasTruncated = true;
            WriteError(
                formatter, logEvent, record, maxRecordSize, string.Create(CultureInfo.InvariantCulture, $"<record of {record.Total} bytes exceeds MaxRecordSize>"));
        }
        else if (record.Total == 0)
        {
            logEvent.RenderErrors++;
            WriteError(formatter, logEvent, record, maxRecordSize, "<empty record>");
        }
    }

    /// <summary>Renders a record of AsyncLog's own on a thread of AsyncLog.</summary>
    /// <returns>The bytes; empty when no event could be had.</returns>
    public static byte[] RenderNotice(RecordRoute route, Notice notice, long utcTicks)
    {
        var context = CaptureContext.Current;
        if (!context.TryEnter(out var logEvent, out var record))
            return [];
        try
        {
            logEvent.Begin(utcTicks, notice.Level, OwnCategory, notice.EventId, null, null, route.MaxRecordSize * LimitFactor);
            StateReader<Notice>.Instance.Read(ref notice, Notice.Formatter, null, logEvent);
            Render(route.Formatter, logEvent, record, route.MaxRecordSize);
            return record.WrittenSpan.ToArray();
        }
        finally
        {
            context.Exit();
        }
    }

    private static void WriteError(ILogFormatter formatter, LogEvent logEvent, RecordBuffer record, int maxRecordSize, string error)
    {
        record.Reset(record.Limit);
        try
        {
            formatter.FormatError(logEvent, error, record);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // Counted already, with what failed first: An_error_record_that_fails_too_is_a_line_of_text.
            record.Reset(record.Limit);
        }

        if (record.Total is not 0 && record.Total <= maxRecordSize)
            return;
        record.Reset(record.Limit);
        var writer = new Utf8Writer(record);
        // The name of a type may be longer than a record.
        writer.Write(error.Length * 3 < maxRecordSize ? error : "<error formatting record>");
        writer.Write((byte)'\n');
        writer.Flush();
    }
}
