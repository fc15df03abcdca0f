using System.Net.Sockets;
using System.Security.Authentication;

namespace AsyncLog;

/// <summary>Judges an attempt that got no answer. Another attempt is always made: nothing says that the server refused the records.</summary>
internal static class TransportFailure
{
    /// <summary>The attempt took longer than its limit.</summary>
    public static ExportAnswer TimedOut(OtlpTransportSettings settings) => Answer(
        SocketErrorClass.Timeout, FormattableString.Invariant($"{settings.Target} did not answer within {settings.Timeout.TotalSeconds:0.###} s"), isPermanent: false);

    /// <summary>The attempt took longer than its limit, and no thread of the pool was there to end it.</summary>
    public static ExportAnswer Starved(OtlpTransportSettings settings) => Answer(
        SocketErrorClass.Timeout,
        FormattableString.Invariant(
            $"{settings.Target} did not answer within {settings.Timeout.TotalSeconds:0.###} s, and the thread pool had no thread to notice ({ThreadPool.ThreadCount} busy, {ThreadPool.PendingWorkItemCount} work items wait): is the application blocking it?"),
        isPermanent: false);

    /// <summary>The attempt broke.</summary>
    public static ExportAnswer Of(Exception exception, OtlpTransportSettings settings)
    {
        for (Exception? inner = exception; inner is not null; inner = inner.InnerException)
        {
            switch (inner)
            {
                case LogSinkException named:
                    return Answer(named.ErrorType, named.Message, named.IsPermanent);
                case SocketException socket:
                    var said = SocketErrorClass.ToException(socket.SocketErrorCode, $"the connection to {settings.Target} broke");
                    return Answer(said.ErrorType, said.Message, isPermanent: false);
                case AuthenticationException:
                    return Answer(SocketErrorClass.Tls, $"{settings.Target}: {TlsErrorText.Of(inner)}", isPermanent: true);
            }
        }

        return OfHttp(exception, settings);
    }

    private static ExportAnswer OfHttp(Exception exception, OtlpTransportSettings settings) => ErrorOf(exception) switch
    {
        HttpRequestError.ResponseEnded => Answer(SocketErrorClass.Reset, $"{settings.Target} closed the connection without an answer{ProtocolHint(settings)}", isPermanent: false),
        HttpRequestError.HttpProtocolError => Answer(SocketErrorClass.Reset, $"{settings.Target} broke off: {exception.GetBaseException().Message.TrimEnd('.')}{ProtocolHint(settings)}", isPermanent: false),
        HttpRequestError.InvalidResponse => Answer(exception.GetType().Name, $"{settings.Target} does not answer in HTTP/1.1{ProtocolHint(settings)}", isPermanent: true),
        HttpRequestError.SecureConnectionError => Answer(SocketErrorClass.Tls, $"{settings.Target}: {TlsErrorText.Of(exception)}", isPermanent: true),
        HttpRequestError.VersionNegotiationError => Answer("HttpRequestException", $"{settings.Target} does not offer HTTP/2{ProtocolHint(settings)}", isPermanent: true),

        // What is left of a TLS library's own errors: the alert of a server that wants a certificate.
        _ when exception is HttpRequestException && exception.GetBaseException() is not (HttpRequestException or IOException) && settings.IsSecure
            => Answer(SocketErrorClass.Tls, $"{settings.Target}: {TlsErrorText.Of(exception)}", isPermanent: true),
        _ => Answer(exception.GetType().Name, $"{settings.Target}: {TlsErrorText.Of(exception)}", isPermanent: false),
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

    private static string ProtocolHint(OtlpTransportSettings settings) => settings.IsGrpc
        ? " (does this port speak gRPC? By custom 4317 does, 4318 is for HTTP)"
        : " (does this port speak gRPC? By custom 4318 is for HTTP, 4317 for gRPC)";

    private static ExportAnswer Answer(string errorType, string text, bool isPermanent) =>
        new(ExportOutcome.Retry) { ErrorType = errorType, Text = text, IsPermanent = isPermanent };
}
