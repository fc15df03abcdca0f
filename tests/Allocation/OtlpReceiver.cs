using System.Buffers.Text;
using System.Net;
using System.Net.Sockets;

namespace AsyncLog.Tests;

/// <summary>An HTTP server on loopback that accepts every request with log records and allocates nothing for it.</summary>
internal sealed class OtlpReceiver : Progress
{
    private const int QuietMilliseconds = 25;

    private static readonly byte[] Accepted = [.. "HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 2\r\n\r\n"u8, 0x0A, 0x00];
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly byte[] _buffer = new byte[1 << 16];
    private long _received;

    public OtlpReceiver()
        : base(QuietMilliseconds)
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        new Thread(Run) { IsBackground = true, Name = "receiver" }.Start();
    }

    public override int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    public override void Dispose() => _listener.Dispose();

    protected override long ReadLength() => Volatile.Read(ref _received);

    private void Run()
    {
        try
        {
            while (true)
            {
                using var connection = _listener.Accept();
                while (TakeRequest(connection))
                    connection.Send(Accepted);
            }
        }
        catch (SocketException)
        {
            // The run is over: the socket was closed.
        }
    }

    /// <returns>False at the end of the connection.</returns>
    private bool TakeRequest(Socket connection)
    {
        var length = 0;
        int end;
        while ((end = _buffer.AsSpan(0, length).IndexOf("\r\n\r\n"u8)) < 0)
        {
            var read = Receive(connection, _buffer.AsSpan(length));
            if (read == 0)
                return false;
            length += read;
        }

        // one request at a time: what is not of this one does not come before its answer
        var missing = end + 4 + ContentLength(_buffer.AsSpan(0, end)) - length;
        while (missing > 0)
        {
            var read = Receive(connection, _buffer.AsSpan(0, Math.Min(missing, _buffer.Length)));
            if (read == 0)
                return false;
            missing -= read;
        }

        return true;
    }

    private int Receive(Socket connection, Span<byte> buffer)
    {
        var read = connection.Receive(buffer);
        Volatile.Write(ref _received, _received + read);
        return read;
    }

    private static int ContentLength(ReadOnlySpan<byte> head)
    {
        var name = "Content-Length: "u8;
        var at = head.IndexOf(name);
        return at >= 0 && Utf8Parser.TryParse(head[(at + name.Length)..], out int length, out _) ? length : throw new InvalidOperationException("a request without a length");
    }
}
