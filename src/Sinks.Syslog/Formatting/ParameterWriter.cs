using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes parameters (RFC 5424 §6.3.3): values as text in the invariant culture, escaped and within the limit of one value.</summary>
internal sealed class ParameterWriter
{
    /// <summary>The most bytes of a value after escaping.</summary>
    private const int MaxValueBytes = 1024;

    private const int MaxBytesPerChar = 3;

    // The space before a name, the equals sign and the quote.
    private const int Decoration = 3;

    private static readonly SearchValues<char> AllowedInNames = SearchValues.Create(
        [.. Enumerable.Range('!', '~' - '!' + 1).Select(static value => (char)value).Except(['=', ']', '"'])]);

    private readonly SyslogEscaper _text = new(isParameter: true);

    /// <summary>Writes a name: each character that is not allowed becomes one <c>_</c>; a long name is truncated.</summary>
    /// <returns>True if it had to be changed.</returns>
    public static bool WriteName(ref Utf8Writer writer, string name)
    {
        var span = writer.GetSpan(Parameter.LongestName);
        if (name.Length is > 0 and <= Parameter.LongestName && !name.AsSpan().ContainsAnyExcept(AllowedInNames)
            && Ascii.FromUtf16(name, span, out var written) == OperationStatus.Done)
        {
            writer.Advance(written);
            return false;
        }

        var length = 0;
        foreach (var rune in name.EnumerateRunes())
        {
            if (length == Parameter.LongestName)
                break;
            span[length++] = rune.IsAscii && AllowedInNames.Contains((char)rune.Value) ? (byte)rune.Value : (byte)'_';
        }

        if (length == 0)
            span[length++] = (byte)'_';
        writer.Advance(length);
        return true;
    }

    /// <summary>Writes a parameter.</summary>
    public void Write(ref Utf8Writer writer, SdElement element, scoped ReadOnlySpan<byte> opening, scoped ReadOnlySpan<byte> utf8, SyslogScratch scratch)
    {
        var start = writer.Position;
        writer.Write(opening);
        scratch.Parameters.Add(End(ref writer, element, start, opening.Length - Decoration, _text.Write(ref writer, utf8, MaxValueBytes)));
    }

    /// <summary>Writes a parameter; an unpaired surrogate becomes U+FFFD.</summary>
    public void Write(ref Utf8Writer writer, SdElement element, scoped ReadOnlySpan<byte> opening, string text, SyslogScratch scratch)
    {
        var start = writer.Position;
        writer.Write(opening);
        scratch.Parameters.Add(End(ref writer, element, start, opening.Length - Decoration, _text.Write(ref writer, text, MaxValueBytes, scratch)));
    }

    /// <summary>Writes the value of a property.</summary>
    /// <returns>True if it was truncated.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool WriteValue(ref Utf8Writer writer, in LogValue value, LogEvent logEvent, SyslogScratch scratch)
    {
        if (value.Kind == LogValueKind.String)
            return _text.Write(ref writer, value.String!, MaxValueBytes, scratch);
        var start = writer.Position;
        switch (value.Kind)
        {
            case LogValueKind.Null: return false;
            case LogValueKind.Boolean: writer.Write(value.Get<bool>() ? "true"u8 : "false"u8); return false;
            case LogValueKind.Int32: writer.WriteNumber(value.Get<int>()); return false;
            case LogValueKind.Int64: writer.WriteNumber(value.Get<long>()); break;
            case LogValueKind.Double: writer.WriteNumber(value.Get<double>()); break;
            case LogValueKind.Decimal: writer.WriteValue(value.Get<decimal>()); break;
            case LogValueKind.Guid: writer.WriteValue(value.Get<Guid>()); break;
            case LogValueKind.DateTime: writer.WriteValue(value.Get<DateTime>(), "O"); break;
            case LogValueKind.DateTimeOffset: writer.WriteValue(value.Get<DateTimeOffset>(), "O"); break;
            case LogValueKind.TimeSpan: writer.WriteValue(value.Get<TimeSpan>(), "c"); break;
            default: return WriteOther(ref writer, value, logEvent, scratch);
        }

        return writer.Position - start > MaxValueBytes && Truncate(ref writer, start, scratch);
    }

    /// <summary>Ends a parameter whose value was written.</summary>
    /// <returns>Its offset.</returns>
    public static Parameter End(ref Utf8Writer writer, SdElement element, long start, int nameLength, bool isTruncated = false)
    {
        writer.Write((byte)'"');
        return new Parameter(element, (int)start, (int)(writer.Position - start), nameLength, isTruncated);
    }

    private bool WriteOther(ref Utf8Writer writer, in LogValue value, LogEvent logEvent, SyslogScratch scratch)
    {
        var text = logEvent.GetText(value, (MaxValueBytes + 1) * MaxBytesPerChar);
        return value.Kind == LogValueKind.Object && !Utf8.IsValid(text)
            ? _text.Write(ref writer, Encoding.UTF8.GetString(text), MaxValueBytes, scratch)
            : _text.Write(ref writer, text, MaxValueBytes);
    }

    private bool Truncate(ref Utf8Writer writer, long start, SyslogScratch scratch)
    {
        var copy = scratch.CopyOf(writer.Since(start));
        writer.Rewind(start);
        return _text.Write(ref writer, copy, MaxValueBytes);
    }
}
