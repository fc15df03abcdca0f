namespace AsyncLog;

/// <summary>Counts the attributes of one record against their limit.</summary>
/// <param name="limit">The most that are written.</param>
internal struct AttributeTally(int limit)
{
    private int _left = limit;

    /// <summary>Attributes left out.</summary>
    public int Dropped { get; set; }

    /// <summary>Takes the place of one attribute; counts it as left out when there is none.</summary>
    public bool TryTake()
    {
        if (_left > 0)
        {
            _left--;
            return true;
        }

        Dropped++;
        return false;
    }
}
