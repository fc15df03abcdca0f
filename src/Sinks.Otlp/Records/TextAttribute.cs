namespace AsyncLog;

/// <summary>An attribute with a string that has to fit a number of bytes.</summary>
internal static class TextAttribute
{
    /// <summary>The most that tags and lengths of attribute, key, value and string take.</summary>
    public const int Overhead = 4 * (1 + MostLength);

    private const int MostLength = 3;

    /// <summary>Writes it, cut if it must be; false, and nothing written, when not even the mark of a cut has room.</summary>
    public static bool TryWrite(ref ProtoWriter writer, ReadOnlySpan<byte> key, ReadOnlySpan<byte> text, int budget)
    {
        var room = budget - key.Length - Overhead;
        if (text.Length > room && room < TextCutting.Mark.Length)
            return false;
        var start = writer.Open(OtlpTag.Attribute);
        writer.WriteBytes(OtlpTag.Key, key);
        var value = writer.Open(OtlpTag.Value);
        WriteText(ref writer, OtlpTag.Text, text, text.Length, room);
        writer.Close(value);
        writer.Close(start);
        return true;
    }

    /// <summary>Writes a string of at most so many bytes; a cut one ends in the mark.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="tag">The field.</param>
    /// <param name="text">The string, or the beginning of it.</param>
    /// <param name="length">The length of the whole string.</param>
    /// <param name="most">The bytes there are; at least those of the mark, or of the string.</param>
    public static void WriteText(ref ProtoWriter writer, byte tag, ReadOnlySpan<byte> text, long length, int most)
    {
        if (length <= most)
        {
            writer.WriteBytes(tag, text);
            return;
        }

        var start = writer.Open(tag);
        writer.Write(TextCutting.StartOfBytes(text, most - TextCutting.Mark.Length));
        writer.Write(TextCutting.Mark);
        writer.Close(start);
    }
}
