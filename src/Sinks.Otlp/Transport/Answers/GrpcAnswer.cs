using System.Buffers.Binary;
using System.Globalization;
using System.Net;

namespace AsyncLog;

/// <summary>Judges the answer to a gRPC call.</summary>
internal static class GrpcAnswer
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

    /// <param name="status">The HTTP status.</param>
    /// <param name="fields">Fields of trailers and headers, the trailers' first; null where there is none.</param>
    /// <param name="body">As much of it as was read.</param>
    /// <param name="settings">The way it came.</param>
    public static ExportAnswer Judge(HttpStatusCode status, Func<string, string?> fields, ReadOnlySpan<byte> body, OtlpTransportSettings settings)
    {
        int code = CodeOf(fields("grpc-status"), status);
        if (code == Ok)
            return PartialSuccess.Read(MessageOf(body), settings.Headers);
        TimeSpan? delay = GrpcText.TryDecodeBinary(fields("grpc-status-details-bin")) is { } details ? ServerDelay.FromStatusDetails(details) : null;
        string message = GrpcText.DecodeMessage(fields("grpc-message") ?? "");
        ExportOutcome outcome = IsTooLarge(code, delay, message) || (status == HttpStatusCode.RequestEntityTooLarge && fields("grpc-status") is null) ? ExportOutcome.TooLarge
            : IsRetryable(code, delay, settings.RetriesUnauthorized) ? ExportOutcome.Retry
            : ExportOutcome.Refused;
        string said = AnswerText.Of(message, settings.Headers);
        return new ExportAnswer(outcome)
        {
            ErrorType = string.Create(CultureInfo.InvariantCulture, $"grpc_{code}"),
            Text = TextOf(code, said, settings),
            ServerDelay = outcome == ExportOutcome.Retry ? delay : null,
            IsPermanent = code is Unauthenticated or PermissionDenied or NotFound or Unimplemented,
        };
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

    // There is no code of its own: servers of gRPC give RESOURCE_EXHAUSTED, those in Rust OUT_OF_RANGE, with a text of their library. A request that is taken
    // for too large by mistake costs requests, one that is not taken for it costs its records.
    private static bool IsTooLarge(int code, TimeSpan? delay, string message) =>
        code is ResourceExhausted or OutOfRange && delay is null
        && (message.Contains("message", StringComparison.OrdinalIgnoreCase) || message.Contains("frame", StringComparison.OrdinalIgnoreCase))
        && (message.Contains("larger than max", StringComparison.OrdinalIgnoreCase) || message.Contains("too large", StringComparison.OrdinalIgnoreCase)
            || message.Contains("exceeds max", StringComparison.OrdinalIgnoreCase) || message.Contains("exceeds the max", StringComparison.OrdinalIgnoreCase));

    private static bool IsRetryable(int code, TimeSpan? delay, bool retriesUnauthorized) => code switch
    {
        Cancelled or DeadlineExceeded or Aborted or OutOfRange or Unavailable or DataLoss => true,
        ResourceExhausted => delay is not null,
        PermissionDenied or Unauthenticated => retriesUnauthorized,
        _ => false,
    };

    // A compressed message was not asked for: it counts as one that cannot be read.
    private static ReadOnlySpan<byte> MessageOf(ReadOnlySpan<byte> body)
    {
        if (body.Length < PrefixBytes || body[0] != 0)
            return default;
        uint length = BinaryPrimitives.ReadUInt32BigEndian(body[1..]);
        return length <= body.Length - PrefixBytes ? body.Slice(PrefixBytes, (int)length) : default;
    }

    private static string TextOf(int code, string said, OtlpTransportSettings settings)
    {
        string hint = code is Unimplemented or NotFound ? " (is this a server of OTLP logs over gRPC?)" : "";
        string text = string.Create(CultureInfo.InvariantCulture, $"{settings.Target} answers grpc-status {code}{hint}");
        return said.Length == 0 ? text : $"{text}: {said}";
    }
}
