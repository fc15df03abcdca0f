using System.Text;
using System.Text.RegularExpressions;

namespace AsyncLog;

/// <summary>Makes texts of a server safe to report: bounded, on one line, without the values of the request's headers.</summary>
internal static partial class ServerText
{
    /// <summary>The most bytes of a text.</summary>
    public const int MaxBytes = 1024;

    private const int StatusMessageField = 2;

    private const string Mask = "***";

    // A shorter value is masked only as a whole word: it may be a common one, for example a tenant's number.
    private const int MinUniqueLength = 8;

    /// <summary>Masks, then truncates a text.</summary>
    public static string Of(ReadOnlySpan<byte> utf8, IEnumerable<KeyValuePair<string, string>> headers)
    {
        // Truncated after masking: half of a secret would not be found.
        string text = Encoding.UTF8.GetString(utf8.Length > 8 * MaxBytes ? utf8[..(8 * MaxBytes)] : utf8);
        return Of(text, headers);
    }

    /// <inheritdoc cref="Of(ReadOnlySpan{byte}, IEnumerable{KeyValuePair{string, string}})"/>
    public static string Of(string text, IEnumerable<KeyValuePair<string, string>> headers)
    {
        text = OneLine(MaskHeaders(text, headers));
        int bytes = 0;
        int end = 0;
        foreach (var rune in text.EnumerateRunes())
        {
            bytes += rune.Utf8SequenceLength;
            if (bytes > MaxBytes)
                return text[..end];
            end += rune.Utf16SequenceLength;
        }

        return text;
    }

    /// <summary>Reads the body of a refusal: the message of a protobuf <c>Status</c>, or plain text; of an HTML page only that it is one.</summary>
    public static string OfRefusal(ReadOnlySpan<byte> body, string? contentType, IEnumerable<KeyValuePair<string, string>> headers)
    {
        if (contentType is null || !contentType.StartsWith("application/x-protobuf", StringComparison.OrdinalIgnoreCase))
        {
            string text = Of(body, headers);
            return contentType?.StartsWith("text/html", StringComparison.OrdinalIgnoreCase) == true || text.StartsWith('<') ? "an HTML page" : text;
        }

        var status = new ProtoReader(body);
        ReadOnlySpan<byte> message = default;
        while (status.Read())
        {
            if (status.Field == StatusMessageField)
                message = status.Content;
        }

        return Of(message, headers);
    }

    // Line breaks and other control characters would be reported as escapes. Not all of \p{C}: that includes surrogates.
    private static string OneLine(string text) => Blank().Replace(text, " ").Trim();

    // Masks header values, the credentials inside "Bearer …" and "Basic …", and the base64 forms of all of them: a server may echo them.
    private static string MaskHeaders(string text, IEnumerable<KeyValuePair<string, string>> headers)
    {
        // The longest first: one may be a part of another.
        foreach (string secret in headers.SelectMany(static header => FormsOf(header.Value)).Distinct(StringComparer.Ordinal).OrderByDescending(static form => form.Length))
            text = Replace(text, secret);
        return text;
    }

    private static IEnumerable<string> FormsOf(string value)
    {
        foreach (string plain in PlainFormsOf(value.Trim()))
        {
            yield return plain;
            string encoded = Convert.ToBase64String(Encoding.UTF8.GetBytes(plain)).TrimEnd('=');
            if (encoded.Length >= MinUniqueLength)
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

    private static string Replace(string text, string secret)
    {
        if (secret.Length == 0)
            return text;
        if (secret.Length >= MinUniqueLength)
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

    [GeneratedRegex(@"[\s\p{Cc}\p{Cf}]+")]
    private static partial Regex Blank();
}
