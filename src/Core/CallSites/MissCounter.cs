namespace AsyncLog;

/// <summary>Spares most attempts of what was in vain the last times. A race does no harm.</summary>
internal struct MissCounter
{
    private const int MostMisses = 8;
    private const int TriedOf = 64;

    // Without a sign: beyond its largest value it begins anew.
    private uint _misses;

    /// <summary>Returns false for most attempts after the last ones were all in vain.</summary>
    public bool IsWorthTrying() => _misses < MostMisses || ++_misses % TriedOf == 0;

    /// <summary>Counts an attempt.</summary>
    public void Count(bool isSuccess)
    {
        if (!isSuccess)
            _misses++;
        else if (_misses != 0)
            _misses = 0;
    }
}
