namespace AsyncLog;

/// <summary>Limits the records of a request while a batch that was too large for the server is halved, again and again where needed. Worker only.</summary>
internal sealed class SplitLimit
{
    // The part at the front of the batch is the last one.
    private readonly Stack<int> _parts = new();

    // A notice of AsyncLog's own may be sent between two attempts: it has nothing to do with the parts.
    private LogBatch? _batch;

    /// <summary>The most records of the next request.</summary>
    public int For(LogBatch batch, int maxRecords) => ReferenceEquals(_batch, batch) && _parts.TryPeek(out int part) ? Math.Min(part, maxRecords) : maxRecords;

    /// <summary>The server found a request too large.</summary>
    /// <param name="batch">The batch that the request is made of.</param>
    /// <param name="records">Of the request; at least 2.</param>
    public void Halve(LogBatch batch, int records)
    {
        if (!ReferenceEquals(_batch, batch))
            _parts.Clear();
        _batch = batch;
        Passed(batch, records);
        _parts.Push(records / 2);
        _parts.Push(records - (records / 2));
    }

    /// <summary>Records of the front were settled.</summary>
    public void Passed(LogBatch batch, int records)
    {
        if (!ReferenceEquals(_batch, batch) || !_parts.TryPop(out int part))
            return;
        if (part > records)
            _parts.Push(part - records);
    }

    /// <summary>Nothing is left of the batch.</summary>
    public void Clear(LogBatch batch)
    {
        if (ReferenceEquals(_batch, batch))
            _parts.Clear();
    }
}
