using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace AsyncLog.Tests;

/// <summary>What a record says of itself: <c>thread:sequence:checksum filling</c>. The checksum covers all of it.</summary>
internal readonly record struct EnduranceRecord(int Thread, long Sequence)
{
    public const string Category = "Endurance";
    private const int ShortestFilling = 60;
    private const int FillingLengths = 40;
    private const int ChecksumDigits = 8;

    public static string Text(int thread, long sequence)
    {
        var filling = new string((char)('a' + (sequence % 26)), ShortestFilling + (int)(sequence % FillingLengths));
        return string.Create(CultureInfo.InvariantCulture, $"{thread}:{sequence}:{Hash(thread, sequence, Encoding.ASCII.GetBytes(filling)):x8} {filling}");
    }

    /// <summary>Reads a message; null when it is torn.</summary>
    public static EnduranceRecord? Parse(ReadOnlySpan<byte> text)
    {
        if (!Utf8Parser.TryParse(text, out int thread, out var used) || used >= text.Length || text[used] != ':')
            return null;
        text = text[(used + 1)..];
        if (!Utf8Parser.TryParse(text, out long sequence, out used) || used >= text.Length || text[used] != ':')
            return null;
        text = text[(used + 1)..];
        if (!Utf8Parser.TryParse(text, out uint checksum, out used, 'x') || used != ChecksumDigits || used >= text.Length || text[used] != ' ')
            return null;
        return checksum == Hash(thread, sequence, text[(used + 1)..]) ? new EnduranceRecord(thread, sequence) : null;
    }

    // FNV-1a.
    private static uint Hash(int thread, long sequence, ReadOnlySpan<byte> filling)
    {
        var hash = unchecked((2_166_136_261u ^ (uint)thread) * 16_777_619u);
        hash = unchecked((hash ^ (uint)sequence) * 16_777_619u);
        foreach (var letter in filling)
            hash = unchecked((hash ^ letter) * 16_777_619u);
        return hash;
    }
}
