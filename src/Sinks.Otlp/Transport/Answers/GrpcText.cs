using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Decodes header values of gRPC over HTTP/2.</summary>
internal static class GrpcText
{
    /// <summary>A <c>grpc-message</c>: percent-encoded UTF-8; a broken escape stays as it is.</summary>
    public static string DecodeMessage(string value)
    {
        if (!value.Contains('%', StringComparison.Ordinal))
            return value;
        byte[] source = Encoding.UTF8.GetBytes(value);
        byte[] decoded = new byte[source.Length];
        int length = 0;
        for (int i = 0; i < source.Length; i++)
        {
            if (source[i] == (byte)'%' && i + 2 < source.Length
                && byte.TryParse(source.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out byte octet))
            {
                decoded[length++] = octet;
                i += 2;
            }
            else
            {
                decoded[length++] = source[i];
            }
        }

        return Encoding.UTF8.GetString(decoded, 0, length);
    }

    /// <summary>A value of a <c>-bin</c> header: base64 with or without padding.</summary>
    /// <returns>Null: absent, or not base64.</returns>
    public static byte[]? TryDecodeBinary(string? value)
    {
        if (value is null)
            return null;
        string text = value.Trim().TrimEnd('=');
        byte[] decoded = new byte[(text.Length * 3 / 4) + 3];
        return Convert.TryFromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='), decoded, out int length) ? decoded[..length] : null;
    }
}
