using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>A bounded table of entries that never change, so that readers need no lock. Found by a hash, mostly of a reference, and a comparison.</summary>
/// <typeparam name="TEntry">The entries. A race between two writers loses one of them, no more.</typeparam>
/// <param name="probes">The places in which an entry of one hash may be, a power of two.</param>
internal sealed class ReferenceCache<TEntry>(int size, int probes)
    where TEntry : class
{
    private readonly TEntry?[] _entries = new TEntry?[size];
    private ReplacedPlace _replaced;

    /// <summary>Gets the entry at a place; those of one hash are at that hash and the places after it, as many as there are probes.</summary>
    /// <remarks>The caller's loop compares: through a type parameter the comparison would not be inlined.</remarks>
    public TEntry? this[int place]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _entries[place & (_entries.Length - 1)];
    }

    /// <summary>Adds an entry, in place of another one if need be.</summary>
    public void Add(int hash, TEntry entry)
    {
        var place = FindFree(hash);
        if (place < 0)
            place = (hash + _replaced.Next(probes)) & (_entries.Length - 1);
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
}

/// <summary>Chooses the place whose entry is replaced, pseudo-randomly: in turn, entries in use would replace each other forever once as many are missed in a row as
/// there are places. A race does no harm.</summary>
internal struct ReplacedPlace
{
    private uint _state;

    /// <summary>Returns a number from 0 on.</summary>
    /// <param name="places">How many there are, a power of two, at most 256.</param>
    public int Next(int places)
    {
        _state = (_state * 1664525) + 1013904223;
        return (int)(_state >> 24) & (places - 1);
    }
}
