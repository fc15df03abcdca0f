using System.Buffers;
using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Reads <c>key=value</c> pairs as W3C baggage writes them: split first, decoded then.</summary>
internal static class PercentPairs
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>All pairs, the last of equal keys; null when one of them is wrong.</summary>
    public static Dictionary<string, string>? TryParse(string text)
    {
        var pairs = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var pair in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (TryParsePair(pair) is not { } parsed)
                return null;
            pairs[parsed.Key] = parsed.Value;
        }

        return pairs;
    }

    /// <summary>One pair; null when it has no <c>=</c> or no key, or is not encoded well.</summary>
    public static KeyValuePair<string, string>? TryParsePair(string pair)
    {
        var equals = pair.IndexOf('=', StringComparison.Ordinal);
        if (equals < 0 || TryDecode(pair[..equals].Trim()) is not { Length: > 0 } key || TryDecode(pair[(equals + 1)..].Trim()) is not { } value)
            return null;
        return new(key, value);
    }

    private static string? TryDecode(string text)
    {
        if (!text.Contains('%', StringComparison.Ordinal))
            return text;
        var bytes = new ArrayBufferWriter<byte>(text.Length);
        for (var at = 0; at < text.Length;)
        {
            if (text[at] == '%')
            {
                if (at + 2 >= text.Length || !byte.TryParse(text.AsSpan(at + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value))
                    return null;
                bytes.Write([value]);
                at += 3;
                continue;
            }

            var end = text.IndexOf('%', at);
            end = end < 0 ? text.Length : end;
            Encoding.UTF8.GetBytes(text.AsSpan(at, end - at), bytes);
            at = end;
        }

        try
        {
            return Strict.GetString(bytes.WrittenSpan);
        }
        catch (DecoderFallbackException)
        {
            // Bytes that are no UTF-8 are a mistake like any other in the pair.
            return null;
        }
    }
}
