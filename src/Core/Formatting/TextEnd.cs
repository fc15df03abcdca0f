namespace AsyncLog;

/// <summary>Where rendered text may be cut: between characters, never inside an escape or between a line end and the indent behind it.</summary>
internal static class TextEnd
{
    private const int LongestEscape = 6;

    /// <summary>What stands at the end of a text that was cut.</summary>
    public static ReadOnlySpan<byte> Mark => "..."u8;

    /// <summary>Appends a text, or as much of it as <paramref name="budget"/> allows with the mark behind it; gives back the bytes used.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="text">The rendered text, at least <paramref name="budget"/> bytes of it.</param>
    /// <param name="total">The length of the whole text.</param>
    /// <param name="budget">The most bytes to use.</param>
    /// <param name="style">How the text was escaped.</param>
    public static int Append(RecordBuffer output, scoped ReadOnlySpan<byte> text, long total, int budget, EscapeStyle style)
    {
        var start = output.Total;
        var writer = new Utf8Writer(output);
        Write(ref writer, text, total, budget, style);
        writer.Flush();
        return (int)(output.Total - start);
    }

    /// <summary>Writes a text, or as much of it as <paramref name="budget"/> allows with the mark behind it.</summary>
    public static void Write(ref Utf8Writer writer, scoped ReadOnlySpan<byte> text, long total, int budget, EscapeStyle style)
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

    /// <summary>The last place at or before <paramref name="max"/> where the text may end.</summary>
    public static int Find(ReadOnlySpan<byte> text, int max, EscapeStyle style)
    {
        if (max >= text.Length)
            return text.Length;
        var end = Math.Max(max, 0);
        while (end > 0 && (text[end] & 0xC0) == 0x80)
            end--;
        return style == EscapeStyle.Text ? BeforeIndent(text, BeforeTextEscape(text, end)) : BeforeJsonEscape(text, end);
    }

    /// <summary>JSON doubles its backslashes, so escapes can be told only from the front.</summary>
    private static int BeforeJsonEscape(ReadOnlySpan<byte> text, int end)
    {
        var at = 0;
        int step;
        while (at < end && (step = text[at..end].IndexOf((byte)'\\')) >= 0)
        {
            at += step;
            var length = at + 1 < text.Length && text[at + 1] == 'u' ? LongestEscape : 2;
            if (at + length > end)
                return at;
            at += length;
        }
        return end;
    }

    /// <summary>Text keeps backslashes single: whatever looks like an escape across the end is left out.</summary>
    private static int BeforeTextEscape(ReadOnlySpan<byte> text, int end)
    {
        for (var at = end - 1; at >= 0 && at > end - LongestEscape; at--)
        {
            if (text[at] != '\\')
                continue;
            var length = text[at + 1] switch
            {
                (byte)'u' => LongestEscape,
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
