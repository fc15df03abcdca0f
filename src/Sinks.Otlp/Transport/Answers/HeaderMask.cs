using System.Text;

namespace AsyncLog;

/// <summary>Hides the values of our own headers in what a server says, for it may echo them or what it derived from them.</summary>
internal static class HeaderMask
{
    private const string Mask = "***";

    // A shorter value is a word like others, a tenant's number for example: hidden only where it stands alone.
    private const int Unmistakable = 8;

    /// <summary>Replaces values, the credentials inside <c>Bearer …</c> and <c>Basic …</c>, and the base64 forms of all of them.</summary>
    public static string Apply(string text, IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        if (text.Length == 0 || headers.Count == 0)
            return text;

        // The longest first: one may be a part of another.
        foreach (string secret in headers.SelectMany(static header => FormsOf(header.Value)).Distinct(StringComparer.Ordinal).OrderByDescending(static form => form.Length))
            text = Hide(text, secret);
        return text;
    }

    private static IEnumerable<string> FormsOf(string value)
    {
        foreach (string plain in PlainFormsOf(value.Trim()))
        {
            yield return plain;
            string encoded = Convert.ToBase64String(Encoding.UTF8.GetBytes(plain)).TrimEnd('=');
            if (encoded.Length >= Unmistakable)
                yield return encoded;
        }
    }

    private static IEnumerable<string> PlainFormsOf(string value)
    {
        if (value.Length == 0)
            yield break;
        yield return value;
        int space = value.IndexOf(' ', StringComparison.Ordinal);
        if (space < 0)
            yield break;
        string credentials = value[(space + 1)..].Trim();
        yield return credentials;

        // RFC 7617: user and password.
        byte[] decoded = new byte[credentials.Length];
        if (!value.StartsWith("Basic ", StringComparison.OrdinalIgnoreCase) || !Convert.TryFromBase64String(credentials, decoded, out int length))
            yield break;
        string pair = Encoding.UTF8.GetString(decoded, 0, length);
        yield return pair;
        int colon = pair.IndexOf(':', StringComparison.Ordinal);
        if (colon >= 0 && colon + 1 < pair.Length)
            yield return pair[(colon + 1)..];
    }

    private static string Hide(string text, string secret)
    {
        if (secret.Length == 0)
            return text;
        if (secret.Length >= Unmistakable)
            return text.Replace(secret, Mask, StringComparison.Ordinal);
        var result = new StringBuilder(text.Length);
        int done = 0;
        for (int at; (at = text.IndexOf(secret, done, StringComparison.Ordinal)) >= 0;)
        {
            int end = at + secret.Length;
            bool isAlone = (at == 0 || !char.IsLetterOrDigit(text[at - 1])) && (end == text.Length || !char.IsLetterOrDigit(text[end]));
            result.Append(text, done, at - done).Append(isAlone ? Mask : secret);
            done = end;
        }

        return result.Append(text, done, text.Length - done).ToString();
    }
}
