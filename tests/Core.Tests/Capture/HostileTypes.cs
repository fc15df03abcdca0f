using System.Collections;

namespace AsyncLog.Tests.Capture;

#pragma warning disable MA0048 // The small types that tests log stand together.

/// <summary>Throws when asked for its text.</summary>
internal sealed class BadValue : IFormattable
{
    public override string ToString() => throw new InvalidOperationException("no text");

    public string ToString(string? format, IFormatProvider? formatProvider) => ToString();
}

/// <summary>A value whose text needs more memory than any process has.</summary>
internal sealed class HungryValue
{
    public static string Text() => new('x', int.MaxValue);

    public override string ToString() => Text();
}

/// <summary>Throws after some elements.</summary>
internal sealed class ThrowingPairs(int good) : IEnumerable<KeyValuePair<string, object?>>
{
    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        for (var i = 0; i < good; i++)
            yield return new KeyValuePair<string, object?>("k" + i, i);
        throw new IOException("gone");
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>Never ends.</summary>
internal sealed class EndlessSequence : IEnumerable<KeyValuePair<string, object?>>
{
    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        while (true)
            yield return new KeyValuePair<string, object?>("k", "v");
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>Says it has more pairs than it has, fewer than none, or gives what is asked without end.</summary>
internal readonly struct LyingList(int count, int good) : IReadOnlyList<KeyValuePair<string, object?>>
{
    public int Count => count;

    public KeyValuePair<string, object?> this[int index]
        => index < good ? new("k" + index, index) : throw new ArgumentOutOfRangeException(nameof(index));

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => throw new NotSupportedException();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

/// <summary>Writes bytes that are no UTF-8, lies about how many, or never has room enough.</summary>
internal sealed class BadUtf8(int written, byte value) : IUtf8SpanFormattable
{
    public override string ToString() => "sound";

    public bool TryFormat(Span<byte> utf8Destination, out int bytesWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
    {
        utf8Destination.Fill(value);
        bytesWritten = written;
        return written >= 0;
    }
}

/// <summary>An exception whose members throw.</summary>
internal sealed class BadException(Exception? inner = null) : Exception(null, inner)
{
    public override string Message => throw new InvalidOperationException("no message");

    public override string? StackTrace => throw new InvalidOperationException("no trace");
}
