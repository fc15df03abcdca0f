namespace AsyncLog;

/// <summary>The one word that callers compete for: sealed (bit 63) | low bits of the segment's sequence (41–62) | record count (23–40) | byte offset (0–22).</summary>
/// <remarks>The offset may be the end of the largest segment, so it takes one bit more than in a <see cref="Slot"/>; the count is that of the most slots of one.
/// The sequence bits make a word of an earlier life of the same segment different, so a stale caller's compare-and-swap fails.</remarks>
internal static class StateWord
{
    private const int CountShift = 23;
    private const int SequenceShift = 41;
    private const long OffsetField = (1L << CountShift) - 1;
    private const long CountField = (1L << (SequenceShift - CountShift)) - 1;
    private const long SequenceField = (1L << (63 - SequenceShift)) - 1;

    /// <summary>The sealed bit: claims fail from here on.</summary>
    public const long Sealed = long.MinValue;

    public static long Fresh(long sequence) => (sequence & SequenceField) << SequenceShift;

    public static bool IsSealed(long word) => word < 0;

    public static int Offset(long word) => (int)(word & OffsetField);

    public static int Count(long word) => (int)((word >> CountShift) & CountField);

    /// <summary>The word after one more record of <paramref name="length"/> bytes.</summary>
    public static long Claimed(long word, int length) => word + (1L << CountShift) + length;
}
