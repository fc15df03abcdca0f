using System.Net;
using System.Text;
using System.Text.RegularExpressions;

namespace AsyncLog;

/// <summary>What is told of a server's words.</summary>
internal static partial class AnswerText
{
    /// <summary>The most bytes of an answer that are told.</summary>
    public const int MaxBytes = 1024;

    private const int StatusMessageField = 2;

    // Enough for the title of an error page and its first sentence.
    private const int MaxPageLength = 100;

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
        text = OneLine(HeaderMask.Apply(text, headers));
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

    /// <summary>What the body of a refusal says: the message of a protobuf <c>Status</c>, the beginning of a page without its tags, else its text.</summary>
    public static string OfRefusal(ReadOnlySpan<byte> body, string? contentType, IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        if (contentType is null || !contentType.StartsWith("application/x-protobuf", StringComparison.OrdinalIgnoreCase))
        {
            string text = Of(body, headers);
            return contentType?.StartsWith("text/html", StringComparison.OrdinalIgnoreCase) == true || text.StartsWith('<') ? PageText(text) : text;
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

    // Line breaks and other control characters would be reported as escapes. Not all of \p{C}: it has the halves of characters beyond U+FFFF.
    private static string OneLine(string text) => Blank().Replace(text, " ").Trim();

    private static string PageText(string html)
    {
        string text = OneLine(WebUtility.HtmlDecode(Tag().Replace(Hidden().Replace(html, " "), " ")));
        return text.Length <= MaxPageLength ? text : string.Concat(text.AsSpan(0, char.IsHighSurrogate(text[MaxPageLength - 1]) ? MaxPageLength - 1 : MaxPageLength), "...");
    }

    [GeneratedRegex(@"[\s\p{Cc}\p{Cf}]+")]
    private static partial Regex Blank();

    [GeneratedRegex("<(script|style)\\b.*?(</\\1>|$)", RegexOptions.IgnoreCase | RegexOptions.Singleline)]
    private static partial Regex Hidden();

    [GeneratedRegex("<[^>]*(>|$)")]
    private static partial Regex Tag();
}
