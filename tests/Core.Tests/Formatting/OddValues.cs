using System.Collections;
using System.Text;

namespace AsyncLog.Tests.Formatting;

// Values as only users can invent them.

internal sealed class ThrowingToString
{
    public override string ToString() => throw new InvalidOperationException("no text");
}

internal sealed class NullToString
{
    public override string? ToString() => null;
}

internal sealed class ThrowingSequence(int before) : IEnumerable
{
    public IEnumerator GetEnumerator()
    {
        for (var i = 0; i < before; i++)
            yield return i;
        throw new IOException("gone");
    }
}

/// <summary>Writes bytes that are no UTF-8.</summary>
internal sealed class BrokenUtf8 : IUtf8SpanFormattable
{
    public bool TryFormat(Span<byte> utf8Destination, out int bytesWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
    {
        utf8Destination[0] = (byte)'a';
        utf8Destination[1] = 0xC3;
        utf8Destination[2] = (byte)'\n';
        bytesWritten = 3;
        return true;
    }
}

/// <summary>Says that it wrote more than there is room.</summary>
internal sealed class LyingFormattable : IUtf8SpanFormattable
{
    public bool TryFormat(Span<byte> utf8Destination, out int bytesWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
    {
        bytesWritten = int.MaxValue;
        return true;
    }
}

/// <summary>Knows a format, and its provider.</summary>
internal sealed class Money(decimal amount) : IFormattable
{
    public string ToString(string? format, IFormatProvider? formatProvider)
        => format == "bad" ? throw new FormatException() : amount.ToString(format, formatProvider) + " EUR";
}

/// <summary>A custom dictionary whose keys repeat.</summary>
internal sealed class RepeatedKeys : IEnumerable<KeyValuePair<string, object?>>
{
    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => Enumerable.Repeat(KeyValuePair.Create("a", (object?)this), 200).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>A span-formattable value that needs more room than any first guess.</summary>
internal sealed class LongFormattable(int length) : IUtf8SpanFormattable
{
    public bool TryFormat(Span<byte> utf8Destination, out int bytesWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
    {
        bytesWritten = 0;
        if (utf8Destination.Length < length)
            return false;
        Encoding.UTF8.GetBytes(new string('l', length)).CopyTo(utf8Destination);
        bytesWritten = length;
        return true;
    }
}
