using System.Globalization;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes the pieces of a message so that it equals the transcoded whole, also where a surrogate pair is split between two pieces.</summary>
/// <remarks>The writer holds a high surrogate that ended the last text; the renderer calls <see cref="Utf8Writer.EndText"/> at the end of the message.</remarks>
internal static class MessageWriter
{
    private const int LongTextLength = 8 * 1024;
    private const int UsualValueSize = 64;
    private const int MaxValueSize = 1 << 20;

    /// <summary>Returns true if the limit is reached, so that more would only be counted.</summary>
    public static bool IsFull(ref Utf8Writer writer)
    {
        writer.Flush();
        return writer.Output.Total >= writer.Output.Limit;
    }

    public static void Write(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8)
    {
        if (!utf8.IsEmpty)
            writer.EndText();
        writer.IsPlain = false;
        writer.Write(utf8);
    }

    public static void Write(ref Utf8Writer writer, scoped ReadOnlySpan<char> text)
    {
        if (text.Length > LongTextLength)
            WriteLong(ref writer, text);
        else
            writer.WriteText(text);
    }

    /// <summary>Writes a value through its own UTF-8 formatting, in the invariant culture.</summary>
    public static void WriteValue<T>(ref Utf8Writer writer, T value, string? format)
        where T : IUtf8SpanFormattable
    {
        writer.EndText();
        // A format may hold any characters; without one there are only digits, letters and signs.
        writer.IsPlain &= format is null;
        if (InvariantText.TryWrite(value, format, writer.GetSpan(UsualValueSize), out var written))
            writer.Advance(written);
        else
            WriteLongValue(ref writer, value, format);
    }

    /// <summary>Writes a value of a foreign type; false if its output is not UTF-8 or does not end.</summary>
    public static bool TryWriteForeign(ref Utf8Writer writer, IUtf8SpanFormattable value, string? format)
    {
        writer.EndText();
        writer.IsPlain = false;
        for (var size = UsualValueSize; size <= MaxValueSize; size *= 4)
        {
            var span = writer.GetSpan(size);
            if (!value.TryFormat(span, out var written, format, CultureInfo.InvariantCulture))
                continue;
            if ((uint)written > (uint)span.Length || !Utf8.IsValid(span[..written]))
                return false;
            writer.Advance(written);
            return true;
        }
        return false;
    }

    /// <summary>Writes an integer without a format.</summary>
    public static void WriteInteger(ref Utf8Writer writer, long value)
    {
        writer.EndText();
        writer.Advance(Digits.Write(value, writer.GetSpan(Digits.MaxBytes)));
    }

    /// <summary>Writes a <see cref="double"/> with fixed decimals.</summary>
    public static void WriteFixed(ref Utf8Writer writer, double value, int digits, string format)
    {
        writer.EndText();
        if (FixedPoint.TryFormat(value, digits, writer.GetSpan(UsualValueSize), out var written))
            writer.Advance(written);
        else
            WriteValue(ref writer, value, format);
    }

    public static void Pad(ref Utf8Writer writer, int count)
    {
        if (count <= 0)
            return;
        writer.EndText();
        writer.Fill((byte)' ', count);
    }

    // Only stored bytes are transcoded; the rest is counted.
    private static void WriteLong(ref Utf8Writer writer, scoped ReadOnlySpan<char> text)
    {
        text = text[writer.Join(text)..];
        var end = char.IsHighSurrogate(text[^1]) ? text.Length - 1 : text.Length;
        var output = writer.Output;
        writer.Flush();
        var head = (int)Math.Clamp(output.Limit - output.Total, 0, end);
        if (head > 0 && head < end && char.IsHighSurrogate(text[head - 1]))
            head++;
        writer.WriteText(text[..head]);
        writer.Flush();
        output.Skip(Encoding.UTF8.GetByteCount(text[head..end]));
        writer.WriteText(text[end..]);
    }

    private static void WriteLongValue<T>(ref Utf8Writer writer, T value, string? format)
        where T : IUtf8SpanFormattable
    {
        for (var size = UsualValueSize * 4; size <= MaxValueSize; size *= 4)
        {
            if (value.TryFormat(writer.GetSpan(size), out var written, format, CultureInfo.InvariantCulture))
            {
                writer.Advance(written);
                return;
            }
        }
        throw new FormatException("The text of one value is longer than 1 MB.");
    }
}
