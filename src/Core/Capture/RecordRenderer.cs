using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Lets a formatter write one record and makes sure that there is one: a placeholder stands for what failed or is too long.</summary>
internal static class RecordRenderer
{
    /// <summary>How many times the bound of a record is rendered before a formatter stops, so that the true length is mostly known.</summary>
    public const int LimitFactor = 4;

    private static readonly LogCategory OwnCategory = new(Notice.Category);

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
        logEvent.WasCut = false;
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
            logEvent.WasCut = true;
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

    private static void Replace(RecordBuffer record, string text)
    {
        record.Reset(record.Limit);
        var writer = new Utf8Writer(record);
        writer.Write(text);
        writer.Flush();
    }
}
