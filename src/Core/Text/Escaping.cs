using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Escapes text of users for a record: control characters, line breaks and bidi controls, which could forge a line or drive a terminal, and what breaks JSON.</summary>
/// <remarks>All text of users in the library's own layouts goes through here. The output is valid UTF-8 for any input; <see cref="EscapeStyle.None"/> changes nothing else.</remarks>
internal static class Escaping
{
    private const int Chunk = 512;
    private const int MaxBytesPerChar = 3;
    private static readonly SearchValues<byte> CleanJson = SearchValues.Create(Bytes(b => b is >= 0x20 and <= 0x7E and not ((byte)'"' or (byte)'\\')));
    private static readonly SearchValues<byte> TextSuspects = SearchValues.Create(Bytes(b => b is < 0x20 or 0x7F or 0xC2 or 0xD8 or 0xE2));
    private static readonly SearchValues<byte> JsonSuspects
        = SearchValues.Create(Bytes(b => b is < 0x20 or 0x7F or 0xC2 or 0xD8 or 0xE2 or (byte)'"' or (byte)'\\'));
    private static readonly SearchValues<byte> NoSuspects = SearchValues.Create(ReadOnlySpan<byte>.Empty);
    private static readonly SearchValues<byte> CompactSuspects = SearchValues.Create(Bytes(b => b is < 0x20 or (byte)'"' or (byte)'\\'));

    /// <summary>Writes UTF-8 text; ASCII without escapes costs one scan and one copy.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="utf8">The text.</param>
    /// <param name="style">The escapes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, EscapeStyle style)
    {
        var dirty = IndexOfDirty(utf8, style);
        if (dirty < 0)
            writer.Write(utf8);
        else
            WriteDirty(ref writer, utf8, dirty, style);
    }

    /// <summary>Gets whether text is ASCII that needs no escape.</summary>
    /// <param name="utf8">The text.</param>
    /// <param name="style">The escapes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsClean(ReadOnlySpan<byte> utf8, EscapeStyle style) => IndexOfDirty(utf8, style) < 0;

    /// <summary>Writes UTF-16 text; an unpaired surrogate becomes U+FFFD.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="text">The text.</param>
    /// <param name="style">The escapes.</param>
    public static void Write(ref Utf8Writer writer, scoped ReadOnlySpan<char> text, EscapeStyle style)
    {
        while (text.Length > Chunk)
        {
            var length = char.IsHighSurrogate(text[Chunk - 1]) ? Chunk - 1 : Chunk;
            WriteChunk(ref writer, text[..length], style);
            text = text[length..];
        }
        WriteChunk(ref writer, text, style);
    }

    /// <summary>Writes UTF-8 text in the style <see cref="EscapeStyle.Text"/> with <paramref name="lineBreak"/> in place of each line break.</summary>
    internal static void WriteLines(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, scoped ReadOnlySpan<byte> lineBreak)
    {
        int end;
        while ((end = utf8.IndexOfAny((byte)'\n', (byte)'\r')) >= 0)
        {
            Write(ref writer, utf8[..end], EscapeStyle.Text);
            writer.Write(lineBreak);
            utf8 = utf8[(end + (utf8[end..].StartsWith("\r\n"u8) ? 2 : 1))..];
        }
        Write(ref writer, utf8, EscapeStyle.Text);
    }

    /// <summary>Writes UTF-16 text in the style <see cref="EscapeStyle.Text"/> with <paramref name="lineBreak"/> in place of each line break.</summary>
    internal static void WriteLines(ref Utf8Writer writer, scoped ReadOnlySpan<char> text, scoped ReadOnlySpan<byte> lineBreak)
    {
        int end;
        while ((end = text.IndexOfAny('\n', '\r')) >= 0)
        {
            Write(ref writer, text[..end], EscapeStyle.Text);
            writer.Write(lineBreak);
            text = text[(end + (text[end..].StartsWith("\r\n") ? 2 : 1))..];
        }
        Write(ref writer, text, EscapeStyle.Text);
    }

    /// <summary>Finds the first byte that is not ASCII or needs an escape; -1 if there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int IndexOfDirty(ReadOnlySpan<byte> utf8, EscapeStyle style)
        => style == EscapeStyle.Text ? utf8.IndexOfAnyExceptInRange((byte)0x20, (byte)0x7E)
            : style == EscapeStyle.None ? utf8.IndexOfAnyExceptInRange((byte)0x00, (byte)0x7F)
            : utf8.IndexOfAnyExcept(CleanJson);

    /// <summary>Reads a character of valid UTF-8 and judges whether it is a control character, a line break or a bidi control.</summary>
    /// <param name="utf8">Valid UTF-8, not empty.</param>
    /// <param name="codePoint">The character if it is one, else -1.</param>
    /// <returns>The bytes to move on by: all of a control character, else at least one.</returns>
    public static int DecodeControl(ReadOnlySpan<byte> utf8, out int codePoint)
    {
        codePoint = -1;
        switch (utf8[0])
        {
            case 0xC2:
                if (utf8[1] < 0xA0)
                    codePoint = utf8[1];
                return 2;
            case 0xD8:
                if (utf8[1] == 0x9C)
                    codePoint = 0x061C;
                return 2;
            case 0xE2:
                var candidate = 0x2000 | ((utf8[1] & 0x3F) << 6) | (utf8[2] & 0x3F);
                if (IsControl(candidate))
                    codePoint = candidate;
                return 3;
            case < 0x20 or 0x7F:
                codePoint = utf8[0];
                return 1;
            default:
                return 1;
        }
    }

    /// <summary>Returns true if valid UTF-8 has a control character, a line break or a bidi control.</summary>
    internal static bool HasControl(ReadOnlySpan<byte> utf8)
    {
        int next;
        while ((next = utf8.IndexOfAny(TextSuspects)) >= 0)
        {
            next += DecodeControl(utf8[next..], out var codePoint);
            if (codePoint >= 0)
                return true;
            utf8 = utf8[next..];
        }
        return false;
    }

    /// <summary>Gets whether a character is a control character, a line break or a bidi control.</summary>
    /// <param name="codePoint">The character.</param>
    public static bool IsControl(int codePoint)
        => codePoint is < 0x20 or (>= 0x7F and < 0xA0) or 0x061C or 0x200E or 0x200F or (>= 0x2028 and <= 0x202E) or (>= 0x2066 and <= 0x2069);

    /// <summary>Writes the four digits of a <c>\u</c> escape.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="codePoint">The character, below 65,536.</param>
    public static void WriteHex(ref Utf8Writer writer, int codePoint)
    {
        for (var shift = 12; shift >= 0; shift -= 4)
            writer.Write("0123456789abcdef"u8[(codePoint >> shift) & 0xF]);
    }

    private static SearchValues<byte> Suspects(EscapeStyle style) => style switch
    {
        EscapeStyle.Text => TextSuspects,
        EscapeStyle.Json => JsonSuspects,
        EscapeStyle.None => NoSuspects,
        _ => CompactSuspects,
    };

    private static void WriteDirty(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, int dirty, EscapeStyle style)
    {
        writer.Write(utf8[..dirty]);
        var rest = utf8[dirty..];
        if (Utf8.IsValid(rest))
            WriteValid(ref writer, rest, style);
        else
            WriteRepaired(ref writer, rest, style);
    }

    private static void WriteChunk(ref Utf8Writer writer, scoped ReadOnlySpan<char> text, EscapeStyle style)
    {
        var span = writer.GetSpan(text.Length * MaxBytesPerChar);
        Utf8.FromUtf16(text, span, out _, out var written);
        span = span[..written];
        var dirty = IndexOfDirty(span, style);
        if (dirty < 0 || !span[dirty..].ContainsAny(Suspects(style)))
        {
            writer.Advance(written);
            return;
        }
        writer.Advance(dirty);
        WriteCopy(ref writer, span[dirty..], style);
    }

    /// <summary>Escapes bytes that are in the writer's own block, after copying them.</summary>
    [SkipLocalsInit]
    private static void WriteCopy(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, EscapeStyle style)
    {
        Span<byte> copy = stackalloc byte[Chunk * MaxBytesPerChar];
        utf8.CopyTo(copy);
        WriteValid(ref writer, copy[..utf8.Length], style);
    }

    private static void WriteValid(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, EscapeStyle style)
    {
        var suspects = Suspects(style);
        var start = 0;
        var position = 0;
        int step;
        while ((step = utf8[position..].IndexOfAny(suspects)) >= 0)
        {
            position += step;
            var length = DecodeControl(utf8[position..], out var codePoint);
            // A quote or a backslash; a longer suspect only begins like a control character.
            if (codePoint < 0 && length == 1)
                codePoint = utf8[position];
            if (codePoint >= 0)
            {
                writer.Write(utf8[start..position]);
                WriteEscape(ref writer, codePoint, style);
                start = position + length;
            }
            position += length;
        }
        writer.Write(utf8[start..]);
    }

    private static void WriteEscape(ref Utf8Writer writer, int codePoint, EscapeStyle style)
    {
        var letter = codePoint switch
        {
            '\n' => (byte)'n',
            '\r' => (byte)'r',
            '\t' => (byte)'t',
            '\b' when style == EscapeStyle.CompactJson => (byte)'b',
            '\f' when style == EscapeStyle.CompactJson => (byte)'f',
            '"' or '\\' => (byte)codePoint,
            _ => (byte)'u',
        };
        writer.Write((byte)'\\');
        writer.Write(letter);
        if (letter == 'u')
            WriteHex(ref writer, codePoint);
    }

    private static void WriteRepaired(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, EscapeStyle style)
    {
        Span<byte> one = stackalloc byte[4];
        while (!utf8.IsEmpty)
        {
            Rune.DecodeFromUtf8(utf8, out var rune, out var consumed);
            WriteValid(ref writer, one[..rune.EncodeToUtf8(one)], style);
            utf8 = utf8[consumed..];
        }
    }

    private static ReadOnlySpan<byte> Bytes(Func<byte, bool> where)
    {
        var bytes = new byte[256];
        var count = 0;
        for (var value = 0; value < bytes.Length; value++)
        {
            if (where((byte)value))
                bytes[count++] = (byte)value;
        }

        return bytes.AsSpan(0, count);
    }
}

/// <summary>The characters that are escaped, and how.</summary>
internal enum EscapeStyle : byte
{
    /// <summary>A line of text: control characters, line breaks and bidi controls; a backslash stays as it is.</summary>
    Text,

    /// <summary>A string of the JSON layout: as text, and <c>"</c> and <c>\</c>.</summary>
    Json,

    /// <summary>A string inside compact JSON that is itself a value's text: only what JSON requires, with <c>\b</c> and <c>\f</c>.</summary>
    CompactJson,

    /// <summary>Nothing is escaped, but invalid UTF-8 is repaired: for sinks that escape the finished text themselves.</summary>
    None,
}
