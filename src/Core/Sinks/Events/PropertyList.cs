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
        if (Count == _items.Length)
            Array.Resize(ref _items, Count * 2);
        _items[Count++] = new LogProperty(name, value);
    }

    /// <summary>Adds <paramref name="count"/> values at once, null until the caller sets them.</summary>
    public Span<LogProperty> Take(int count)
    {
        var first = Count;
        Count += count;
        if (Count > _items.Length)
            Array.Resize(ref _items, Math.Max(Count, _items.Length * 2));
        return _items.AsSpan(first, count);
    }

    /// <summary>Sets the value of one that was added.</summary>
    public void Set(int index, in LogValue value) => _items[index] = new LogProperty(_items[index].Name, value);

    /// <summary>Gives one that was added another name.</summary>
    public void Rename(int index, string name) => _items[index] = new LogProperty(name, _items[index].Value);

    /// <summary>Takes one out; those behind move up.</summary>
    public void RemoveAt(int index)
    {
        _items.AsSpan(index + 1, Count - index - 1).CopyTo(_items.AsSpan(index));
        _items[--Count] = default;
    }

    /// <summary>Drops every reference, and the memory too if it is far more than usual.</summary>
    public void Clear()
    {
        if (Count == 0)
            return;
        if (_items.Length > KeptRoom)
            _items = new LogProperty[FirstRoom];
        else
            _items.AsSpan(0, Count).Clear();
        Count = 0;
    }
}
