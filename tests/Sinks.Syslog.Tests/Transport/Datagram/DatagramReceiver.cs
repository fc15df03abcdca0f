using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.Tests.Transport.Datagram;

/// <summary>A receiver of datagrams inside the test.</summary>
internal sealed class DatagramReceiver : IDisposable
{
    private readonly Socket _socket;
    private readonly List<string> _records = [];

    /// <param name="endPoint">Where it listens.</param>
    /// <param name="reads">Whether it reads what comes.</param>
    public DatagramReceiver(EndPoint endPoint, bool reads = true)
    {
        _socket = new Socket(endPoint.AddressFamily, SocketType.Dgram, endPoint is IPEndPoint ? ProtocolType.Udp : ProtocolType.Unspecified)
        {
            ReceiveBufferSize = 8 << 20,
        };
        _socket.Bind(endPoint);
        if (reads)
            new Thread(Receive) { IsBackground = true, Name = "datagram receiver" }.Start();
    }

    public int Port => ((IPEndPoint)_socket.LocalEndPoint!).Port;

    public List<string> Records
    {
        get
        {
            lock (_records)
                return [.. _records];
        }
    }

    public void Dispose() => _socket.Dispose();

    private void Receive()
    {
        byte[] buffer = new byte[1 << 16];
        try
        {
            while (true)
            {
                int count = _socket.Receive(buffer);
                lock (_records)
                    _records.Add(Encoding.UTF8.GetString(buffer, 0, count));
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the socket was closed
        }
    }
}
