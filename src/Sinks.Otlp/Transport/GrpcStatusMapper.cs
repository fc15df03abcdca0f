using System.Buffers.Binary;
using System.Globalization;
using System.Net;

namespace AsyncLog;

/// <summary>Maps the status of a gRPC call.</summary>
internal static class GrpcStatusMapper
{
    private const int PrefixBytes = 5;
    private const int Ok = 0;
    private const int Cancelled = 1;
    private const int Unknown = 2;
    private const int DeadlineExceeded = 4;
    private const int NotFound = 5;
    private const int PermissionDenied = 7;
    private const int ResourceExhausted = 8;
    private const int Aborted = 10;
    private const int OutOfRange = 11;
    private const int Unimplemented = 12;
    private const int Internal = 13;
    private const int Unavailable = 14;
    private const int DataLoss = 15;
    private const int Unauthenticated = 16;

    /// <param name="fields">Finds a field of the trailers, else of the headers; null: absent.</param>
    public static AttemptResult Map(HttpStatusCode status, Func<string, string?> fields, ReadOnlySpan<byte> body, AsyncOtlpLoggerOptions options)
    {
        string? grpcStatus = fields("grpc-status");
        int code = CodeOf(grpcStatus, status);
        if (code == Ok)
            return AttemptResult.FromResponse(MessageOf(body), options.Headers);
        TimeSpan? delay = TryDecodeBinary(fields("grpc-status-details-bin")) is { } details ? ServerDelay.FromStatusDetails(details) : null;

        // Percent-encoded UTF-8 (gRPC over HTTP/2); a malformed escape is kept.
        string message = Uri.UnescapeDataString(fields("grpc-message") ?? "");
        ExportOutcome outcome = IsTooLarge(code, delay, message) || (status == HttpStatusCode.RequestEntityTooLarge && grpcStatus is null) ? ExportOutcome.TooLarge
            : IsRetryable(code, delay, options.RetryUnauthorized) ? ExportOutcome.Retry
            : ExportOutcome.Refused;
        return new AttemptResult(outcome)
        {
            ErrorType = string.Create(CultureInfo.InvariantCulture, $"grpc_{code}"),
            Text = TextOf(code, ServerText.Of(message, options.Headers), options),
            ServerDelay = outcome == ExportOutcome.Retry ? delay : null,
            SizeLimit = outcome == ExportOutcome.TooLarge ? SizeLimitIn(message) : null,
            IsPermanent = code is Unauthenticated or PermissionDenied or NotFound or Unimplemented,
        };
    }

    /// <summary>Decodes the value of a <c>-bin</c> header: base64 with or without padding.</summary>
    /// <returns>Null: absent or malformed.</returns>
    public static byte[]? TryDecodeBinary(string? value)
    {
        if (value is null)
            return null;
        string text = value.Trim().TrimEnd('=');
        byte[] decoded = new byte[(text.Length * 3 / 4) + 3];
        return Convert.TryFromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='), decoded, out int length) ? decoded[..length] : null;
    }

    private static int CodeOf(string? grpcStatus, HttpStatusCode status)
    {
        if (grpcStatus is not null)
            return int.TryParse(grpcStatus, NumberStyles.None, CultureInfo.InvariantCulture, out int code) ? code : Unknown;
        return status switch
        {
            HttpStatusCode.BadRequest => Internal,
            HttpStatusCode.Unauthorized => Unauthenticated,
            HttpStatusCode.Forbidden => PermissionDenied,
            HttpStatusCode.NotFound => Unimplemented,
            HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout => Unavailable,
            _ => Unknown,
        };
    }

    // gRPC has no status for it: most servers send RESOURCE_EXHAUSTED, Rust servers OUT_OF_RANGE, with a text of the library. A false match costs further
    // requests, a missed one costs the records.
    private static bool IsTooLarge(int code, TimeSpan? delay, string message) =>
        code is ResourceExhausted or OutOfRange && delay is null
        && (message.Contains("message", StringComparison.OrdinalIgnoreCase) || message.Contains("frame", StringComparison.OrdinalIgnoreCase))
        && (message.Contains("larger than max", StringComparison.OrdinalIgnoreCase) || message.Contains("too large", StringComparison.OrdinalIgnoreCase)
            || message.Contains("exceeds max", StringComparison.OrdinalIgnoreCase) || message.Contains("exceeds the max", StringComparison.OrdinalIgnoreCase));

    // The texts name the limit and the size of the request, the larger one. Numbers of fewer digits are not sizes.
    private static int? SizeLimitIn(string message)
    {
        int? limit = null;
        for (int i = 0; i < message.Length; i++)
        {
            int begin = i;
            while (i < message.Length && char.IsAsciiDigit(message[i]))
                i++;
            if (i - begin < 4 || !int.TryParse(message.AsSpan(begin, i - begin), NumberStyles.None, CultureInfo.InvariantCulture, out int number))
                continue;
            if (!(limit <= number))
                limit = number;
        }

        return limit;
    }

    private static bool IsRetryable(int code, TimeSpan? delay, bool retryUnauthorized) => code switch
    {
        Cancelled or DeadlineExceeded or Aborted or OutOfRange or Unavailable or DataLoss => true,
        ResourceExhausted => delay is not null,
        PermissionDenied or Unauthenticated => retryUnauthorized,
        _ => false,
    };

    // Compressed messages are not requested: one counts as malformed.
    private static ReadOnlySpan<byte> MessageOf(ReadOnlySpan<byte> body)
    {
        if (body.Length < PrefixBytes || body[0] != 0)
            return default;
        uint length = BinaryPrimitives.ReadUInt32BigEndian(body[1..]);
        return length <= body.Length - PrefixBytes ? body.Slice(PrefixBytes, (int)length) : default;
    }

    private static string TextOf(int code, string serverText, AsyncOtlpLoggerOptions options)
    {
        string hint = code switch
        {
            Unimplemented or NotFound => " (is this a server of OTLP logs over gRPC?)",
            Unauthenticated or PermissionDenied => AttemptResult.CredentialHint,
            _ => "",
        };
        string text = string.Create(CultureInfo.InvariantCulture, $"{options.Target} answers grpc-status {code}{hint}");
        return serverText.Length == 0 ? text : $"{text}: {serverText}";
    }
}
