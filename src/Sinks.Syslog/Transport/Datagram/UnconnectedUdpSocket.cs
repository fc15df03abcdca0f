using System.Net;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Sends without being told about refusals: each datagram has the same chance, whether somebody listens or not.</summary>
internal sealed class UnconnectedUdpSocket(Socket socket, SocketAddress address, TransportClock clock) : IDatagramSocket
{
    /// <inheritdoc/>
    public SocketError Send(ReadOnlySpan<byte> datagram)
    {
        try
        {
            socket.SendTo(datagram, SocketFlags.None, address);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            // This call has no form that returns the error; the transport decides by it.
            return exception.SocketErrorCode;
        }
    }

    /// <inheritdoc/>
    public bool WaitWritable(TimeSpan time, CancellationToken cancellationToken) => clock.Wait(socket, SelectMode.SelectWrite, time, cancellationToken);

    /// <inheritdoc/>
    public void Dispose() => socket.Dispose();
}
