using System.Buffers;

namespace AsyncLog;

/// <summary>The rules for headers of requests (RFC 9110 §5).</summary>
internal static class OtlpHeaders
{
    private static readonly SearchValues<char> NameCharacters =
        SearchValues.Create("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    /// <summary>The rule that a name breaks; null: none.</summary>
    public static string? NameRule(string name) =>
        name.Length == 0 || name.AsSpan().ContainsAnyExcept(NameCharacters) ? "a header's name has letters, digits and !#$%&'*+-.^_`|~ only" : null;

    /// <summary>The rule that a value breaks; null: none.</summary>
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
