using System.Net.Sockets;

namespace AsyncLog.Tests.Transport.Stream;

public sealed class StreamDialerTests
{
    private const int IpProtoTcp = 6;
    private const int TcpUserTimeout = 18;
    private const int TcpNotSentLowWater = 25;

    [Fact]
    [OnLinux("its socket options")]
    public void A_connection_is_watched_by_the_system()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        StreamDialer.Configure(socket, Streams.Tcp(514));
        Assert.NotEqual(0, socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive));
        Assert.Equal(30, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime));
        Assert.Equal(10, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval));
        Assert.Equal(3, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount));
        byte[] userTimeout = new byte[sizeof(int)];
        socket.GetRawSocketOption(IpProtoTcp, TcpUserTimeout, userTimeout);
        Assert.Equal(20_000, BitConverter.ToInt32(userTimeout));
        byte[] notSent = new byte[sizeof(int)];
        socket.GetRawSocketOption(IpProtoTcp, TcpNotSentLowWater, notSent);
        Assert.Equal(16 << 10, BitConverter.ToInt32(notSent));
    }

    [Fact]
    [NotUnderWine("it takes an option of TCP for a UDP socket")]
    public void An_option_that_the_system_refuses_costs_nothing_but_itself()
    {
        // What is no TCP socket knows none of TCP's.
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        Assert.Throws<SocketException>(() => socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, 30));
        StreamDialer.Configure(socket, Streams.Tcp(514));
        Assert.NotEqual(0, socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive));
    }
}
