using System.Diagnostics.CodeAnalysis;

namespace AsyncLog.Sinks;

/// <summary>A named value of an event: a template argument, a state pair or a scope pair.</summary>
/// <param name="name">The name as the application gave it, for <c>{@Item}</c> and <c>{$Item}</c> in a message template without the sign; never null.</param>
/// <param name="value">The value, captured without a box where its type is known.</param>
public readonly struct LogProperty(string name, LogValue value)
{
    // Written in place by the list that owns the memory: a property is too large to be copied per record.
    private readonly string _name = name;
    private readonly LogValue _value = value;

    /// <summary>The name as the application gave it, for <c>{@Item}</c> and <c>{$Item}</c> in a message template without the sign; never null.</summary>
    public string Name => _name;

    /// <summary>The value.</summary>
    public LogValue Value => _value;

    /// <summary>A reference to the value, without a copy.</summary>
    [UnscopedRef]
    internal ref readonly LogValue ValueRef => ref _value;

    [UnscopedRef]
    internal ref readonly string NameRef => ref _name;
}

/// <summary>Named values in order, in memory that is reused.</summary>
internal sealed class PropertyList
{
    private const int FirstRoom = 16;
    private const int KeptRoom = 256;
    private LogProperty[] _items = [];

    public int Count { get; private set; }

    public ReadOnlySpan<LogProperty> Items => _items.AsSpan(0, Count);

    /// <summary>The template of which a sign changed a value; null if none did. See <see cref="NameOperators"/>.</summary>
    public MessageTemplate? Template { get; set; }

    /// <summary>Adds a value; a null name is dropped.</summary>
    public void Add(string? name, in LogValue value)
    {
        if (name is null)
            return;
        if (Count == _items.Length)
            Grow(Count + 1);
        _items[Count++] = new LogProperty(name, value);
    }

    /// <summary>Adds <paramref name="count"/> properties at once, empty until the caller sets them.</summary>
    public Span<LogProperty> Take(int count)
    {
        var first = Count;
        if (first + count > _items.Length)
            Grow(first + count);
        // After the allocation: a list that is longer than its memory could not be cleared.
        Count = first + count;
        return _items.AsSpan(first, count);
    }

    /// <summary>Replaces the value of a property.</summary>
    public void Set(int index, in LogValue value) => _items[index] = new LogProperty(_items[index].Name, value);

    /// <summary>Renames a property.</summary>
    public void Rename(int index, string name) => _items[index] = new LogProperty(name, _items[index].Value);

    /// <summary>Removes a property; those behind it move up.</summary>
    public void RemoveAt(int index)
    {
        _items.AsSpan(index + 1, Count - index - 1).CopyTo(_items.AsSpan(index));
        _items[--Count] = default;
    }

    /// <summary>Clears every reference; frees the memory of a list that grew beyond the usual size. Allocates nothing.</summary>
    public void Clear()
    {
        if (Count == 0)
            return;
        Template = null;
        if (_items.Length > KeptRoom)
            _items = [];
        else
            _items.AsSpan(0, Count).Clear();
        Count = 0;
    }

    private void Grow(int needed) => Array.Resize(ref _items, Math.Max(Math.Max(needed, FirstRoom), _items.Length * 2));
}
