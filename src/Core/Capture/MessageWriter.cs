using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;

namespace AsyncLog;

/// <summary>Writes a message as UTF-8 so that it equals the transcoded whole, also where halves of a surrogate pair meet.</summary>
/// <remarks>The owner calls <see cref="Flush"/> at the end.</remarks>
internal ref struct MessageWriter
{
    private const int LongText = 8 * 1024;
    private const int UsualValue = 64;
    private const int LongestValue = 1 << 20;
    private readonly RecordBuffer _output;
    private Utf8Writer _writer;
    // The first half of a pair that ended the last text; the other half may begin the next one.
    private char _half;

    public MessageWriter(RecordBuffer output)
    {
        _output = output;
        _writer = new Utf8Writer(output);
    }

    /// <summary>Whether the limit is reached, so that more would only be counted.</summary>
    public bool IsFull
    {
        get
        {
            _writer.Flush();
            return _output.Total >= _output.Limit;
        }
    }

    /// <summary>The most bytes that will be stored.</summary>
    public int Limit => _output.Limit;

    public void Write(scoped ReadOnlySpan<byte> utf8)
    {
        if (_half != 0 && !utf8.IsEmpty)
            WriteHalf();
        _writer.Write(utf8);
    }

    public void Write(scoped ReadOnlySpan<char> text)
    {
        if (text.IsEmpty)
            return;
        if (_half != 0 && WriteHalf(text[0]))
            text = text[1..];
        if (!text.IsEmpty && char.IsHighSurrogate(text[^1]))
        {
            _half = text[^1];
            text = text[..^1];
        }
        if (text.Length <= LongText)
            _writer.Write(text);
        else
            WriteLong(text);
    }

    /// <summary>Writes a value through its own UTF-8 formatting, in the invariant culture.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteValue<T>(T value, string? format)
        where T : IUtf8SpanFormattable
    {
        if (_half != 0)
            WriteHalf();
        if (value.TryFormat(_writer.GetSpan(UsualValue), out var written, format, CultureInfo.InvariantCulture))
            _writer.Advance(written);
        else
            WriteLongValue(value, format);
    }

    /// <summary>Writes a value of a foreign type; false when what it wrote is not UTF-8 or does not end.</summary>
    public bool TryWriteForeign(IUtf8SpanFormattable value, string? format)
    {
        if (_half != 0)
            WriteHalf();
        for (var size = UsualValue; size <= LongestValue; size *= 4)
        {
            var span = _writer.GetSpan(size);
            if (!value.TryFormat(span, out var written, format, CultureInfo.InvariantCulture))
                continue;
            if ((uint)written > (uint)span.Length || !Utf8.IsValid(span[..written]))
                return false;
            _writer.Advance(written);
            return true;
        }
        return false;
    }

    /// <summary>Writes a <see cref="double"/> with fixed decimals.</summary>
    public void WriteFixed(double value, int digits, string format)
    {
        if (_half != 0)
            WriteHalf();
        if (FixedPoint.TryFormat(value, digits, _writer.GetSpan(UsualValue), out var written))
            _writer.Advance(written);
        else
            WriteValue(value, format);
    }

    public void Pad(int count)
    {
        if (count <= 0)
            return;
        if (_half != 0)
            WriteHalf();
        _writer.Fill((byte)' ', count);
    }

    public void Flush()
    {
        if (_half != 0)
            WriteHalf();
        _writer.Flush();
    }

    private void WriteHalf()
    {
        _half = '\0';
        _writer.Write("\uFFFD"u8);
    }

    private bool WriteHalf(char next)
    {
        if (!char.IsLowSurrogate(next))
        {
            WriteHalf();
            return false;
        }
        _writer.Write((ReadOnlySpan<char>)[_half, next]);
        _half = '\0';
        return true;
    }

    // Only what will be stored is transcoded; the rest is counted.
    private void WriteLong(scoped ReadOnlySpan<char> text)
    {
        _writer.Flush();
        var head = (int)Math.Clamp(_output.Limit - _output.Total, 0, text.Length);
        if (head > 0 && head < text.Length && char.IsHighSurrogate(text[head - 1]))
            head++;
        if (head > 0)
            _writer.Write(text[..head]);
        _writer.Flush();
        if (head < text.Length)
            _output.Advance(Encoding.UTF8.GetByteCount(text[head..]));
    }

    private void WriteLongValue<T>(T value, string? format)
        where T : IUtf8SpanFormattable
    {
        for (var size = UsualValue * 4; size <= LongestValue; size *= 4)
        {
            if (value.TryFormat(_writer.GetSpan(size), out var written, format, CultureInfo.InvariantCulture))
            {
                _writer.Advance(written);
                return;
            }
        }
        throw new FormatException("The text of one value is longer than 1 MB.");
    }
}
