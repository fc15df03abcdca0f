using System.Buffers;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>The JSON and CLEF layouts: one object a line, members in a fixed order.</summary>
internal sealed class JsonFormatter(JsonRecordLayout layout, int maxRecordSize) : RecordFormatter(maxRecordSize), ILogFormatter, ICallSiteFormatterFactory
{
    private const int Quotes = 2;

    // Each name from the application gets at most this part of a truncated record.
    private readonly int _maxNameLength = maxRecordSize / 8;

    /// <summary>Appends a record whose message is the error; it has nothing that comes from values.</summary>
    public void FormatError(LogEvent logEvent, string error, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(logEvent);
        ArgumentNullException.ThrowIfNull(output);
        var record = new RecordBuffer();
        var writer = new JsonWriter(record, logEvent, logEvent.Scratch);
        writer.Truncate(_maxNameLength);
        layout.WriteStart(ref writer);
        layout.WriteHead(ref writer);
        Escaping.Write(ref writer.Text, error, EscapeStyle.Json);
        writer.Text.Write((byte)'"');
        writer.Text.Write(layout.End);
        writer.End();
        output.Write(record.WrittenSpan);
    }

    /// <inheritdoc/>
    public CallSiteFormatter? CreateCallSiteFormatter(LogEvent logEvent, MessageTemplate message, StateValues values)
        => JsonCall.Create(logEvent, message, values, layout, MaxRecordSize, logEvent.Scratch);

    protected override void Render(LogEvent logEvent, RecordBuffer output, FormatScratch scratch)
    {
        var writer = new JsonWriter(output, logEvent, scratch);
        layout.WriteStart(ref writer);
        layout.WriteHead(ref writer);
        if (!logEvent.TryWriteMessage(ref writer.Text, EscapeStyle.Json))
            Escaping.Write(ref writer.Text, logEvent.Message, EscapeStyle.Json);
        writer.Text.Write((byte)'"');
        layout.WriteMiddle(ref writer);
        if (logEvent.HasException && logEvent.ExceptionText is { } exception)
        {
            writer.Text.Write(layout.ExceptionKey);
            JsonText.WriteString(ref writer.Text, scratch.Bounded(exception), EscapeStyle.Json);
        }
        layout.WriteTail(ref writer);
        layout.WriteSource(ref writer);
        layout.WriteProperties(ref writer);
        layout.WriteScopes(ref writer);
        writer.Text.Write(layout.End);
        writer.Text.Flush();
    }

    /// <summary>Appends a record within the limit: shares the room among message, properties and exception, and stays well-formed.</summary>
    protected override void RenderTruncated(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long length, bool isWhole)
    {
        var original = length + logEvent.MessageLength - logEvent.Message.Length;
        byte[] end = [.. Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $",\"Truncated\":{original}}}")), .. layout.NewLine];
        var start = output.Length;
        var writer = NewWriter(output, logEvent, scratch);
        layout.WriteStart(ref writer);
        layout.WriteHead(ref writer);
        writer.End();
        var exception = logEvent.ExceptionText;
        var room = MaxRecordSize - (output.Length - start) - 1 - MeasureBetween(logEvent, scratch) - end.Length
            - (exception is null ? 0 : layout.ExceptionKey.Length + Quotes);
        var share = Share(room, logEvent, exception, scratch);

        RenderString(logEvent.Message, scratch);
        AppendString(output, scratch.Part, MessageSize(logEvent, scratch), share.Message);
        writer = NewWriter(output, logEvent, scratch);
        layout.WriteMiddle(ref writer);
        writer.End();
        if (exception is not null)
        {
            output.Append(layout.ExceptionKey);
            output.Append("\""u8);
            RenderString(exception, scratch);
            AppendString(output, scratch.Part, scratch.Part.Total, share.Exception);
        }
        writer = NewWriter(output, logEvent, scratch);
        layout.WriteTail(ref writer);
        layout.WriteSource(ref writer);
        writer.End();
        output.Append(scratch.Kept.WrittenSpan);
        output.Append(end);
        logEvent.WasTruncated = true;
    }

    /// <summary>Shares the room; leaves the properties and scopes that fit in the scratch.</summary>
    private TruncationBudget Share(int room, LogEvent logEvent, string? exception, FormatScratch scratch)
    {
        RenderString(logEvent.Message, scratch);
        var messageSize = MessageSize(logEvent, scratch);
        long exceptionSize = 0;
        if (exception is not null)
        {
            RenderString(exception, scratch);
            exceptionSize = scratch.Part.Total;
        }
        var kept = scratch.Kept;
        RenderMembers(logEvent, scratch, int.MaxValue);
        var share = TruncationBudget.Share(room, messageSize, kept.Total, exceptionSize);
        if (kept.Total <= share.Properties)
            return share;
        RenderMembers(logEvent, scratch, share.Properties);
        return TruncationBudget.Share(room, messageSize, kept.Length, exceptionSize);
    }

    private void RenderMembers(LogEvent logEvent, FormatScratch scratch, int budget)
    {
        scratch.Kept.Reset(MaxRecordSize);
        var writer = new JsonWriter(scratch.Kept, logEvent, scratch);
        writer.Truncate(_maxNameLength, budget);
        layout.WriteProperties(ref writer);
        layout.WriteScopes(ref writer);
        writer.End();
    }

    /// <summary>The length of everything between message, exception and properties.</summary>
    private int MeasureBetween(LogEvent logEvent, FormatScratch scratch)
    {
        scratch.Aligned.Reset(MaxRecordSize);
        var writer = NewWriter(scratch.Aligned, logEvent, scratch);
        layout.WriteMiddle(ref writer);
        layout.WriteTail(ref writer);
        layout.WriteSource(ref writer);
        writer.End();
        return scratch.Aligned.Length;
    }

    private JsonWriter NewWriter(RecordBuffer output, LogEvent logEvent, FormatScratch scratch)
    {
        var writer = new JsonWriter(output, logEvent, scratch);
        writer.Truncate(_maxNameLength);
        return writer;
    }

    private static long MessageSize(LogEvent logEvent, FormatScratch scratch)
        => scratch.Part.Total + logEvent.MessageLength - logEvent.Message.Length;

    private void RenderString(ReadOnlySpan<byte> text, FormatScratch scratch)
    {
        scratch.Part.Reset(MaxRecordSize);
        var writer = new Utf8Writer(scratch.Part);
        Escaping.Write(ref writer, text, EscapeStyle.Json);
        writer.Flush();
    }

    private void RenderString(string text, FormatScratch scratch)
    {
        scratch.Part.Reset(MaxRecordSize);
        var writer = new Utf8Writer(scratch.Part);
        Escaping.Write(ref writer, scratch.Bounded(text), EscapeStyle.Json);
        writer.Flush();
    }

    // The opening quote is there.
    private static void AppendString(RecordBuffer output, RecordBuffer text, long total, int budget)
    {
        Truncation.Append(output, text.WrittenSpan, total, budget, EscapeStyle.Json);
        output.Append("\""u8);
    }
}
