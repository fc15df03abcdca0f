using System.Buffers;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes bytes of a record into a thread's scratch, contiguous, so that parts can be taken back and written again.</summary>
internal ref struct WireWriter
{
    private const int ValueRoom = 64;
    private readonly SyslogScratch _scratch;
    private Span<byte> _span;
    private int _used;

    /// <param name="scratch">The thread's scratch.</param>
    /// <param name="room">Bytes left free at the beginning, for framing.</param>
    public WireWriter(SyslogScratch scratch, int room)
    {
        _scratch = scratch;
        _span = scratch.Record;
        _used = room;
    }

    /// <summary>Where the next byte goes; setting it takes back what lies behind.</summary>
    public int Position
    {
        readonly get => _used;
        set => _used = value;
    }

    /// <summary>Everything up to <see cref="Position"/>, the room at the beginning included.</summary>
    public readonly Span<byte> Written => _span[.._used];

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

    /// <summary>Writes a value of the framework whose text has at most 64 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteValue<T>(T value, scoped ReadOnlySpan<char> format = default)
        where T : IUtf8SpanFormattable
    {
        value.TryFormat(GetSpan(ValueRoom), out var written, format, CultureInfo.InvariantCulture);
        _used += written;
    }

    /// <summary>Writes text as UTF-8, not escaped; an unpaired surrogate becomes U+FFFD.</summary>
    public void Write(scoped ReadOnlySpan<char> text)
    {
        var span = GetSpan(text.Length * 3);
        if (Ascii.FromUtf16(text, span, out var written) != OperationStatus.Done)
            Utf8.FromUtf16(text, span, out _, out written);
        _used += written;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int size) => _span = _scratch.GrowRecord(_used, _used + size);
}
