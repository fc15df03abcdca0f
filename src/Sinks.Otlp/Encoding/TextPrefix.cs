using System.Text;

namespace AsyncLog;

/// <summary>Truncates texts without splitting a character.</summary>
internal static class TextPrefix
{
    /// <summary>The first UTF-16 units of a text; never half a surrogate pair.</summary>
    public static ReadOnlySpan<char> Of(string text, int most)
    {
        if (text.Length <= most)
            return text;
        var splits = most > 0 && char.IsHighSurrogate(text[most - 1]) && char.IsLowSurrogate(text[most]);
        return text.AsSpan(0, splits ? most - 1 : most);
    }

    /// <summary>The beginning of valid UTF-8 that is at most so many UTF-16 units long.</summary>
    public static ReadOnlySpan<byte> OfUtf8(ReadOnlySpan<byte> utf8, int most)
    {
        if (utf8.Length <= most)
            return utf8;
        var end = 0;
        while (end < utf8.Length)
        {
            Rune.DecodeFromUtf8(utf8[end..], out var rune, out var length);
            most -= rune.Utf16SequenceLength;
            if (most < 0)
                break;
            end += length;
        }

        return utf8[..end];
    }
}
