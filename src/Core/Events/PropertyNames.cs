using System.Text;

namespace AsyncLog;

/// <summary>Finds properties by name; of several with one name the last counts.</summary>
internal static class PropertyNames
{
    /// <summary>Lists up to this length are compared pair by pair.</summary>
    private const int PairwiseLimit = 64;

    /// <summary>The last property of a name, or -1.</summary>
    public static int FindLast(ReadOnlySpan<LogProperty> properties, string name)
    {
        for (var i = properties.Length - 1; i >= 0; i--)
        {
            if (Same(properties[i].Name, name))
                return i;
        }
        return -1;
    }

    /// <summary>Marks the properties that have a name and are not repeated later; returns their number.</summary>
    public static int MarkLast(ReadOnlySpan<LogProperty> properties, Span<bool> isLast)
    {
        var count = 0;
        var seen = properties.Length > PairwiseLimit ? new HashSet<string>(StringComparer.Ordinal) : null;
        for (var i = properties.Length - 1; i >= 0; i--)
        {
            var name = properties[i].Name;
            isLast[i] = name.Length > 0 && (seen is null ? FindLast(properties[(i + 1)..], name) < 0 : seen.Add(Readable(name)));
            count += isLast[i] ? 1 : 0;
        }
        return count;
    }

    /// <summary>Returns true if two names are the same in a record, where an unpaired surrogate is U+FFFD.</summary>
    public static bool Same(string one, string other)
        => string.Equals(one, other, StringComparison.Ordinal)
            || (one.Length == other.Length && (HasSurrogate(one) || HasSurrogate(other))
                && string.Equals(Readable(one), Readable(other), StringComparison.Ordinal));

    private static bool HasSurrogate(string text) => text.AsSpan().ContainsAnyInRange('\uD800', '\uDFFF');

    private static string Readable(string text) => HasSurrogate(text) ? Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text)) : text;
}
