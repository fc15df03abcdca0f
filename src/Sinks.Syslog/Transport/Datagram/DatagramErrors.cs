using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Decides what is done about an error of a datagram socket. Pure.</summary>
internal static class DatagramErrors
{
    public static DatagramRemedy ForUdp(SocketError error) => error switch
    {
        SocketError.WouldBlock => DatagramRemedy.WaitForRoom,
        SocketError.NoBufferSpaceAvailable => DatagramRemedy.WaitBriefly,
        SocketError.ConnectionRefused => DatagramRemedy.SendAgain,
        SocketError.MessageSize => DatagramRemedy.Cut,
        SocketError.NetworkUnreachable or SocketError.HostUnreachable or SocketError.NetworkDown or SocketError.AddressNotAvailable
            => DatagramRemedy.DropAndLookAgain,
        SocketError.AccessDenied => DatagramRemedy.Drop,
        _ => DatagramRemedy.DropAndReopen,
    };

    /// <summary>On a local socket an error about the peer means that it is gone, and its records wait for its return.</summary>
    public static DatagramRemedy ForLocal(SocketError error) => error switch
    {
        SocketError.WouldBlock => DatagramRemedy.WaitForRoom,
        SocketError.NoBufferSpaceAvailable => DatagramRemedy.WaitBriefly,
        SocketError.MessageSize => DatagramRemedy.Cut,
        SocketError.ConnectionRefused or SocketError.ConnectionReset or SocketError.NotConnected or SocketError.AddressNotAvailable
            or SocketError.Shutdown => DatagramRemedy.Wait,
        SocketError.AccessDenied => DatagramRemedy.Drop,
        _ => DatagramRemedy.DropAndReopen,
    };
}
