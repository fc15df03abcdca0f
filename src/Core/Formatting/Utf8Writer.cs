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

    public Utf8Writer(RecordBuffer output)
    {
        _output = output;
        _span = output.GetSpan(Block);
    }

    /// <summary>Bytes written so far, those before this writer and beyond the limit included.</summary>
    public readonly long Position => _output.Total + _used;

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

    /// <summary>Hands what was written over to the output.</summary>
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
