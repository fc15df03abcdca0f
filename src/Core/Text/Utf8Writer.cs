using System.Runtime.CompilerServices;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes UTF-8 into a <see cref="RecordBuffer"/> and advances it once per block instead of once per part.</summary>
/// <remarks>Call <see cref="Flush"/> at the end: before that the last block is not part of the buffer. Pass it by reference.</remarks>
internal ref struct Utf8Writer
{
    private const int Block = 256;
    private const int ValueRoom = 64;
    private readonly RecordBuffer _output;
    private Span<byte> _span;
    private int _used;

    // A high surrogate at the end of the last text, or 0: the low one may begin the next text.
    private char _highSurrogate;

    /// <summary>Initializes a writer that appends to a buffer.</summary>
    /// <param name="output">The buffer.</param>
    public Utf8Writer(RecordBuffer output)
    {
        ArgumentNullException.ThrowIfNull(output);
        _output = output;
        _span = output.GetSpan(Block);
    }

    /// <summary>Gets or sets whether everything written since it was set is known to be printable ASCII.</summary>
    internal bool IsPlain { get; set; }

    /// <summary>Gets the destination.</summary>
    public readonly RecordBuffer Output => _output;

    /// <summary>Gets whether the output is truncated; known after the first block that did not fit.</summary>
    public readonly bool IsTruncated => _output.IsTruncated;

    /// <summary>Gets whether further bytes would only be counted.</summary>
    public readonly bool IsFull => _output.IsTruncated || Position > _output.Limit;

    /// <summary>Gets whether a high surrogate at the end of the last text is still to be written.</summary>
    internal readonly bool IsPending => _highSurrogate != 0;

    /// <summary>Gets the bytes written so far, those before this writer and beyond the limit included.</summary>
    public readonly long Position => _output.Total + _used;

    /// <summary>Gets the free part of the current block; empty while a high surrogate is pending.</summary>
    internal readonly Span<byte> Room => _highSurrogate == 0 ? _span[_used..] : [];

    /// <summary>Gets room for at least <paramref name="size"/> bytes, to be followed by <see cref="Advance"/>.</summary>
    /// <param name="size">The bytes needed.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int size)
    {
        if (_span.Length - _used < size)
            Grow(size);
        return _span[_used..];
    }

    /// <summary>Adds bytes that were written to <see cref="GetSpan"/>.</summary>
    /// <param name="count">Number of bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count) => _used += count;

    /// <summary>Writes one byte.</summary>
    /// <param name="value">The byte.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(byte value)
    {
        if (_used == _span.Length)
            Grow(1);
        _span[_used++] = value;
    }

    /// <summary>Writes bytes.</summary>
    /// <param name="bytes">The bytes.</param>
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
    internal void Write(in Utf8Literal literal)
    {
        if (literal.Length <= Utf8Literal.Block && _span.Length - _used >= Utf8Literal.Block)
        {
            literal.CopyBlockTo(_span[_used..]);
            _used += literal.Length;
            return;
        }

        Write(literal.Span);
    }

    /// <summary>Writes a part of a text: a high surrogate at its end stays pending until the next part or <see cref="EndText"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteText(scoped ReadOnlySpan<char> text)
    {
        if (_highSurrogate == 0 && text.Length <= AsciiText.Longest && AsciiText.TryWrite(text, _span[_used..]))
            _used += text.Length;
        else
            WriteAnyText(text);
    }

    /// <summary>Writes a pending high surrogate as U+FFFD.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void EndText()
    {
        if (_highSurrogate != 0)
            WriteUnpaired();
    }

    /// <summary>Completes a pending high surrogate with the first character of a text that is not empty, or writes it as U+FFFD.</summary>
    /// <returns>The characters of the text that were used: 0 or 1.</returns>
    internal int Join(scoped ReadOnlySpan<char> text)
    {
        if (_highSurrogate == 0)
            return 0;
        if (!char.IsLowSurrogate(text[0]))
        {
            WriteUnpaired();
            return 0;
        }

        Transcode([_highSurrogate, text[0]]);
        _highSurrogate = '\0';
        return 1;
    }

    /// <summary>Writes text as UTF-8, unescaped; an unpaired surrogate becomes U+FFFD.</summary>
    /// <param name="text">The text.</param>
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
            _highSurrogate = text[^1];
            text = text[..^1];
        }

        Transcode(text);
    }

    private void WriteUnpaired()
    {
        _highSurrogate = '\0';
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

    /// <summary>Writes a value in the invariant culture.</summary>
    /// <typeparam name="T">A type of the framework.</typeparam>
    /// <param name="value">A value whose text has at most 64 bytes.</param>
    /// <param name="format">A format of the type; empty for its default.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteValue<T>(T value, scoped ReadOnlySpan<char> format = default)
        where T : IUtf8SpanFormattable
    {
        // GetSpan may begin a new block, so it runs before the position is read.
        InvariantText.TryWrite(value, format, GetSpan(ValueRoom), out var written);
        _used += written;
    }

    /// <summary>Writes an integer.</summary>
    /// <param name="value">The integer.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteNumber(long value)
    {
        // GetSpan may begin a new block, so it runs before the position is read.
        var written = Digits.Write(value, GetSpan(Digits.MaxBytes));
        _used += written;
    }

    /// <summary>Writes a double in its shortest form that reads back as the same.</summary>
    /// <param name="value">The value.</param>
    public void WriteNumber(double value) => WriteValue(value);

    /// <summary>Writes one byte several times, as for alignment.</summary>
    /// <param name="value">The byte.</param>
    /// <param name="count">Number of repetitions; nothing is written for 0 and less.</param>
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

    /// <summary>Gets the bytes written since a <see cref="Position"/>; only while the output is not truncated.</summary>
    /// <param name="position">The position.</param>
    public readonly Span<byte> Since(long position)
        => position >= _output.Length ? _span[(int)(position - _output.Length).._used] : _output.StoredSince((int)position, _used);

    /// <summary>Removes everything written since a <see cref="Position"/>.</summary>
    /// <param name="position">The position.</param>
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

    /// <summary>Advances the output by the last block. Further writes begin a new one.</summary>
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
