using System.Net.Sockets;

namespace AsyncLog;

/// <summary>The class under which a socket's error is counted, and the exception that carries it to the worker. Pure.</summary>
internal static class SocketErrorClass
{
    public const string Dns = "dns";
    public const string Refused = "refused";
    public const string Reset = "reset";
    public const string Timeout = "timeout";
    public const string Tls = "tls";
    public const string Unreachable = "unreachable";

    /// <summary>The class of an error; its own name where there is no common one.</summary>
    public static string Of(SocketError error) => error switch
    {
        SocketError.ConnectionRefused => Refused,
        SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.Shutdown or SocketError.NotConnected or SocketError.Disconnecting => Reset,
        SocketError.TimedOut or SocketError.WouldBlock => Timeout,
        SocketError.NetworkUnreachable or SocketError.HostUnreachable or SocketError.NetworkDown or SocketError.HostDown
            or SocketError.AddressNotAvailable => Unreachable,
        SocketError.HostNotFound or SocketError.TryAgain or SocketError.NoData or SocketError.NoRecovery => Dns,
        SocketError.AccessDenied => "permission",
        SocketError.TooManyOpenSockets => "too_many_files",
        _ => error.ToString(),
    };

    /// <summary>The exception for an error.</summary>
    /// <param name="what">The operation, for example <c>cannot connect to tcp://host:514</c>.</param>
    public static LogSinkException ToException(SocketError error, string what) =>
        new(Of(error), $"{what}: {TextOf(error)}", isPermanent: false, new SocketException((int)error));

    private static string TextOf(SocketError error) => error switch
    {
        SocketError.ConnectionRefused => "connection refused",
        SocketError.ConnectionReset => "connection reset by peer",
        SocketError.Shutdown => "connection broken",
        SocketError.TimedOut => "timed out",
        SocketError.AddressNotAvailable => "no such address",
        SocketError.NetworkUnreachable => "network is unreachable",
        SocketError.HostUnreachable => "no route to host",
        SocketError.AccessDenied => "permission denied",
        SocketError.TooManyOpenSockets => "too many open files (the limit of the process is ulimit -n)",
        _ => error.ToString(),
    };
}
