using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>What a record says of itself: thread, sequence, length of its filling, checksum.</summary>
internal readonly record struct StressRecord(int Thread, long Sequence, int Filling, uint Checksum, bool IsCut)
{
    public static string Text(int thread, long sequence, int filling)
        => string.Create(CultureInfo.InvariantCulture, $"{thread}:{sequence}:{filling}:{Hash(thread, sequence, filling):x8} ") + Fill(sequence, filling);

    /// <summary>The level a record is logged with, so that a record that is not there is known by its level.</summary>
    public static LogLevel LevelOf(int thread, long sequence) => (LogLevel)(Hash(thread, sequence, 0) / 7 % 6);

    /// <summary>Reads a line; null when it is torn.</summary>
    public static StressRecord? Parse(ReadOnlySpan<byte> line)
    {
        var text = Encoding.UTF8.GetString(line);
        var end = text.IndexOf(' ', StringComparison.Ordinal);
        var fields = end < 0 ? [] : text[..end].Split(':');
        if (fields.Length != 4
            || !int.TryParse(fields[0], CultureInfo.InvariantCulture, out var thread)
            || !long.TryParse(fields[1], CultureInfo.InvariantCulture, out var sequence)
            || !int.TryParse(fields[2], CultureInfo.InvariantCulture, out var filling)
            || !uint.TryParse(fields[3], NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var checksum)
            || checksum != Hash(thread, sequence, filling))
            return null;
        var rest = text[(end + 1)..];
        var isCut = rest.Contains("[truncated, ", StringComparison.Ordinal);
        if (!isCut && rest != Fill(sequence, filling))
            return null;
        return new StressRecord(thread, sequence, filling, checksum, isCut);
    }

    private static string Fill(long sequence, int filling) => new((char)('a' + (sequence % 26)), filling);

    private static uint Hash(int thread, long sequence, int filling) => unchecked((uint)HashCode(thread, sequence, filling));

    // Fixed, unlike System.HashCode, so that a run can be repeated in another process.
    private static long HashCode(int thread, long sequence, int filling) => unchecked(((thread * 1_000_003L) + sequence) * 2_654_435_761L ^ (filling * 40_503L));
}
