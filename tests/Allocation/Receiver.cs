using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests;

/// <summary>A syslog receiver on loopback that counts bytes and allocates nothing for them.</summary>
internal sealed class Receiver : Progress
{
    private const int RoomForBurst = 8 << 20;

    // A burst is thousands of sends, between which the worker may have to wait for the processor.
    private const int QuietPolls = 24;

    private readonly Socket _socket;
    private readonly Socket? _listener;
    private long _received;

    /// <param name="isStream">TCP instead of UDP.</param>
    public Receiver(bool isStream)
        : base(QuietPolls)
    {
        _socket = new Socket(AddressFamily.InterNetwork, isStream ? SocketType.Stream : SocketType.Dgram, isStream ? ProtocolType.Tcp : ProtocolType.Udp)
        {
            ReceiveBufferSize = RoomForBurst,
        };
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (isStream)
        {
            _listener = _socket;
            _listener.Listen();
        }

        new Thread(Receive) { IsBackground = true, Name = "receiver" }.Start();
    }

    public override int Port => ((IPEndPoint)_socket.LocalEndPoint!).Port;

    public override void Dispose() => _socket.Dispose();

    protected override long ReadLength() => Volatile.Read(ref _received);

    private void Receive()
    {
        var buffer = new byte[1 << 16];
        try
        {
            var source = _listener?.Accept() ?? _socket;
            for (int read; (read = source.Receive(buffer)) > 0;)
                Volatile.Write(ref _received, _received + read);
        }
        catch (SocketException)
        {
            // The run is over: the socket was closed.
        }
    }
}
