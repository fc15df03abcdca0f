using System.Runtime.CompilerServices;

namespace AsyncLog;

/// <summary>Named values in order, in memory that is reused.</summary>
internal sealed class PropertyList
{
    private const int FirstRoom = 16;
    private const int KeptRoom = 256;
    private LogProperty[] _items = new LogProperty[FirstRoom];

    public int Count { get; private set; }

    public ReadOnlySpan<LogProperty> Items => _items.AsSpan(0, Count);

    /// <summary>Adds a value; a null name is dropped.</summary>
    public void Add(string? name, in LogValue value)
    {
        if (name is null)
            return;
        Add(name) = value;
    }

    /// <summary>Adds a property whose value the caller writes in place; until then it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref LogValue Add(string name)
    {
        var items = _items;
        var index = Count;
        if ((uint)index >= (uint)items.Length)
            items = Grow();
        Count = index + 1;
        ref var item = ref items[index];
        Unsafe.AsRef(in item.NameRef) = name;
        return ref Unsafe.AsRef(in item.ValueRef);
    }

    /// <summary>Takes back what was added after <paramref name="count"/> values.</summary>
    public void Truncate(int count)
    {
        _items.AsSpan(count, Count - count).Clear();
        Count = count;
    }

    /// <summary>Drops every reference, and the memory too if it is far more than usual.</summary>
    public void Clear()
    {
        if (_items.Length > KeptRoom)
            _items = new LogProperty[FirstRoom];
        else
            _items.AsSpan(0, Count).Clear();
        Count = 0;
    }

    private LogProperty[] Grow()
    {
        Array.Resize(ref _items, _items.Length * 2);
        return _items;
    }
}
