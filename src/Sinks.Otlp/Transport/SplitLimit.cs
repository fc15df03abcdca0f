namespace AsyncLog;

/// <summary>How many records a request may hold while a batch is halved that was too large for the server. Pure but for what it remembers.</summary>
internal sealed class SplitLimit
{
    private int _limit = int.MaxValue;
    private int _records;

    /// <summary>The most records of the next request.</summary>
    public int For(int maxRecords) => Math.Min(_limit, maxRecords);

    /// <summary>The server found a request too large.</summary>
    /// <param name="records">Of the request; at least 2.</param>
    public void Halve(int records)
    {
        if (_records < records)
            _records = records;
        _limit = (records + 1) / 2;
    }

    /// <summary>Records of the front were settled: the limit ends with the request that was too large.</summary>
    public void Passed(int records)
    {
        _records = Math.Max(0, _records - records);
        if (_records == 0)
            _limit = int.MaxValue;
    }
}
