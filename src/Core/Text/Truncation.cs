namespace AsyncLog;

/// <summary>Shortens rendered UTF-8: between characters, never inside an escape or between a line end and the indent after it.</summary>
internal static class Truncation
{
    private const int MaxEscapeLength = 6;

    /// <summary>The mark at the end of a truncated text: three dots.</summary>
    public static ReadOnlySpan<byte> Mark => "..."u8;

    /// <summary>Gets the length of UTF-8 that ends anywhere, without an incomplete character at its end.</summary>
    /// <param name="utf8">The beginning of valid UTF-8.</param>
    public static int WholeRunes(ReadOnlySpan<byte> utf8)
    {
        var lead = utf8.Length - 1;
        while (lead >= 0 && utf8.Length - lead < 4 && (utf8[lead] & 0xC0) == 0x80)
            lead--;
        if (lead < 0)
            return 0;
        var size = utf8[lead] switch { < 0xC0 => 1, < 0xE0 => 2, < 0xF0 => 3, _ => 4 };
        return lead + size <= utf8.Length ? utf8.Length : lead;
    }

    /// <summary>Gets the largest length up to <paramref name="max"/> at which valid UTF-8 has a character boundary.</summary>
    /// <param name="utf8">Valid UTF-8.</param>
    /// <param name="max">The maximum number of bytes; a negative value counts as zero.</param>
    public static int WholeRunes(ReadOnlySpan<byte> utf8, int max)
    {
        if (max >= utf8.Length)
            return utf8.Length;
        var end = Math.Max(max, 0);
        while (end > 0 && (utf8[end] & 0xC0) == 0x80)
            end--;
        return end;
    }

    /// <summary>Appends a text, or its beginning and the mark if <paramref name="total"/> is more than <paramref name="budget"/>, or nothing if the mark does not fit.
    /// Returns the number of bytes appended.</summary>
    /// <remarks><paramref name="text"/> is rendered in <paramref name="style"/> and has at least <paramref name="budget"/> bytes of the whole text, whose length is <paramref name="total"/>.</remarks>
    internal static int Append(RecordBuffer output, scoped ReadOnlySpan<byte> text, long total, int budget, EscapeStyle style)
    {
        var start = output.Total;
        var writer = new Utf8Writer(output);
        Write(ref writer, text, total, budget, style);
        writer.Flush();
        return (int)(output.Total - start);
    }

    /// <summary>As <see cref="Append"/>, to a writer.</summary>
    internal static void Write(ref Utf8Writer writer, scoped ReadOnlySpan<byte> text, long total, int budget, EscapeStyle style)
    {
        if (total <= budget)
        {
            writer.Write(text);
        }
        else if (budget >= Mark.Length)
        {
            writer.Write(text[..Find(text, budget - Mark.Length, style)]);
            writer.Write(Mark);
        }
    }

    /// <summary>Gets the largest length up to <paramref name="max"/> at which a rendered text may end.</summary>
    internal static int Find(ReadOnlySpan<byte> text, int max, EscapeStyle style)
    {
        if (max >= text.Length)
            return text.Length;
        var end = WholeRunes(text, max);
        return style == EscapeStyle.Text ? BeforeIndent(text, BeforeTextEscape(text, end)) : BeforeJsonEscape(text, end);
    }

    // JSON doubles its backslashes, so escapes are recognized from the front only.
    private static int BeforeJsonEscape(ReadOnlySpan<byte> text, int end)
    {
        var at = 0;
        int step;
        while (at < end && (step = text[at..end].IndexOf((byte)'\\')) >= 0)
        {
            at += step;
            var length = at + 1 < text.Length && text[at + 1] == 'u' ? MaxEscapeLength : 2;
            if (at + length > end)
                return at;
            at += length;
        }
        return end;
    }

    // Text does not double backslashes, so anything at the end that resembles an escape is omitted.
    private static int BeforeTextEscape(ReadOnlySpan<byte> text, int end)
    {
        for (var at = end - 1; at >= 0 && at > end - MaxEscapeLength; at--)
        {
            if (text[at] != '\\')
                continue;
            var length = text[at + 1] switch
            {
                (byte)'u' => MaxEscapeLength,
                (byte)'n' or (byte)'r' or (byte)'t' or (byte)'"' => 2,
                _ => 1,
            };
            if (at + length > end)
                end = at;
        }
        return end;
    }

    private static int BeforeIndent(ReadOnlySpan<byte> text, int end)
    {
        var start = end;
        while (start > 0 && text[start - 1] == ' ' && end - start < 2)
            start--;
        if (start == 0 || text[start - 1] != '\n')
            return end;
        return start >= 2 && text[start - 2] == '\r' ? start - 2 : start - 1;
    }
}

/// <summary>The bytes that each part of a truncated record gets.</summary>
/// <param name="Message">Bytes for the message.</param>
/// <param name="Properties">Bytes for properties and scopes together.</param>
/// <param name="Exception">Bytes for the exception.</param>
internal readonly record struct TruncationBudget(int Message, int Properties, int Exception)
{
    /// <summary>Shares the room: half for the message, a quarter for properties and scopes, the rest for the exception; unneeded room of one part goes to the others.</summary>
    /// <param name="room">Bytes for all parts, without header and framing.</param>
    /// <param name="message">The length of the whole message.</param>
    /// <param name="properties">The length of all properties and scopes.</param>
    /// <param name="exception">The length of the whole exception.</param>
    public static TruncationBudget Share(int room, long message, long properties, long exception)
    {
        room = Math.Max(room, 0);
        var messageShare = (int)Math.Min(message, room / 2);
        var propertyShare = (int)Math.Min(properties, (room / 4) + (room / 2) - messageShare);
        var exceptionShare = (int)Math.Min(exception, room - messageShare - propertyShare);
        // Space that the exception does not need goes to the message, then to the properties.
        var left = room - messageShare - propertyShare - exceptionShare;
        var more = (int)Math.Min(message - messageShare, left);
        left -= more;
        return new TruncationBudget(messageShare + more, propertyShare + (int)Math.Min(properties - propertyShare, left), exceptionShare);
    }
}
