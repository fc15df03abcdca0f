using System.Text;

namespace AsyncLog;

/// <summary>Truncates texts without splitting a character.</summary>
internal static class TextPrefix
{
    /// <summary>The first UTF-16 units of a text; never half a surrogate pair.</summary>
    public static ReadOnlySpan<char> Of(string text, int max)
    {
        if (text.Length <= max)
            return text;
        var splits = max > 0 && char.IsHighSurrogate(text[max - 1]) && char.IsLowSurrogate(text[max]);
        return text.AsSpan(0, splits ? max - 1 : max);
    }

    /// <summary>The beginning of valid UTF-8 that is at most so many UTF-16 units long.</summary>
    public static ReadOnlySpan<byte> OfUtf8(ReadOnlySpan<byte> utf8, int max)
    {
        if (utf8.Length <= max)
            return utf8;
        var end = 0;
        while (end < utf8.Length)
        {
            Rune.DecodeFromUtf8(utf8[end..], out var rune, out var length);
            max -= rune.Utf16SequenceLength;
            if (max < 0)
                break;
            end += length;
        }

        return utf8[..end];
    }
}
