using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>Asks the system how much of a TCP stream the peer's system has acknowledged.</summary>
/// <returns>False where the system does not report it.</returns>
internal delegate bool AcknowledgementReader(Socket socket, out long acknowledged, out long window);

/// <summary>Reads from Linux how much of a TCP stream the peer's system has acknowledged (<c>TCP_INFO</c>).</summary>
internal static class TcpAcknowledgement
{
    // struct tcp_info of linux/tcp.h: 8 bytes, 24 numbers of 4 bytes, two of 8, then the ones wanted; fields are only ever added behind.
    private const int IpProtoTcp = 6;
    private const int TcpInfo = 11;
    private const int BytesAckedAt = 120;
    private const int SendWindowAt = 228;
    private const int Room = 256;

    // What a peer's buffer holds at most by default, for systems older than the field.
    private const long UnknownWindow = 6 << 20;

    /// <summary>Reads the counters of a socket.</summary>
    /// <returns>False where the system does not report it.</returns>
    public static bool TryRead(Socket socket, out long acknowledged, out long window)
    {
        acknowledged = 0;
        window = UnknownWindow;
        if (!OperatingSystem.IsLinux())
            return false;
        Span<byte> info = stackalloc byte[Room];
        int length;
        try
        {
            length = socket.GetRawSocketOption(IpProtoTcp, TcpInfo, info);
        }
        catch (SocketException)
        {
            // Not a TCP socket, or a sandbox: as where the system does not tell.
            return false;
        }

        if (length < BytesAckedAt + sizeof(long))
            return false;
        acknowledged = MemoryMarshal.Read<long>(info[BytesAckedAt..]);
        if (length >= SendWindowAt + sizeof(uint))
            window = MemoryMarshal.Read<uint>(info[SendWindowAt..]);
        return true;
    }
}
