using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Renders one event and offers the record to each route that takes it. Each route gets the record once, or counts the drop. Nearly all events have one route.</summary>
/// <remarks><paramref name="routes"/> are grouped by layout; <paramref name="first"/> is the first route that has not got the record; <paramref name="awaited"/> has the records for which the caller already waits.</remarks>
internal struct RecordDispatch(RecordRoute[] routes, LogLevel level, int category, int first = 0, AwaitedRecord? awaited = null)
{
    private int _next = first;
    private AwaitedRecord? _awaited = awaited;

    /// <summary>The records that the caller waits for, refused ones too; null: none.</summary>
    public readonly AwaitedRecord? Awaited => _awaited;

    /// <summary>True if the event is rendered in one layout only.</summary>
    public readonly bool HasOneLayout => routes.Length == 1 || IsSameLayout(routes[0], routes[^1]);

    /// <summary>Returns true if a record rendered for one route has the same bytes for the other.</summary>
    public static bool IsSameLayout(RecordRoute one, RecordRoute other)
        => ReferenceEquals(one.Formatter, other.Formatter) && one.MaxRecordSize == other.MaxRecordSize;

    /// <summary>Moves to the next route that admits the level now; counts the drop at the others.</summary>
    /// <returns>False when there is none.</returns>
    public bool MoveToAdmitted()
    {
        for (; _next < routes.Length; _next++)
        {
            if (routes[_next].Admits(level, ref _awaited))
                return true;
        }

        return false;
    }

    /// <summary>Renders the event for the current route and those after it, and offers the records.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void WriteAll(LogEvent logEvent)
    {
        Debug.Assert(_next < routes.Length, "MoveToAdmitted returned true.");
        RecordRoute? rendered = null;
        var captured = logEvent.RenderErrors;
        do
        {
            var route = routes[_next];
            if (rendered is null || !IsSameLayout(rendered, route))
            {
                logEvent.Restart(captured);
                RecordRenderer.Render(route.Formatter, logEvent, route.MaxRecordSize);
            }
            rendered = route;
            // A replaced route: the record is rendered again for its successor.
            while (!route.Write(logEvent.Record.WrittenSpan, level, logEvent.UtcTicks, category, logEvent, ref _awaited))
            {
                route = route.Successor!;
                logEvent.Restart(captured);
                RecordRenderer.Render(route.Formatter, logEvent, route.MaxRecordSize);
                rendered = null;
            }
            // From here on the record is counted, accepted or not. If an exception was thrown before, DropRest counts it at this route.
            _next++;
        }
        while (_next < routes.Length && MoveToAdmitted());
    }

    /// <summary>Counts the event as dropped at every route that it was not offered to.</summary>
    public void DropRest(DropReason reason)
    {
        for (; _next < routes.Length; _next++)
            routes[_next].Drop(reason, level, ref _awaited);
    }
}

/// <summary>Renders one record and guarantees that there is one: an error record takes the place of one that failed, is empty or is too long.</summary>
internal static class RecordRenderer
{
    /// <summary>A formatter may write this many times the bound of a record, so that the length of most truncated records is known.</summary>
    public const int LimitFactor = 4;

    private static readonly LogCategory OwnCategory = new(Notice.Category);

    /// <summary>Renders an event.</summary>
    /// <param name="logEvent">The event; has afterwards its record of 1 to <paramref name="maxRecordSize"/> bytes, whether it was truncated, and the number of its render errors.</param>
    // Not inlined: with the hand-over in one method, the compiler's budget for inlining would end in the middle of both.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Render(ILogFormatter formatter, LogEvent logEvent, int maxRecordSize)
    {
        var record = logEvent.Record;
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
            WriteError(formatter, logEvent, maxRecordSize, $"<error formatting record: {exception.GetType().FullName}>");
            return;
        }

        if (record.Total > maxRecordSize)
        {
            logEvent.WasTruncated = true;
            WriteError(
                formatter, logEvent, maxRecordSize, string.Create(CultureInfo.InvariantCulture, $"<record of {record.Total} bytes exceeds MaxRecordSize>"));
        }
        else if (record.Total == 0)
        {
            logEvent.RenderErrors++;
            WriteError(formatter, logEvent, maxRecordSize, "<empty record>");
        }
    }

    /// <summary>Renders a record of AsyncLog itself, on a thread of AsyncLog.</summary>
    /// <returns>The bytes; empty when the thread renders too deep already.</returns>
    public static byte[] RenderNotice(RecordRoute route, Notice notice, long utcTicks)
    {
        var context = CaptureContext.Current;
        if (!context.TryEnter())
            return [];
        try
        {
            var logEvent = context.Event;
            logEvent.Begin(utcTicks, notice.Level, OwnCategory, notice.EventId, null, null, route.MaxRecordSize * LimitFactor);
            StateReader<Notice>.Instance.Read(ref notice, Notice.Formatter, logEvent);
            Render(route.Formatter, logEvent, route.MaxRecordSize);
            return logEvent.Record.WrittenSpan.ToArray();
        }
        finally
        {
            context.Exit();
        }
    }

    private static void WriteError(ILogFormatter formatter, LogEvent logEvent, int maxRecordSize, string error)
    {
        var record = logEvent.Record;
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
