namespace AsyncLog;

/// <summary>Counts records that were handed over and are not kept: by where they end on the wire, in steps of a few KB, so that it stays small. Pure.</summary>
internal sealed class UnprovedRecords
{
    private const long Step = 4096;
    private readonly Queue<(long End, int Count)> _settled = new();
    private (long Start, long End, int Count) _last;

    /// <summary>Adds records.</summary>
    /// <param name="end">Where the last of them ends; never less than before.</param>
    /// <param name="count">How many.</param>
    public void Add(long end, int count)
    {
        if (_last.Count > 0 && end - _last.Start > Step)
        {
            _settled.Enqueue((_last.End, _last.Count));
            _last = default;
        }

        _last = _last.Count == 0 ? (end, end, count) : (_last.Start, end, _last.Count + count);
    }

    /// <summary>Forgets records that end at or before a place.</summary>
    public void Forget(long end)
    {
        while (_settled.TryPeek(out var first) && first.End <= end)
            _settled.Dequeue();
        if (_last.End <= end)
            _last = default;
    }

    /// <summary>How many end behind a place; a step that straddles it counts whole.</summary>
    public int CountBehind(long end)
    {
        int count = _last.End > end ? _last.Count : 0;
        foreach (var (settledEnd, settled) in _settled)
            count += settledEnd > end ? settled : 0;
        return count;
    }

    public void Clear()
    {
        _settled.Clear();
        _last = default;
    }
}
