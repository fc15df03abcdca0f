using System.Net.Sockets;

namespace AsyncLog;

/// <summary>A connected datagram socket: it is told what the receiver's system refused.</summary>
internal sealed class ConnectedDatagramSocket(Socket socket, TransportClock clock) : IDatagramSocket
{
    /// <inheritdoc/>
    public SocketError Send(ReadOnlySpan<byte> datagram)
    {
        socket.Send(datagram, SocketFlags.None, out SocketError error);
        return error;
    }

    /// <inheritdoc/>
    public bool WaitWritable(TimeSpan time, CancellationToken cancellationToken) => clock.Wait(socket, SelectMode.SelectWrite, time, cancellationToken);

    /// <inheritdoc/>
    public void Dispose() => socket.Dispose();
}
