using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Writes a JSON record that is larger than its limit: shares the room among message, properties and exception, and stays well-formed.</summary>
internal sealed class JsonCut(JsonLayout layout, int limit)
{
    /// <summary>Names from the application may have this part of the record each.</summary>
    private const int NameShare = 8;
    private const int Quotes = 2;

    public void Write(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long original)
    {
        var errors = scratch.Errors;
        var start = output.Length;
        var writer = new Utf8Writer(output);
        layout.WriteHead(ref writer, logEvent, limit / NameShare, scratch);
        writer.Flush();
        byte[] tail = [.. Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $",\"Truncated\":{original}}}")), .. layout.NewLine];
        var exception = logEvent.ExceptionText;
        var room = limit - (output.Length - start) - Quotes - MeasureTrace(logEvent, scratch) - tail.Length
            - (exception is null ? 0 : JsonLayout.ExceptionKey.Length + Quotes);
        var share = Share(room, logEvent, exception, scratch);

        RenderMessage(logEvent, scratch);
        AppendString(output, scratch.Piece, MessageSize(logEvent, scratch), share.Message);
        writer = new Utf8Writer(output);
        JsonLayout.WriteTrace(ref writer, logEvent);
        writer.Flush();
        if (exception is not null)
        {
            output.Append(JsonLayout.ExceptionKey);
            RenderException(exception, scratch);
            AppendString(output, scratch.Piece, scratch.Piece.Total, share.Exception);
        }
        output.Append(scratch.Kept.WrittenSpan);
        output.Append(tail);
        // Values were rendered again; what threw in them is one error each all the same.
        scratch.Errors = errors;
        scratch.Trim();
    }

    /// <summary>Shares the room; leaves the properties and scopes that fit in the scratch.</summary>
    private CutBudget Share(int room, LogEvent logEvent, string? exception, FormatScratch scratch)
    {
        RenderMessage(logEvent, scratch);
        var messageSize = MessageSize(logEvent, scratch);
        long exceptionSize = 0;
        if (exception is not null)
        {
            RenderException(exception, scratch);
            exceptionSize = scratch.Piece.Total;
        }
        var kept = scratch.Kept;
        kept.Reset(limit);
        var writer = new Utf8Writer(kept);
        JsonLayout.WriteState(ref writer, logEvent, scratch);
        layout.WriteScopes(ref writer, logEvent, scratch);
        writer.Flush();
        var share = CutBudget.Share(room, messageSize, kept.Total, exceptionSize);
        if (kept.Total <= share.Properties)
            return share;
        kept.Reset(limit);
        new JsonCutProperties(layout, limit, share.Properties).Append(logEvent, kept, scratch);
        return CutBudget.Share(room, messageSize, kept.Length, exceptionSize);
    }

    private static long MessageSize(LogEvent logEvent, FormatScratch scratch)
        => scratch.Piece.Total + logEvent.MessageLength - logEvent.Message.Length;

    private int MeasureTrace(LogEvent logEvent, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        JsonLayout.WriteTrace(ref writer, logEvent);
        writer.Flush();
        return scratch.Piece.Length;
    }

    private void RenderMessage(LogEvent logEvent, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        Escaping.Write(ref writer, logEvent.Message, EscapeStyle.Json);
        writer.Flush();
    }

    private void RenderException(string text, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        Escaping.Write(ref writer, scratch.Bounded(text), EscapeStyle.Json);
        writer.Flush();
    }

    private static void AppendString(RecordBuffer output, RecordBuffer text, long total, int budget)
    {
        output.Append("\""u8);
        TextEnd.Append(output, text.WrittenSpan, total, budget, EscapeStyle.Json);
        output.Append("\""u8);
    }
}
