using System.Net.Sockets;
using System.Security.Authentication;

namespace AsyncLog;

/// <summary>Maps the failure of an attempt without a response. The outcome is always <see cref="ExportOutcome.Retry"/>: the server refused nothing.</summary>
internal static class TransportFailure
{
    /// <summary>The attempt reached <see cref="AsyncOtlpLoggerOptions.Timeout"/>.</summary>
    public static AttemptResult TimedOut(AsyncOtlpLoggerOptions options) => Result(
        SocketErrorClass.Timeout, FormattableString.Invariant($"{options.Target} did not answer within {options.Timeout.TotalSeconds:0.###} s"), isPermanent: false);

    /// <summary>The attempt reached <see cref="AsyncOtlpLoggerOptions.Timeout"/>, and the thread pool had no thread to cancel it.</summary>
    public static AttemptResult Starved(AsyncOtlpLoggerOptions options) => Result(
        SocketErrorClass.Timeout,
        FormattableString.Invariant(
            $"{options.Target} did not answer within {options.Timeout.TotalSeconds:0.###} s, and the thread pool had no thread to notice ({ThreadPool.ThreadCount} busy, {ThreadPool.PendingWorkItemCount} work items wait): is the application blocking it?"),
        isPermanent: false);

    /// <summary>The attempt threw.</summary>
    /// <param name="exception">The exception, or the alert of the server that caused it.</param>
    /// <param name="hasDelivered">True if a request arrived before: then the port is the right one.</param>
    public static AttemptResult Of(Exception exception, AsyncOtlpLoggerOptions options, bool hasDelivered)
    {
        for (Exception? inner = exception; inner is not null; inner = inner.InnerException)
        {
            switch (inner)
            {
                case LogSinkException named:
                    return Result(named.ErrorType, named.Message, named.IsPermanent);
                case SocketException socket:
                    var error = SocketErrorClass.ToException(socket.SocketErrorCode, $"the connection to {options.Target} broke");
                    return Result(error.ErrorType, error.ErrorType == SocketErrorClass.Reset ? $"{error.Message}{ProtocolHint(options, hasDelivered)}" : error.Message, isPermanent: false);
                case TimeoutException:
                    // The handler's limit of a connect, which may end before that of the attempt.
                    return TimedOut(options);
                case OutOfMemoryException:
                    // What .NET throws when it cannot start a thread.
                    return Result(
                        inner.GetType().Name,
                        $"{options.Target}: the process can start no thread for the connection: it has too many open files (ulimit -n) or threads (ulimit -u), or no memory",
                        isPermanent: false);
                case AuthenticationException:
                    return Result(SocketErrorClass.Tls, $"{options.Target}: {TlsErrorText.Of(inner, options.Tls)}", isPermanent: true);
            }
        }

        return OfHttp(exception, options, hasDelivered);
    }

    private static AttemptResult OfHttp(Exception exception, AsyncOtlpLoggerOptions options, bool hasDelivered) => ErrorOf(exception) switch
    {
        HttpRequestError.ResponseEnded => Result(SocketErrorClass.Reset, $"{options.Target} closed the connection without an answer{ProtocolHint(options, hasDelivered)}", isPermanent: false),
        HttpRequestError.HttpProtocolError => Result(SocketErrorClass.Reset, $"{options.Target} broke off: {exception.GetBaseException().Message.TrimEnd('.')}{ProtocolHint(options, hasDelivered)}", isPermanent: false),
        HttpRequestError.InvalidResponse => Result(exception.GetType().Name, $"{options.Target} does not answer in HTTP/1.1{ProtocolHint(options, hasDelivered)}", isPermanent: true),
        HttpRequestError.SecureConnectionError => Result(SocketErrorClass.Tls, $"{options.Target}: {TlsErrorText.Of(exception, options.Tls)}", isPermanent: true),
        HttpRequestError.VersionNegotiationError => Result("HttpRequestException", $"{options.Target} does not offer HTTP/2{ProtocolHint(options, hasDelivered)}", isPermanent: true),

        // HTTP/2 had disposed the stream after the server had ended it.
        _ when exception.GetBaseException() is ObjectDisposedException => Result(SocketErrorClass.Reset, $"{options.Target} closed the connection without an answer{ProtocolHint(options, hasDelivered)}", isPermanent: false),

        // An exception of the TLS library itself: the alert of a server that requires a client certificate.
        _ when exception is HttpRequestException or IOException && exception.GetBaseException() is not (HttpRequestException or IOException) && options.IsSecure
            => Result(SocketErrorClass.Tls, $"{options.Target}: {TlsErrorText.Of(exception, options.Tls)}", isPermanent: true),
        _ => Result(exception.GetType().Name, $"{options.Target}: {TlsErrorText.Of(exception, options.Tls)}", isPermanent: false),
    };

    // The innermost one: over HTTP/2 a connection that ends at once is called an invalid response.
    private static HttpRequestError ErrorOf(Exception exception)
    {
        HttpRequestError error = HttpRequestError.Unknown;
        for (Exception? inner = exception; inner is not null; inner = inner.InnerException)
        {
            HttpRequestError found = inner switch
            {
                HttpRequestException request => request.HttpRequestError,
                HttpIOException io => io.HttpRequestError,
                _ => HttpRequestError.Unknown,
            };
            if (found != HttpRequestError.Unknown)
                error = found;
        }

        return error;
    }

    // A server of .NET, for example, ends a connection without the certificate that it requires without an alert.
    private static string ProtocolHint(AsyncOtlpLoggerOptions options, bool hasDelivered)
    {
        if (hasDelivered)
            return "";
        string ports = options.IsGrpc ? "Usually 4317 is for gRPC, 4318 for HTTP" : "Usually 4318 is for HTTP, 4317 for gRPC";
        string certificate = options.IsSecure && string.IsNullOrEmpty(options.Tls.ClientCertificateFile) ? ". Or does the server require a client certificate, Tls:ClientCertificateFile?" : "";
        return $" (does this port speak gRPC? {ports}{certificate})";
    }

    private static AttemptResult Result(string errorType, string text, bool isPermanent) =>
        new(ExportOutcome.Retry) { ErrorType = errorType, Text = text, IsPermanent = isPermanent };
}
