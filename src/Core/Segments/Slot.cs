using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A record's place in a segment: two words, the second stored last.</summary>
/// <remarks>
/// <para>A file format: a spool file and a crash buffer hold these words, and a later version of AsyncLog reads them. To change a bit, raise the version in the magic of
/// <c>SegmentFile</c>, <c>CrashRegion</c> and <see cref="SegmentMemory"/>; tests/Core.Tests/Survival/PersistedFormatTests.cs reads what an earlier build wrote.</para>
/// <para>Word: committed (bit 0) | level (1–3) | category number (4–21) | length - 1 (22–41) | offset (42–63). A length of 1 to 1 MiB and an
/// offset below 4 MiB fit; 0 means not committed.</para>
/// </remarks>
internal struct Slot
{
    /// <summary>Time of the record, UTC ticks. Written before <see cref="Word"/>.</summary>
    public long Ticks;

    /// <summary>Offset, length, level, category and the committed bit. Stored with release by the caller, read with acquire by the worker.</summary>
    public long Word;

    /// <summary>The largest segment.</summary>
    public const int MaxBytes = 1 << 22;

    /// <summary>The longest record.</summary>
    public const int MaxLength = 1 << 20;

    /// <summary>The largest category number; categories beyond share it.</summary>
    public const int MaxCategory = (1 << 18) - 1;

    private const int CategoryShift = 4;
    private const int LengthShift = 22;
    private const int OffsetShift = 42;

    public static long Pack(int offset, int length, LogLevel level, int category)
        => ((long)offset << OffsetShift) | ((long)(length - 1) << LengthShift) | ((long)category << CategoryShift) | ((long)level << 1) | 1;

    /// <summary>Returns true if the record is there: neither a claim without a commit nor a refused one.</summary>
    public static bool IsCommitted(long word) => (word & 1) != 0;

    /// <summary>The word of the same record once it is refused: a place that holds no record any more, with the reason instead of the category.</summary>
    public static long Refused(long word, DropReason reason) => (word & ~(1L | ((long)MaxCategory << CategoryShift))) | ((long)reason << CategoryShift);

    /// <summary>The reason of such a word; null: it is none.</summary>
    public static DropReason? RefusedBecause(long word)
        => word != 0 && !IsCommitted(word) && Category(word) is var reason and <= byte.MaxValue && DropReasons.IsAfter((DropReason)reason) ? (DropReason)reason : null;

    /// <summary>The word of a place that holds no record and whose loss is counted.</summary>
    public static long Counted(long word) => (word & ~1L) | ((long)MaxCategory << CategoryShift);

    /// <summary>Returns true if it is such a word.</summary>
    public static bool IsCounted(long word) => !IsCommitted(word) && Category(word) == MaxCategory;

    public static int Offset(long word) => (int)((ulong)word >> OffsetShift);

    /// <summary>The word of the same record, with a larger offset.</summary>
    public static long Moved(long word, int bytes) => word + ((long)bytes << OffsetShift);

    public static int Length(long word) => (int)((word >> LengthShift) & 0xFFFFF) + 1;

    public static LogLevel Level(long word) => (LogLevel)((word >> 1) & 7);

    public static int Category(long word) => (int)((word >> CategoryShift) & MaxCategory);
}
