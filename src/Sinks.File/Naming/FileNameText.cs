using System.Text;

namespace AsyncLog;

/// <summary>Splits a configured file name at its tokens.</summary>
internal static class FileNameText
{
    /// <param name="text">The name; <c>{{</c> and <c>}}</c> are braces.</param>
    /// <param name="token">Makes a part of a token's name and format; null when it is not known here.</param>
    /// <param name="error">The rule that is broken.</param>
    public static List<FileNamePart>? Split(string text, Func<string, string?, (FileNamePart? Part, string? Error)> token, out string? error)
    {
        var parts = new List<FileNamePart>();
        var literal = new StringBuilder();
        error = null;
        for (int position = 0; position < text.Length; position++)
        {
            char character = text[position];
            bool isDoubled = position + 1 < text.Length && text[position + 1] == character;
            if (character is not ('{' or '}') || isDoubled)
            {
                literal.Append(character);
                position += character is '{' or '}' ? 1 : 0;
                continue;
            }

            int end = character == '{' ? text.IndexOf('}', position) : -1;
            if (end < 0)
            {
                error = $"'{character}' stands alone: write {character}{character} for a brace";
                return null;
            }

            (FileNamePart? part, error) = Resolve(text[(position + 1)..end], token);
            if (part is null)
                return null;
            Flush(literal, parts);
            parts.Add(part);
            position = end;
        }

        Flush(literal, parts);
        return parts;
    }

    private static (FileNamePart? Part, string? Error) Resolve(string inner, Func<string, string?, (FileNamePart? Part, string? Error)> token)
    {
        int colon = inner.IndexOf(':');
        string name = colon < 0 ? inner : inner[..colon];
        (FileNamePart? part, string? error) = token(name, colon < 0 ? null : inner[(colon + 1)..]);
        return part is null ? (null, error ?? $"{{{name}}} is not known here") : (part, null);
    }

    private static void Flush(StringBuilder literal, List<FileNamePart> parts)
    {
        if (literal.Length == 0)
            return;
        parts.Add(FileNamePart.Fixed(literal.ToString()));
        literal.Clear();
    }
}
