using System.Text;

namespace AsyncLog;

/// <summary>What is told of a server's words.</summary>
internal static class AnswerText
{
    /// <summary>The most bytes of an answer that are told.</summary>
    public const int MaxBytes = 1024;

    private const int StatusMessageField = 2;

    /// <summary>The beginning of a text, without the values of our own headers, which a server may echo.</summary>
    public static string Of(ReadOnlySpan<byte> utf8, IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        // Masked before it is cut, so that no half of a secret stays.
        string text = Encoding.UTF8.GetString(utf8.Length > 8 * MaxBytes ? utf8[..(8 * MaxBytes)] : utf8);
        return Of(text, headers);
    }

    /// <inheritdoc cref="Of(ReadOnlySpan{byte}, IReadOnlyList{KeyValuePair{string, string}})"/>
    public static string Of(string text, IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        foreach (var (_, value) in headers)
        {
            if (value.Length > 0)
                text = text.Replace(value, "***", StringComparison.Ordinal);
        }

        text = text.Trim();
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

    /// <summary>What the body of a refusal says: the message of a protobuf <c>Status</c>, else its text.</summary>
    public static string OfRefusal(ReadOnlySpan<byte> body, string? contentType, IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        if (contentType is null || !contentType.StartsWith("application/x-protobuf", StringComparison.OrdinalIgnoreCase))
            return Of(body, headers);
        var status = new ProtoReader(body);
        ReadOnlySpan<byte> message = default;
        while (status.Read())
        {
            if (status.Field == StatusMessageField)
                message = status.Content;
        }

        return Of(message, headers);
    }
}
