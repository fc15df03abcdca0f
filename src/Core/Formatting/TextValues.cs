using System.Buffers;

namespace AsyncLog;

/// <summary>Writes messages and values into a text record.</summary>
/// <param name="style">How they are escaped.</param>
/// <param name="lineBreak">What a line break becomes, or null when it is escaped like other control characters.</param>
internal sealed class TextValues(EscapeStyle style, byte[]? lineBreak)
{
    private static readonly SearchValues<byte> Quoted = SearchValues.Create(" =\""u8);

    public void Write(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8)
    {
        if (lineBreak is null)
            Escaping.Write(ref writer, utf8, style);
        else
            Escaping.WriteLines(ref writer, utf8, lineBreak);
    }

    public void Write(ref Utf8Writer writer, scoped ReadOnlySpan<char> text)
    {
        if (lineBreak is null)
            Escaping.Write(ref writer, text, style);
        else
            Escaping.WriteLines(ref writer, text, lineBreak);
    }

    public void Write(ref Utf8Writer writer, in LogValue value, string? format, FormatScratch scratch)
    {
        if (format is null && ValueText.TryWriteClean(ref writer, value))
            return;
        if (value.Kind == LogValueKind.String)
            Write(ref writer, scratch.Bounded(value.String!));
        else
            Write(ref writer, Text(value, format, scratch));
    }

    /// <summary>Writes <c>key=value</c>, the value in quotes where it would be ambiguous.</summary>
    public void WritePair(ref Utf8Writer writer, in LogProperty property, FormatScratch scratch)
    {
        Escaping.Write(ref writer, scratch.Bounded(property.Name), style);
        writer.Write((byte)'=');
        if (property.Value.Kind != LogValueKind.Null && ValueText.TryWriteClean(ref writer, property.Value))
            return;
        var text = Text(property.Value, null, scratch);
        if (!IsQuoted(text))
        {
            Write(ref writer, text);
            return;
        }
        writer.Write((byte)'"');
        int quote;
        while ((quote = text.IndexOf((byte)'"')) >= 0)
        {
            Write(ref writer, text[..quote]);
            writer.Write("\\\""u8);
            text = text[(quote + 1)..];
        }
        Write(ref writer, text);
        writer.Write((byte)'"');
    }

    private bool IsQuoted(ReadOnlySpan<byte> text)
        => text.IsEmpty || text.ContainsAny(Quoted) || (lineBreak is not null && text.ContainsAny((byte)'\r', (byte)'\n'));

    private static ReadOnlySpan<byte> Text(in LogValue value, string? format, FormatScratch scratch)
    {
        var output = scratch.NewValue();
        if (format is null)
            ValueText.Append(value, output, scratch);
        else
            ValueText.AppendFormatted(value, format, output, scratch);
        return output.WrittenSpan;
    }
}
