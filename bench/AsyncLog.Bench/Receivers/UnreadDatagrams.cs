using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Bench;

/// <summary>A UDP socket that is never read: the system takes every datagram, keeps the first few and counts the others, so that the sender alone is measured.</summary>
internal sealed class UnreadDatagrams : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
    private long _taken;

    public UnreadDatagrams() => _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    public int Port => ((IPEndPoint)_socket.LocalEndPoint!).Port;

    public Uri Endpoint => new(string.Create(CultureInfo.InvariantCulture, $"udp://127.0.0.1:{Port}"));

    /// <summary>Throws unless so many datagrams came.</summary>
    /// <exception cref="InvalidOperationException">There were more or fewer.</exception>
    public void Verify(long expected)
    {
        TakeAll();
        var came = Dropped() + _taken;
        if (came != expected)
            throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{came} datagrams came, expected {expected}"));
    }

    /// <summary>Takes the oldest datagram that was kept.</summary>
    public byte[] Take()
    {
        var buffer = new byte[ushort.MaxValue];
        _taken++;
        return buffer[.._socket.Receive(buffer)];
    }

    public void Dispose() => _socket.Dispose();

    private void TakeAll()
    {
        var buffer = new byte[ushort.MaxValue];
        for (; _socket.Available > 0; _taken++)
            _socket.Receive(buffer);
    }

    // the last column of the socket's line
    private long Dropped()
    {
        var local = string.Create(CultureInfo.InvariantCulture, $":{Port:X4}");
        return File.ReadLines("/proc/net/udp").Select(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => columns[1].EndsWith(local, StringComparison.Ordinal)).Sum(static columns => long.Parse(columns[^1], CultureInfo.InvariantCulture));
    }
}
