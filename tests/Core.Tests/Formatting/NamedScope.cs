using System.Collections;

namespace AsyncLog.Tests.Formatting;

/// <summary>A scope of pairs with a text of its own.</summary>
internal sealed class NamedScope(string text, KeyValuePair<string, object?>[] pairs) : IReadOnlyList<KeyValuePair<string, object?>>
{
    public int Count => pairs.Length;

    public KeyValuePair<string, object?> this[int index] => pairs[index];

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => pairs.AsEnumerable().GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => text;
}
