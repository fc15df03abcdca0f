using System.Net.Sockets;
using System.Security.Authentication;

namespace AsyncLog;

/// <summary>Maps the failure of an attempt without a response. The outcome is always <see cref="ExportOutcome.Retry"/>: the server refused nothing.</summary>
internal static class TransportFailure
{
    /// <summary>The attempt reached <see cref="AsyncOtlpOptions.Timeout"/>.</summary>
    public static AttemptResult TimedOut(AsyncOtlpOptions options) => Result(
        SocketErrorClass.Timeout, FormattableString.Invariant($"{options.Target} did not answer within {options.Timeout.TotalSeconds:0.###} s"), isPermanent: false);

    /// <summary>The attempt reached <see cref="AsyncOtlpOptions.Timeout"/>, and the thread pool had no thread to cancel it.</summary>
    public static AttemptResult Starved(AsyncOtlpOptions options) => Result(
        SocketErrorClass.Timeout,
        FormattableString.Invariant(
            $"{options.Target} did not answer within {options.Timeout.TotalSeconds:0.###} s, and the thread pool had no thread to notice ({ThreadPool.ThreadCount} busy, {ThreadPool.PendingWorkItemCount} work items wait): is the application blocking it?"),
        isPermanent: false);

    /// <summary>The attempt threw.</summary>
    public static AttemptResult Of(Exception exception, AsyncOtlpOptions options)
    {
        for (Exception? inner = exception; inner is not null; inner = inner.InnerException)
        {
            switch (inner)
            {
                case LogSinkException named:
                    return Result(named.ErrorType, named.Message, named.IsPermanent);
                case SocketException socket:
                    var error = SocketErrorClass.ToException(socket.SocketErrorCode, $"the connection to {options.Target} broke");
                    return Result(error.ErrorType, error.Message, isPermanent: false);
                case TimeoutException:
                    // The handler's limit of a connect, which may end before that of the attempt.
                    return TimedOut(options);
                case AuthenticationException:
                    return Result(SocketErrorClass.Tls, $"{options.Target}: {TlsErrorText.Of(inner)}", isPermanent: true);
            }
        }

        return OfHttp(exception, options);
    }

    private static AttemptResult OfHttp(Exception exception, AsyncOtlpOptions options) => ErrorOf(exception) switch
    {
        HttpRequestError.ResponseEnded => Result(SocketErrorClass.Reset, $"{options.Target} closed the connection without an answer{ProtocolHint(options)}", isPermanent: false),
        HttpRequestError.HttpProtocolError => Result(SocketErrorClass.Reset, $"{options.Target} broke off: {exception.GetBaseException().Message.TrimEnd('.')}{ProtocolHint(options)}", isPermanent: false),
        HttpRequestError.InvalidResponse => Result(exception.GetType().Name, $"{options.Target} does not answer in HTTP/1.1{ProtocolHint(options)}", isPermanent: true),
        HttpRequestError.SecureConnectionError => Result(SocketErrorClass.Tls, $"{options.Target}: {TlsErrorText.Of(exception)}", isPermanent: true),
        HttpRequestError.VersionNegotiationError => Result("HttpRequestException", $"{options.Target} does not offer HTTP/2{ProtocolHint(options)}", isPermanent: true),

        // An exception of the TLS library itself: the alert of a server that requires a client certificate.
        _ when exception is HttpRequestException && exception.GetBaseException() is not (HttpRequestException or IOException) && options.IsSecure
            => Result(SocketErrorClass.Tls, $"{options.Target}: {TlsErrorText.Of(exception)}", isPermanent: true),
        _ => Result(exception.GetType().Name, $"{options.Target}: {TlsErrorText.Of(exception)}", isPermanent: false),
    };

    private static HttpRequestError ErrorOf(Exception exception)
    {
        for (Exception? inner = exception; inner is not null; inner = inner.InnerException)
        {
            HttpRequestError error = inner switch
            {
                HttpRequestException request => request.HttpRequestError,
                HttpIOException io => io.HttpRequestError,
                _ => HttpRequestError.Unknown,
            };
            if (error != HttpRequestError.Unknown)
                return error;
        }

        return HttpRequestError.Unknown;
    }

    private static string ProtocolHint(AsyncOtlpOptions options) => options.IsGrpc
        ? " (does this port speak gRPC? Usually 4317 is for gRPC, 4318 for HTTP)"
        : " (does this port speak gRPC? Usually 4318 is for HTTP, 4317 for gRPC)";

    private static AttemptResult Result(string errorType, string text, bool isPermanent) =>
        new(ExportOutcome.Retry) { ErrorType = errorType, Text = text, IsPermanent = isPermanent };
}
