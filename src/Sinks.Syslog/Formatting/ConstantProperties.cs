namespace AsyncLog;

/// <summary>Properties that every record carries, in the order of their names; compares by value.</summary>
internal sealed class ConstantProperties : IEquatable<ConstantProperties>
{
    private readonly KeyValuePair<string, string>[] _items;

    private ConstantProperties(KeyValuePair<string, string>[] items) => _items = items;

    public static ConstantProperties None { get; } = new([]);

    public ReadOnlySpan<KeyValuePair<string, string>> Items => _items;

    public static ConstantProperties From(IEnumerable<KeyValuePair<string, string>> items) =>
        new([.. items.OrderBy(static pair => pair.Key, StringComparer.Ordinal)]);

    public bool Equals(ConstantProperties? other) => other is not null && _items.AsSpan().SequenceEqual(other._items);

    public override bool Equals(object? obj) => Equals(obj as ConstantProperties);

    public override int GetHashCode() => _items.Length == 0 ? 0 : HashCode.Combine(_items.Length, _items[0].Key, _items[0].Value);
}
