using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>The text of one object that is no collection. Runs code of users: its exception becomes a placeholder and is counted.</summary>
internal static class ObjectText
{
    private const int FirstRoom = 256;

    /// <summary>Appends the text of an object in the invariant culture, in <paramref name="format"/> if it is not null and the type supports it.</summary>
    public static void Append(object value, string? format, RecordBuffer output, FormatScratch scratch)
    {
        var start = output.Length;
        try
        {
            if (!TryAppendBytes(value, output))
                AppendText(value, format, output, scratch);
        }
        catch (Exception) when (format is not null)
        {
            scratch.Errors++;
            output.Rewind(start);
            Append(value, null, output, scratch);
        }
        catch (Exception)
        {
            scratch.Errors++;
            output.Rewind(start);
            AppendError(value, output);
        }
    }

    /// <summary>Appends the placeholder that names the failed type.</summary>
    public static void AppendError(object culprit, RecordBuffer output)
    {
        var type = culprit.GetType();
        output.Append("<error: "u8);
        output.Append(Encoding.UTF8.GetBytes(type.FullName ?? type.Name));
        output.Append(">"u8);
    }

    /// <summary>Returns true if the object is a block of bytes, which is written as base64.</summary>
    /// <remarks>Compared by type: to the runtime an <c>sbyte[]</c>, and an array of an enum over <c>byte</c>, is a <c>byte[]</c> too.</remarks>
    public static bool IsBytes(object value) => value.GetType() == typeof(byte[]) || value is ReadOnlyMemory<byte> or Memory<byte>;

    private static bool TryAppendBytes(object value, RecordBuffer output)
    {
        ReadOnlySpan<byte> bytes;
        if (!IsBytes(value))
            return false;
        switch (value)
        {
            case byte[] array: bytes = array; break;
            case ReadOnlyMemory<byte> memory: bytes = memory.Span; break;
            default: bytes = ((Memory<byte>)value).Span; break;
        }
        // Whole groups of three, so that the pieces read as one text.
        const int Piece = 3 * 1024;
        while (!bytes.IsEmpty && !output.IsTruncated)
        {
            var part = bytes[..Math.Min(bytes.Length, Piece)];
            Base64.EncodeToUtf8(part, output.GetSpan(Base64.GetMaxEncodedToUtf8Length(part.Length)), out _, out var written);
            output.Advance(written);
            bytes = bytes[part.Length..];
        }
        return true;
    }

    private static void AppendText(object value, string? format, RecordBuffer output, FormatScratch scratch)
    {
        if (value is Uri uri)
            AppendString(uri.OriginalString, output, scratch);
        else if (value is IUtf8SpanFormattable utf8 && TryAppendUtf8(utf8, format, output, scratch))
            return;
        else if (value is ISpanFormattable span && TryAppendUtf16(span, format, output))
            return;
        else if (value is IFormattable formattable)
            AppendString(formattable.ToString(format, CultureInfo.InvariantCulture), output, scratch);
        else
            AppendString(value.ToString(), output, scratch);
    }

    private static bool TryAppendUtf8(IUtf8SpanFormattable value, string? format, RecordBuffer output, FormatScratch scratch)
    {
        for (var room = FirstRoom; room <= scratch.ValueLimit; room *= 2)
        {
            if (!value.TryFormat(output.GetSpan(room)[..room], out var written, format, CultureInfo.InvariantCulture))
                continue;
            ArgumentOutOfRangeException.ThrowIfGreaterThan(written, room);
            output.Advance(written);
            return true;
        }
        return false;
    }

    private static bool TryAppendUtf16(ISpanFormattable value, string? format, RecordBuffer output)
    {
        Span<char> room = stackalloc char[FirstRoom];
        if (!value.TryFormat(room, out var length, format, CultureInfo.InvariantCulture))
            return false;
        var writer = new Utf8Writer(output);
        writer.Write(room[..length]);
        writer.Flush();
        return true;
    }

    private static void AppendString(string? text, RecordBuffer output, FormatScratch scratch)
    {
        if (text is null)
            return;
        var writer = new Utf8Writer(output);
        writer.Write(scratch.Bounded(text));
        writer.Flush();
    }
}
