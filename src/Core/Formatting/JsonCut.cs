using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Writes a JSON record that is larger than its limit: shares the room among message, properties and exception, and stays well-formed.</summary>
internal sealed class JsonCut(JsonRecordLayout layout, int limit)
{
    private const int Quotes = 2;

    public void Write(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long original)
    {
        var start = output.Length;
        var writer = new Utf8Writer(output);
        layout.WriteStart(ref writer, logEvent, scratch);
        layout.WriteHead(ref writer, logEvent, limit / JsonFormatter.NameShare, scratch);
        writer.Flush();
        byte[] end = [.. Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $",\"Truncated\":{original}}}")), .. layout.NewLine];
        var exception = logEvent.ExceptionText;
        var room = limit - (output.Length - start) - 1 - MeasureBetween(logEvent, scratch) - end.Length
            - (exception is null ? 0 : layout.ExceptionKey.Length + Quotes);
        var share = Share(room, logEvent, exception, scratch);

        RenderText(logEvent.Message, scratch);
        AppendText(output, scratch.Piece, MessageSize(logEvent, scratch), share.Message);
        writer = new Utf8Writer(output);
        layout.WriteMiddle(ref writer, logEvent);
        writer.Flush();
        if (exception is not null)
        {
            output.Append(layout.ExceptionKey);
            output.Append("\""u8);
            RenderException(exception, scratch);
            AppendText(output, scratch.Piece, scratch.Piece.Total, share.Exception);
        }
        writer = new Utf8Writer(output);
        WriteTail(ref writer, logEvent, scratch);
        writer.Flush();
        output.Append(scratch.Kept.WrittenSpan);
        output.Append(end);
        logEvent.WasTruncated = true;
    }

    /// <summary>Shares the room; leaves the properties and scopes that fit in the scratch.</summary>
    private TruncationBudget Share(int room, LogEvent logEvent, string? exception, FormatScratch scratch)
    {
        RenderText(logEvent.Message, scratch);
        var messageSize = MessageSize(logEvent, scratch);
        long exceptionSize = 0;
        if (exception is not null)
        {
            RenderException(exception, scratch);
            exceptionSize = scratch.Piece.Total;
        }
        var marks = new JsonMarks();
        var kept = scratch.Kept;
        RenderProperties(logEvent, kept, marks, scratch);
        var share = TruncationBudget.Share(room, messageSize, kept.Total, exceptionSize);
        if (kept.Total <= share.Properties)
            return share;
        JsonCutProperties.Shorten(kept, marks.All, share.Properties);
        return TruncationBudget.Share(room, messageSize, kept.Length, exceptionSize);
    }

    private void RenderProperties(LogEvent logEvent, RecordBuffer kept, JsonMarks marks, FormatScratch scratch)
    {
        kept.Reset(limit);
        scratch.Marks = marks;
        try
        {
            var writer = new Utf8Writer(kept);
            layout.WriteProperties(ref writer, logEvent, scratch);
            layout.WriteScopes(ref writer, logEvent, scratch);
            writer.Flush();
        }
        finally
        {
            scratch.Marks = null;
        }
    }

    private static long MessageSize(LogEvent logEvent, FormatScratch scratch)
        => scratch.Piece.Total + logEvent.MessageLength - logEvent.Message.Length;

    /// <summary>The length of what stands between message, exception and properties.</summary>
    private int MeasureBetween(LogEvent logEvent, FormatScratch scratch)
    {
        scratch.Aligned.Reset(limit);
        var writer = new Utf8Writer(scratch.Aligned);
        layout.WriteMiddle(ref writer, logEvent);
        WriteTail(ref writer, logEvent, scratch);
        writer.Flush();
        return scratch.Aligned.Length;
    }

    private void WriteTail(ref Utf8Writer writer, LogEvent logEvent, FormatScratch scratch)
    {
        layout.WriteTail(ref writer, logEvent);
        layout.WriteSource(ref writer, logEvent, limit / JsonFormatter.NameShare, scratch);
    }

    private void RenderText(ReadOnlySpan<byte> text, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        Escaping.Write(ref writer, text, EscapeStyle.Json);
        writer.Flush();
    }

    private void RenderException(string text, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        Escaping.Write(ref writer, scratch.Bounded(text), EscapeStyle.Json);
        writer.Flush();
    }

    /// <summary>Appends a string whose opening quote is there.</summary>
    private static void AppendText(RecordBuffer output, RecordBuffer text, long total, int budget)
    {
        Truncation.Append(output, text.WrittenSpan, total, budget, EscapeStyle.Json);
        output.Append("\""u8);
    }
}
