namespace AsyncLog;

/// <summary>A bounded table of entries that never change, so that readers need no lock. Found by a hash, mostly of a reference, and a comparison.</summary>
/// <typeparam name="TEntry">The entries. A race between two writers loses one of them, no more.</typeparam>
/// <param name="size">The number of entries, a power of two.</param>
/// <param name="probes">The places in which an entry of one hash may be, a power of two.</param>
internal sealed class ReferenceCache<TEntry>(int size, int probes)
    where TEntry : class
{
    private readonly TEntry?[] _entries = new TEntry?[size];
    private int _turn;

    /// <summary>Finds an entry.</summary>
    /// <typeparam name="TKey">A struct, so that its comparison is inlined.</typeparam>
    /// <param name="hash">The key's hash.</param>
    /// <param name="key">The key.</param>
    public TEntry? Find<TKey>(int hash, TKey key)
        where TKey : struct, IKey, allows ref struct
    {
        var entries = _entries;
        for (var i = 0; i < probes; i++)
        {
            if (entries[(hash + i) & (entries.Length - 1)] is { } entry && key.IsOf(entry))
                return entry;
        }
        return null;
    }

    /// <summary>Gets whether an entry of this hash can be added without replacing another one.</summary>
    public bool HasRoom(int hash) => FindFree(hash) >= 0;

    /// <summary>Adds an entry, in place of another one if need be.</summary>
    public void Add(int hash, TEntry entry)
    {
        var place = FindFree(hash);
        // In turn, so that two entries in use cannot replace each other for ever while unused ones stay. A lost count does no harm.
        if (place < 0)
            place = (hash + (_turn++ & (probes - 1))) & (_entries.Length - 1);
        Volatile.Write(ref _entries[place], entry);
    }

    private int FindFree(int hash)
    {
        for (var i = 0; i < probes; i++)
        {
            var place = (hash + i) & (_entries.Length - 1);
            if (_entries[place] is null)
                return place;
        }
        return -1;
    }

    /// <summary>What an entry is found by.</summary>
    internal interface IKey
    {
        bool IsOf(TEntry entry);
    }
}
