using System.Net.Sockets;

namespace AsyncLog;

/// <summary>A socket that sends datagrams to one receiver and never receives.</summary>
internal interface IDatagramSocket : IDisposable
{
    /// <summary>Hands one datagram to the system, without waiting.</summary>
    SocketError Send(ReadOnlySpan<byte> datagram);

    /// <summary>Waits until the system takes datagrams again.</summary>
    /// <returns>False when the time was over before.</returns>
    bool WaitWritable(TimeSpan time, CancellationToken cancellationToken);
}
