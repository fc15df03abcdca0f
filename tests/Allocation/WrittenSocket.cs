using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Allocation;

/// <summary>A receiver of syslog in the same process, which counts bytes and forgets them. Datagrams it misses do not matter: the sender's books are compared.</summary>
internal sealed class WrittenSocket : Written
{
    private readonly Socket _listening;
    private readonly bool _isStream;
    private long _bytes;

    public WrittenSocket(bool isStream)
    {
        _isStream = isStream;
        _listening = isStream
            ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        _listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (isStream)
            _listening.Listen();
        new Thread(Receive) { IsBackground = true }.Start();
    }

    public Uri Endpoint => new(FormattableString.Invariant($"{(_isStream ? "tcp" : "udp")}://127.0.0.1:{((IPEndPoint)_listening.LocalEndPoint!).Port}"));

    // sender and receiver share the machine: either may pause while the other has work
    protected override int QuietMilliseconds => 15;

    protected override long Bytes => Volatile.Read(ref _bytes);

    public override void Dispose() => _listening.Dispose();

    private void Receive()
    {
        var buffer = new byte[1 << 16];
        try
        {
            var socket = _isStream ? _listening.Accept() : _listening;
            while (true)
                Volatile.Write(ref _bytes, _bytes + socket.Receive(buffer));
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // the measurement is over
        }
    }
}
