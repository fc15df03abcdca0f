using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes text of users so that nothing in it can forge a record, end an element or drive a terminal, and cuts it between characters.</summary>
/// <param name="controls">What becomes of control characters, line breaks and characters that turn the direction of text.</param>
/// <param name="isParameter">Whether <c>"</c>, <c>\</c> and <c>]</c> get a backslash too (RFC 5424 §6.3.3).</param>
internal sealed class WireText(SyslogControlCharacters controls, bool isParameter)
{
    /// <summary>What stands at the end of a text that was cut.</summary>
    private const int MarkLength = 3;
    private const int MostBytesPerChar = 3;

    // Bytes that are, or begin, something to escape; the others are copied in runs. 0xC2, 0xD8 and 0xE2 mostly turn out harmless.
    private readonly SearchValues<byte> _suspects = SearchValues.Create(Suspects(controls, isParameter));

    private static ReadOnlySpan<byte> Mark => "..."u8;

    /// <summary>Whether a character is a control character, a line break or turns the direction of text.</summary>
    public static bool IsControl(int code) =>
        code is < 0x20 or (>= 0x7F and < 0xA0) or 0x061C or 0x200E or 0x200F or (>= 0x2028 and <= 0x202E) or (>= 0x2066 and <= 0x2069);

    /// <summary>Writes UTF-16 text; an unpaired surrogate becomes U+FFFD.</summary>
    /// <returns>Whether it was cut.</returns>
    public bool Write(ref WireWriter writer, string text, int budget, SyslogScratch scratch)
    {
        var bounded = Bounded(text, budget);
        var span = writer.GetSpan(bounded.Length * MostBytesPerChar);
        if (Ascii.FromUtf16(bounded, span, out var length) != OperationStatus.Done)
            Utf8.FromUtf16(bounded, span, out _, out length);
        span = span[..length];
        if (length <= budget && !span.ContainsAny(_suspects))
        {
            writer.Advance(length);
            return false;
        }

        var copy = scratch.TextOf(length).AsSpan(0, length);
        span.CopyTo(copy);
        return Write(ref writer, copy, budget);
    }

    /// <summary>The part of a text that is worth transcoding: each character is a byte at least.</summary>
    public static ReadOnlySpan<char> Bounded(ReadOnlySpan<char> text, int budget)
    {
        if (text.Length <= budget + 2)
            return text;
        return text[..(char.IsHighSurrogate(text[budget + 1]) ? budget + 1 : budget + 2)];
    }

    /// <summary>Writes valid UTF-8, or as much of it as <paramref name="budget"/> bytes allow with the mark behind it.</summary>
    /// <returns>Whether it was cut.</returns>
    public bool Write(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8, int budget)
    {
        var start = writer.Position;
        // The last end of a unit that leaves room for the mark.
        var fit = start;
        while (true)
        {
            var step = utf8.IndexOfAny(_suspects);
            var run = step < 0 ? utf8 : utf8[..step];
            var before = writer.Position;
            writer.Write(run[..Math.Min(run.Length, budget - (before - start) + 1)]);
            if (before - start <= budget - MarkLength)
                fit = before + WholeRunes(run, budget - MarkLength - (before - start));
            if (writer.Position - start > budget)
                break;
            if (step < 0)
                return false;
            utf8 = utf8[(step + WriteUnit(ref writer, utf8[step..]))..];
            if (writer.Position - start > budget)
                break;
            if (writer.Position - start <= budget - MarkLength)
                fit = writer.Position;
        }

        writer.Position = fit;
        writer.Write(Mark[..Math.Min(MarkLength, Math.Max(budget, 0))]);
        return true;
    }

    /// <summary>The bytes the text takes, or more than <paramref name="most"/>.</summary>
    public int Measure(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8, int most)
    {
        var start = writer.Position;
        var length = Write(ref writer, utf8, most) ? most + 1 : writer.Position - start;
        writer.Position = start;
        return length;
    }

    /// <summary>The most bytes of a run, at most <paramref name="most"/>, that end with a character.</summary>
    private static int WholeRunes(ReadOnlySpan<byte> run, int most)
    {
        if (most >= run.Length)
            return run.Length;
        while (most > 0 && (run[most] & 0xC0) == 0x80)
            most--;
        return most;
    }

    /// <summary>Writes the character at the beginning, escaped if it has to be; gives back its bytes in the text.</summary>
    private int WriteUnit(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8)
    {
        var length = Decode(utf8, out var control);
        if (control < 0)
        {
            if (utf8[0] < 0x80)
                writer.Write((byte)'\\');
            writer.Write(utf8[..length]);
        }
        else if (controls == SyslogControlCharacters.Space)
        {
            writer.Write((byte)' ');
        }
        else
        {
            WriteEscape(ref writer, control);
        }

        return length;
    }

    /// <summary>Reads a suspect: its length, and its code point, or -1 when it is no control character.</summary>
    private static int Decode(ReadOnlySpan<byte> utf8, out int control)
    {
        control = -1;
        switch (utf8[0])
        {
            case 0xC2:
                if (utf8[1] < 0xA0)
                    control = utf8[1];
                return 2;
            case 0xD8:
                if (utf8[1] == 0x9C)
                    control = 0x061C;
                return 2;
            case 0xE2:
                var candidate = 0x2000 | ((utf8[1] & 0x3F) << 6) | (utf8[2] & 0x3F);
                if (IsControl(candidate))
                    control = candidate;
                return 3;
            case < 0x20 or 0x7F:
                control = utf8[0];
                return 1;
            default:
                return 1;
        }
    }

    private void WriteEscape(ref WireWriter writer, int control)
    {
        // In a parameter the escape text's own backslash is escaped.
        writer.Write(isParameter ? "\\\\"u8 : "\\"u8);
        switch (control)
        {
            case '\n': writer.Write((byte)'n'); return;
            case '\r': writer.Write((byte)'r'); return;
            case '\t': writer.Write((byte)'t'); return;
        }

        writer.Write((byte)'u');
        for (var shift = 12; shift >= 0; shift -= 4)
            writer.Write("0123456789abcdef"u8[(control >> shift) & 0xF]);
    }

    private static byte[] Suspects(SyslogControlCharacters controls, bool isParameter)
    {
        byte[] special = isParameter ? [(byte)'"', (byte)'\\', (byte)']'] : [];
        return controls == SyslogControlCharacters.Keep
            ? special
            : [.. Enumerable.Range(0, 0x20).Select(static value => (byte)value), 0x7F, 0xC2, 0xD8, 0xE2, .. special];
    }
}
