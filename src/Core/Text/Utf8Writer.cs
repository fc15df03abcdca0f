using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes UTF-8 into a <see cref="RecordBuffer"/> with one call per block instead of one per piece.</summary>
/// <remarks>The owner calls <see cref="Flush"/> at the end; before that the last block is not yet advanced.</remarks>
internal ref struct Utf8Writer
{
    private const int Block = 256;
    private const int ValueRoom = 64;
    private readonly RecordBuffer _output;
    private Span<byte> _span;
    private int _used;

    // The first half of a surrogate pair that ended the last text; the other half may begin the next one.
    private char _half;

    public Utf8Writer(RecordBuffer output)
    {
        _output = output;
        _span = output.GetSpan(Block);
    }

    /// <summary>Whether all that was written since somebody set this is known to be printable ASCII.</summary>
    public bool IsPlain { get; set; }

    /// <summary>Where the text goes.</summary>
    public readonly RecordBuffer Output => _output;

    /// <summary>Whether the output stores no more; known after a block that did not fit.</summary>
    public readonly bool IsCut => _output.IsCut;

    /// <summary>Whether more would only be counted.</summary>
    public readonly bool IsFull => _output.IsCut || Position > _output.Limit;

    /// <summary>Bytes written so far, those before this writer and beyond the limit included.</summary>
    public readonly long Position => _output.Total + _used;

    /// <summary>What is free without asking the output for more; empty while half a surrogate pair waits.</summary>
    public readonly Span<byte> Room => _half == 0 ? _span[_used..] : [];

    /// <summary>Room for at least <paramref name="size"/> bytes; say how many were used with <see cref="Advance"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int size)
    {
        if (_span.Length - _used < size)
            Grow(size);
        return _span[_used..];
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count) => _used += count;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(byte value)
    {
        if (_used == _span.Length)
            Grow(1);
        _span[_used++] = value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(scoped ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _span.Length - _used)
            Grow(bytes.Length);
        bytes.CopyTo(_span[_used..]);
        _used += bytes.Length;
    }

    /// <summary>Writes constant text.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(in Utf8Literal literal)
    {
        if (literal.Length <= Utf8Literal.Block && _span.Length - _used >= Utf8Literal.Block)
        {
            literal.CopyBlockTo(_span[_used..]);
            _used += literal.Length;
            return;
        }

        Write(literal.Span);
    }

    /// <summary>Writes a piece of a text: half a surrogate pair at its end waits for the other half. Its owner ends it with <see cref="EndText"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteText(scoped ReadOnlySpan<char> text)
    {
        if (_half == 0 && text.Length <= AsciiText.Longest && AsciiText.TryWrite(text, _span[_used..]))
            _used += text.Length;
        else
            WriteAnyText(text);
    }

    /// <summary>What waits for its other half waits no more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndText()
    {
        if (_half != 0)
            WriteHalf();
    }

    /// <summary>Joins the half that waits with a text that is not empty, or ends it.</summary>
    /// <returns>How many characters of the text that took.</returns>
    public int Join(scoped ReadOnlySpan<char> text)
    {
        if (_half == 0)
            return 0;
        if (!char.IsLowSurrogate(text[0]))
        {
            WriteHalf();
            return 0;
        }

        Transcode([_half, text[0]]);
        _half = '\0';
        return 1;
    }

    /// <summary>Writes text as UTF-8; an unpaired surrogate becomes U+FFFD.</summary>
    public void Write(scoped ReadOnlySpan<char> text)
    {
        if (text.Length <= AsciiText.Longest && AsciiText.TryWrite(text, _span[_used..]))
        {
            _used += text.Length;
            return;
        }

        Transcode(text);
    }

    private void WriteAnyText(scoped ReadOnlySpan<char> text)
    {
        if (text.IsEmpty)
            return;
        IsPlain = false;
        text = text[Join(text)..];
        if (!text.IsEmpty && char.IsHighSurrogate(text[^1]))
        {
            _half = text[^1];
            text = text[..^1];
        }

        Transcode(text);
    }

    private void WriteHalf()
    {
        _half = '\0';
        Write("\uFFFD"u8);
    }

    private void Transcode(scoped ReadOnlySpan<char> text)
    {
        while (true)
        {
            Utf8.FromUtf16(text, _span[_used..], out var read, out var written);
            _used += written;
            if (read == text.Length)
                return;
            text = text[read..];
            Grow(Math.Min(text.Length, 16 * 1024) * 3);
        }
    }

    /// <summary>Writes a value of the framework whose text has at most <see cref="ValueRoom"/> bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteValue<T>(T value, scoped ReadOnlySpan<char> format = default)
        where T : IUtf8SpanFormattable
    {
        value.TryFormat(GetSpan(ValueRoom), out var written, format, CultureInfo.InvariantCulture);
        _used += written;
    }

    /// <summary>Fills with one byte; for alignment.</summary>
    public void Fill(byte value, int count)
    {
        while (count > 0)
        {
            var part = Math.Min(count, Block);
            GetSpan(part)[..part].Fill(value);
            _used += part;
            count -= part;
        }
    }

    /// <summary>What was written since a <see cref="Position"/>; only while the output is not cut.</summary>
    public readonly ReadOnlySpan<byte> Since(long position)
        => position >= _output.Length ? _span[(int)(position - _output.Length).._used] : _output.StoredSince((int)position, _used);

    /// <summary>Takes back what was written since a <see cref="Position"/>.</summary>
    public void Rewind(long position)
    {
        if (position < _output.Length)
        {
            _output.Rewind((int)position);
            _span = _output.GetSpan(Block);
            _used = 0;
            return;
        }
        _used = (int)(position - _output.Length);
    }

    /// <summary>Hands what was written over to the output.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Flush()
    {
        _output.Advance(_used);
        _span = default;
        _used = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int size)
    {
        _output.Advance(_used);
        _used = 0;
        _span = _output.GetSpan(Math.Max(size, Block));
    }
}
