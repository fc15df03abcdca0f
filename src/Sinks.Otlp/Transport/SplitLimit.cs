namespace AsyncLog;

/// <summary>How many records a request may hold while what was too large for the server is halved, again and again where needed.</summary>
internal sealed class SplitLimit
{
    // The part at the front of the batch is the last one.
    private readonly Stack<int> _parts = new();

    /// <summary>The most records of the next request.</summary>
    public int For(int maxRecords) => _parts.TryPeek(out int part) ? Math.Min(part, maxRecords) : maxRecords;

    /// <summary>The server found a request too large.</summary>
    /// <param name="records">Of the request; at least 2.</param>
    public void Halve(int records)
    {
        Passed(records);
        _parts.Push(records / 2);
        _parts.Push(records - (records / 2));
    }

    /// <summary>Records of the front were settled.</summary>
    public void Passed(int records)
    {
        if (!_parts.TryPop(out int part))
            return;
        if (part > records)
            _parts.Push(part - records);
    }

    /// <summary>Nothing is left of the batch.</summary>
    public void Clear() => _parts.Clear();
}
