using System.Collections;

namespace AsyncLog;

/// <summary>The properties that every record of a layout has. Equal ones compare as equal, so that equal layouts share a formatter.</summary>
internal sealed class ConstantProperties(IEnumerable<KeyValuePair<string, string>> properties) : IReadOnlyList<KeyValuePair<string, string>>
{
    private readonly KeyValuePair<string, string>[] _properties = [.. properties];

    public static ConstantProperties None { get; } = new([]);

    public int Count => _properties.Length;

    public KeyValuePair<string, string> this[int index] => _properties[index];

    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => _properties.AsEnumerable().GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override bool Equals(object? obj) => obj is ConstantProperties other && _properties.AsSpan().SequenceEqual(other._properties);

    public override int GetHashCode()
    {
        HashCode hash = default;
        foreach (var (name, value) in _properties)
        {
            hash.Add(name, StringComparer.Ordinal);
            hash.Add(value, StringComparer.Ordinal);
        }

        return hash.ToHashCode();
    }
}
