using System.Net.Sockets;

namespace AsyncLog;

/// <summary>A connected datagram socket: the system reports to it what the receiver's system refused.</summary>
internal sealed class ConnectedDatagramSocket(Socket socket, TransportClock clock) : IDatagramSocket
{
    private bool _hasSent;

    /// <inheritdoc/>
    /// <remarks>The system reports a refusal with the next call. A refusal by this machine is known at once, so the first send asks for it: the first
    /// record is not lost to an address without a listener.</remarks>
    public SocketError Send(ReadOnlySpan<byte> datagram)
    {
        socket.Send(datagram, SocketFlags.None, out SocketError error);
        if (_hasSent || error != SocketError.Success)
            return error;
        _hasSent = true;
        return (SocketError)(int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)!;
    }

    /// <inheritdoc/>
    public bool WaitWritable(TimeSpan time, CancellationToken cancellationToken) => clock.Wait(socket, SelectMode.SelectWrite, time, cancellationToken);

    /// <inheritdoc/>
    public void Dispose() => socket.Dispose();
}
