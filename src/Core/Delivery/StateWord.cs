namespace AsyncLog;

/// <summary>The one word that callers compete for: sealed (bit 63) | low bits of the segment's sequence (42–62) | record count (21–41) | byte offset (0–20).</summary>
/// <remarks>The sequence bits make a word of an earlier life of the same segment different, so a stale caller's compare-and-swap fails.</remarks>
internal static class StateWord
{
    private const int CountShift = 21;
    private const int SequenceShift = 42;
    private const long Field = (1L << 21) - 1;

    /// <summary>The sealed bit: claims fail from here on.</summary>
    public const long Sealed = long.MinValue;

    public static long Fresh(long sequence) => (sequence & Field) << SequenceShift;

    public static bool IsSealed(long word) => word < 0;

    public static int Offset(long word) => (int)(word & Field);

    public static int Count(long word) => (int)((word >> CountShift) & Field);

    /// <summary>The word after one more record of <paramref name="length"/> bytes.</summary>
    public static long Claimed(long word, int length) => word + (1L << CountShift) + length;
}
