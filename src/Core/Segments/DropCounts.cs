using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Counts of dropped records by reason and level, with the time of the first and the last. One writer.</summary>
internal sealed class DropCounts
{
    public const int Levels = 6;
    private readonly long[] _counts = new long[DropReasons.Count * Levels];
    private readonly long[] _first = new long[DropReasons.Count];
    private readonly long[] _last = new long[DropReasons.Count];

    /// <summary>All records.</summary>
    public long Total { get; private set; }

    public long this[DropReason reason, LogLevel level] => _counts[Index(reason, level)];

    public void Add(DropReason reason, LogLevel level, long ticks, long count = 1)
    {
        _counts[Index(reason, level)] += count;
        Total += count;
        ref var first = ref _first[DropReasons.IndexOf(reason)];
        ref var last = ref _last[DropReasons.IndexOf(reason)];
        if (first == 0 || ticks < first)
            first = ticks;
        if (ticks > last)
            last = ticks;
    }

    /// <summary>Copies the counts of another.</summary>
    public void CopyFrom(DropCounts other)
    {
        other._counts.CopyTo(_counts, 0);
        other._first.CopyTo(_first, 0);
        other._last.CopyTo(_last, 0);
        Total = other.Total;
    }

    public long Of(DropReason reason)
    {
        var sum = 0L;
        for (var level = 0; level < Levels; level++)
            sum += this[reason, (LogLevel)level];
        return sum;
    }

    public long FirstTicks(DropReason reason) => _first[DropReasons.IndexOf(reason)];

    public long LastTicks(DropReason reason) => _last[DropReasons.IndexOf(reason)];

    public void Clear()
    {
        if (Total == 0)
            return;
        Array.Clear(_counts);
        Array.Clear(_first);
        Array.Clear(_last);
        Total = 0;
    }

    /// <summary>Returns the place of a reason and level in an array of <see cref="DropReasons.Count"/> times <see cref="Levels"/> counts.</summary>
    public static int Index(DropReason reason, LogLevel level) => (DropReasons.IndexOf(reason) * Levels) + (int)level;
}
