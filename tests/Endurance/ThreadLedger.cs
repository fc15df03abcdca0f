using System.Collections;

namespace AsyncLog.Tests;

/// <summary>Which records of one thread were read, and where.</summary>
internal sealed class ThreadLedger(int thread, long calls, Findings twice, Findings order)
{
    private readonly BitArray _seen = new((int)calls);
    private readonly List<(long First, long Last, string File)> _ranges = [];
    private long _last = -1;
    private long _first = -1;

    public long Missing { get; private set; } = calls;

    /// <summary>What is missing behind the oldest record that was read.</summary>
    public long MissingSinceFirst => MissingBetween(_ranges.Count == 0 ? -1 : _ranges.Min(static range => range.First) - 1, _seen.Length - 1);

    /// <summary>Takes the next record of a file.</summary>
    /// <returns>False when it was never logged.</returns>
    public bool Take(long sequence, string file)
    {
        if (sequence < 0 || sequence >= _seen.Length)
            return false;
        if (_seen[(int)sequence])
            twice.Add($"{file}: {thread}:{sequence}");
        else
            Missing--;
        _seen[(int)sequence] = true;
        if (sequence <= _last)
            order.Add($"{file}: {thread}:{sequence} after {_last}");
        if (_last < 0)
            _first = sequence;
        _last = sequence;
        return true;
    }

    /// <summary>Ends a file.</summary>
    /// <returns>The last sequence in it; -1: none.</returns>
    public long EndFile(string file)
    {
        var last = _last;
        if (last >= 0)
            _ranges.Add((_first, last, file));
        _last = -1;
        return last;
    }

    /// <summary>Records go to one file after the other, never back.</summary>
    public void CheckOrderOfFiles()
    {
        _ranges.Sort();
        foreach (var (before, after) in _ranges.Zip(_ranges.Skip(1)))
        {
            if (after.First <= before.Last)
                order.Add($"thread {thread}: {after.File} begins with {after.First}, {before.File} ends with {before.Last}");
        }
    }

    /// <summary>How many records between two sequences were not read.</summary>
    public long MissingBetween(long after, long upTo)
    {
        var missing = 0L;
        for (var i = after + 1; i <= upTo && i < _seen.Length; i++)
            missing += _seen[(int)i] ? 0 : 1;
        return missing;
    }
}
