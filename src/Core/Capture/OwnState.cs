using System.Collections;

namespace AsyncLog;

/// <summary>The log state of AsyncLog's own records: a finished text and its properties.</summary>
internal sealed class OwnState(string text, KeyValuePair<string, object?>[] properties) : IReadOnlyList<KeyValuePair<string, object?>>
{
    /// <summary>The formatter that goes with it.</summary>
    public static readonly Func<OwnState, Exception?, string> Formatter = static (state, _) => state.ToString();

    public int Count => properties.Length;

    public KeyValuePair<string, object?> this[int index] => properties[index];

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => properties.AsEnumerable().GetEnumerator();

    public override string ToString() => text;

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
