using System.Buffers;

namespace AsyncLog;

/// <summary>Reads and judges headers of requests (RFC 9110 §5).</summary>
internal static class OtlpHeaders
{
    private static readonly SearchValues<char> NameCharacters =
        SearchValues.Create("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    /// <summary>Reads the form of the variables; gives back the headers, and the numbers of the pairs that are none.</summary>
    public static (List<KeyValuePair<string, string>> Headers, List<int> Bad) Parse(string text)
    {
        List<KeyValuePair<string, string>> headers = [];
        List<int> bad = [];
        var number = 0;
        foreach (var pair in text.Split(',', StringSplitOptions.TrimEntries))
        {
            number++;
            if (pair.Length == 0)
                continue;
            if (PercentPairs.TryParsePair(pair) is { } parsed && NameRule(parsed.Key) is null && ValueRule(parsed.Value) is null)
                headers.Add(parsed);
            else
                bad.Add(number);
        }

        return (headers, bad);
    }

    /// <summary>The rule a name breaks; null when it breaks none.</summary>
    public static string? NameRule(string name) =>
        name.Length == 0 || name.AsSpan().ContainsAnyExcept(NameCharacters) ? "a header's name has letters, digits and !#$%&'*+-.^_`|~ only" : null;

    /// <summary>The rule a product identifier (RFC 9110 §10.1.5) breaks; null when it breaks none.</summary>
    public static string? ProductRule(string? product)
    {
        if (product is null)
            return null;
        var parts = product.Split('/');
        return parts.Length > 2 || Array.Exists(parts, static part => NameRule(part) is not null) ? "expected name or name/version, as Shop/1.2" : null;
    }

    /// <summary>The rule a value breaks; null when it breaks none.</summary>
    public static string? ValueRule(string value)
    {
        foreach (var character in value)
        {
            if (character is not '\t' and (< ' ' or > '~'))
                return "a header's value has printable ASCII characters only";
        }

        return null;
    }
}
