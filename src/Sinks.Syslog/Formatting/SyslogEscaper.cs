using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes text of users so that nothing in it can forge a record, end an element or drive a terminal, and truncates it between characters.</summary>
/// <param name="isParameter">True if <c>"</c>, <c>\</c> and <c>]</c> get a backslash too (RFC 5424 §6.3.3).</param>
internal sealed class SyslogEscaper(bool isParameter)
{
    private const int MaxBytesPerChar = 3;

    // Bytes that are, or begin, something to escape; the others are copied in runs. 0xC2, 0xD8 and 0xE2 mostly begin harmless characters.
    private readonly SearchValues<byte> _suspects = SearchValues.Create(Suspects(isParameter));

    /// <summary>The part of a text that may fit: each character takes at least one byte.</summary>
    public static ReadOnlySpan<char> Bounded(ReadOnlySpan<char> text, int budget)
    {
        if (text.Length <= budget + 2)
            return text;
        return text[..(char.IsHighSurrogate(text[budget + 1]) ? budget + 1 : budget + 2)];
    }

    /// <summary>Writes UTF-16 text; an unpaired surrogate becomes U+FFFD.</summary>
    /// <returns>True if it was truncated.</returns>
    public bool Write(ref Utf8Writer writer, string text, int budget, SyslogScratch scratch)
    {
        var bounded = Bounded(text, budget);
        var span = writer.GetSpan(bounded.Length * MaxBytesPerChar);
        if (Ascii.FromUtf16(bounded, span, out var length) != OperationStatus.Done)
            Utf8.FromUtf16(bounded, span, out _, out length);
        span = span[..length];
        if (length <= budget && !span.ContainsAny(_suspects))
        {
            writer.Advance(length);
            return false;
        }

        return Write(ref writer, scratch.CopyOf(span), budget);
    }

    /// <summary>Writes valid UTF-8, or as much of it as <paramref name="budget"/> bytes allow, followed by the mark.</summary>
    /// <returns>True if it was truncated.</returns>
    public bool Write(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, int budget)
    {
        var start = writer.Position;
        var beforeMark = budget - Truncation.Mark.Length;
        // The last end of a character that leaves room for the mark.
        var fit = start;
        while (true)
        {
            var step = utf8.IndexOfAny(_suspects);
            var run = step < 0 ? utf8 : utf8[..step];
            var written = (int)(writer.Position - start);
            writer.Write(run[..Math.Min(run.Length, budget - written + 1)]);
            if (written <= beforeMark)
                fit = start + written + Truncation.WholeRunes(run, beforeMark - written);
            if (writer.Position - start > budget)
                break;
            if (step < 0)
                return false;
            utf8 = utf8[(step + WriteSuspect(ref writer, utf8[step..]))..];
            if (writer.Position - start > budget)
                break;
            if (writer.Position - start <= beforeMark)
                fit = writer.Position;
        }

        writer.Rewind(fit);
        writer.Write(Truncation.Mark[..Math.Clamp(budget, 0, Truncation.Mark.Length)]);
        return true;
    }

    /// <summary>The bytes the text takes, or more than <paramref name="maxBytes"/>.</summary>
    public int Measure(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8, int maxBytes)
    {
        var start = writer.Position;
        var length = Write(ref writer, utf8, maxBytes) ? maxBytes + 1 : (int)(writer.Position - start);
        writer.Rewind(start);
        return length;
    }

    // Writes the character at the beginning, escaped where it has to be; returns its bytes in the text.
    private int WriteSuspect(ref Utf8Writer writer, scoped ReadOnlySpan<byte> utf8)
    {
        var length = Escaping.DecodeControl(utf8, out var control);
        if (control < 0)
        {
            if (utf8[0] < 0x80)
                writer.Write((byte)'\\');
            writer.Write(utf8[..length]);
        }
        else
        {
            WriteEscape(ref writer, control);
        }

        return length;
    }

    private void WriteEscape(ref Utf8Writer writer, int control)
    {
        // In a parameter the escape's own backslash is escaped.
        writer.Write(isParameter ? "\\\\"u8 : "\\"u8);
        switch (control)
        {
            case '\n': writer.Write((byte)'n'); return;
            case '\r': writer.Write((byte)'r'); return;
            case '\t': writer.Write((byte)'t'); return;
        }

        writer.Write((byte)'u');
        Escaping.WriteHex(ref writer, control);
    }

    private static byte[] Suspects(bool isParameter)
    {
        byte[] special = isParameter ? [(byte)'"', (byte)'\\', (byte)']'] : [];
        return [.. Enumerable.Range(0, 0x20).Select(static value => (byte)value), 0x7F, 0xC2, 0xD8, 0xE2, .. special];
    }
}

/// <summary>The text of a record (RFC 5424 §6.4): the rendered template, or the message, then the exception.</summary>
/// <param name="template">The template, or null.</param>
/// <param name="limit">The most bytes of a record.</param>
internal sealed class SyslogMessageWriter(SyslogLayout layout, LogTemplate? template, int limit)
{
    private const int MaxBytesPerChar = 3;

    // The text keeps this part of the limit, if it needs it.
    private const int Share = 4;

    private readonly SyslogEscaper _text = new(isParameter: false);

    private static ReadOnlySpan<byte> Bom => [0xEF, 0xBB, 0xBF];

    /// <summary>Gets the text as UTF-8 before it is escaped, or as much of it as a record can hold.</summary>
    /// <returns>Valid until another value is rendered.</returns>
    public ReadOnlySpan<byte> Of(LogEvent logEvent, SyslogScratch scratch)
    {
        // Every character takes at least one byte.
        var maxBytes = limit * MaxBytesPerChar;
        if (template is not null)
            return WithoutBom(logEvent.GetText(template, maxBytes)).TrimEnd("\r\n"u8);
        var message = MessageOf(logEvent);
        if (logEvent.ExceptionText is not { } exception)
            return message;
        message = message[..Truncation.WholeRunes(message, maxBytes)];
        scratch.Text.Reset(int.MaxValue);
        var writer = new Utf8Writer(scratch.Text);
        writer.Write(message);
        if (!message.IsEmpty)
            writer.Write((byte)'\n');
        writer.Write(SyslogEscaper.Bounded(exception.AsSpan().TrimEnd("\r\n"), limit));
        writer.Flush();
        var all = scratch.Text.WrittenSpan;
        return message.IsEmpty ? WithoutBom(all) : all;
    }

    /// <summary>The byte order mark before a text; empty where none is wanted. Decided before any truncation, which would otherwise depend on the mark it
    /// makes room for.</summary>
    public ReadOnlySpan<byte> BomOf(LogEvent logEvent, ReadOnlySpan<byte> text) =>
        !text.IsEmpty && layout.Bom && IsBeyondAscii(logEvent, text) ? Bom : default;

    /// <summary>Writes a text, escaped.</summary>
    /// <returns>True if it was truncated.</returns>
    public bool Write(ref Utf8Writer writer, scoped ReadOnlySpan<byte> text, int budget) => _text.Write(ref writer, text, budget);

    /// <summary>The bytes that structured data leaves to the text of a record that is too long.</summary>
    public int ShareOf(ref Utf8Writer writer, scoped ReadOnlySpan<byte> text, scoped ReadOnlySpan<byte> bom)
    {
        var maxBytes = limit / Share;
        return text.IsEmpty ? 0 : 1 + Math.Min(bom.Length + _text.Measure(ref writer, text, maxBytes), maxBytes);
    }

    // True if the text, all of it, has a character beyond ASCII after escaping. With a template only rendered parts count.
    private bool IsBeyondAscii(LogEvent logEvent, ReadOnlySpan<byte> text)
    {
        if (template is not null)
            return IsBeyondAscii(text);
        var message = MessageOf(logEvent);
        var exception = logEvent.ExceptionText.AsSpan();
        // An exception behind an empty message begins the text.
        if (message.IsEmpty)
            exception = exception.TrimStart('\uFEFF');
        if (IsBeyondAscii(message))
            return true;
        foreach (var rune in exception.EnumerateRunes())
        {
            if (!rune.IsAscii && !Escaping.IsControl(rune.Value))
                return true;
        }

        return false;
    }

    private static bool IsBeyondAscii(ReadOnlySpan<byte> utf8)
    {
        for (var at = utf8.IndexOfAnyExceptInRange((byte)0, (byte)0x7F); at >= 0; at = utf8.IndexOfAnyExceptInRange((byte)0, (byte)0x7F))
        {
            Rune.DecodeFromUtf8(utf8[at..], out var rune, out var length);
            if (!Escaping.IsControl(rune.Value))
                return true;
            utf8 = utf8[(at + length)..];
        }

        return false;
    }

    // A message that was truncated before does not end here: line breaks stay, so that the record reaches the limit and is marked as truncated.
    private static ReadOnlySpan<byte> MessageOf(LogEvent logEvent)
    {
        var message = logEvent.Message;
        var isWhole = logEvent.MessageLength == message.Length;
        message = WithoutBom(message);
        return isWhole ? message.TrimEnd("\r\n"u8) : message;
    }

    private static ReadOnlySpan<byte> WithoutBom(ReadOnlySpan<byte> text)
    {
        while (text.StartsWith(Bom))
            text = text[Bom.Length..];
        return text;
    }
}
