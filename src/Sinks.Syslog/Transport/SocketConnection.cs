using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>A connection without encryption, TCP or a Unix stream socket. The socket never blocks by itself: waits are bounded, and end with the shutdown
/// budget.</summary>
internal sealed class SocketConnection : IStreamConnection
{
    // A peer that sends without end must not keep the worker from sending.
    private const int ReadsAtOnce = 16;
    private readonly Socket _socket;
    private readonly BoundedWait _wait;
    private readonly string _target;
    private readonly AcknowledgementReader _readAcknowledged;
    private readonly long _acknowledgedBefore;
    private readonly bool _reportsAcknowledged;
    private readonly Func<Socket, long>? _readUnread;
    private readonly byte[] _ignored = new byte[4096];
    private long _readByPeer;
    private bool _isEndKnown;

    /// <param name="socket">Connected; owned.</param>
    /// <param name="readAcknowledged">Reads the system's counters; null: <see cref="TcpInfo.TryRead"/>.</param>
    /// <param name="readUnread">Reads how many of the bytes sent the peer's program has not read, at most; null: the peer may be on another machine.</param>
    public SocketConnection(Socket socket, BoundedWait wait, string target, AcknowledgementReader? readAcknowledged = null, Func<Socket, long>? readUnread = null)
    {
        _readUnread = readUnread;
        _socket = socket;
        _wait = wait;
        _target = target;
        _readAcknowledged = readAcknowledged ?? TcpInfo.TryRead;
        // Opening the connection counts as one byte. A sandbox that answers with zeros (gVisor) does not report it.
        _reportsAcknowledged = _readAcknowledged(socket, out _acknowledgedBefore, out _) && _acknowledgedBefore > 0;
    }

    public int WriteLimit => 64 << 10;

    public bool IsTransparent => true;

    public bool IsClosed { get; private set; }

    public LogSinkException? Failure { get; private set; }

    public long BytesSent { get; private set; }

    public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
    {
        int sent = Send(frames, stallLimit, cancellationToken, out SocketError error);
        if (sent < frames.Length)
            Break(error);
        return sent;
    }

    public void ProcessIncoming()
    {
        for (int reads = 0; reads < ReadsAtOnce && !IsClosed; reads++)
        {
            int received = Receive(_ignored, out SocketError error);
            if (error == SocketError.WouldBlock)
                return;
            if (error != SocketError.Success)
            {
                _isEndKnown = true;
                Break(error);
            }
            else if (received == 0)
            {
                IsClosed = true;
            }
        }
    }

    public void ProcessIncoming(TimeSpan time, CancellationToken cancellationToken)
    {
        if (WaitReadable(time, cancellationToken))
            ProcessIncoming();
    }

    public bool TryReadAcknowledged(out long acknowledged, out long window)
    {
        (acknowledged, window) = (0, 0);
        if (!_reportsAcknowledged || !_readAcknowledged(_socket, out acknowledged, out window))
            return false;
        acknowledged = Math.Clamp(acknowledged - _acknowledgedBefore, 0, BytesSent);
        return true;
    }

    public long? ReadByPeer()
    {
        if (_readUnread is null)
            return null;
        if (!IsClosed)
        {
            // A peer that ends discards what it has not read, and the system reports nothing unread then: a reading counts if the peer is still there after it.
            long read = BytesSent - _readUnread(_socket);
            ProcessIncoming();
            if (!IsClosed)
                _readByPeer = Math.Max(_readByPeer, read);
        }

        // On Linux a peer that ends with unread bytes resets the connection: the end without a reset, also behind a failed send, proves that it had read all.
        if (IsClosed && !_isEndKnown && OperatingSystem.IsLinux())
        {
            SocketError error;
            while (Receive(_ignored, out error) > 0)
                continue;
            if (error == SocketError.Success)
                _readByPeer = BytesSent;
            _isEndKnown = true;
        }

        return _readByPeer;
    }

    public void Shutdown(TimeSpan time, CancellationToken cancellationToken)
    {
        if (!IsClosed && ShutdownSend() is var error && error != SocketError.Success)
            Break(error);
    }

    public void Dispose() => _socket.Dispose();

    /// <summary>Sends all bytes.</summary>
    /// <param name="bytes">The bytes to send.</param>
    /// <param name="stallLimit">Longest time for which the system may accept nothing.</param>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <returns>Number of bytes accepted.</returns>
    internal int Send(ReadOnlySpan<byte> bytes, TimeSpan stallLimit, CancellationToken cancellationToken, out SocketError error)
    {
        int sent = 0;
        error = SocketError.Success;
        while (sent < bytes.Length)
        {
            int taken = _socket.Send(bytes[sent..], SocketFlags.None, out error);
            if (error == SocketError.Success)
            {
                sent += taken;
                BytesSent += taken;
                continue;
            }

            if (error is not (SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable))
                return sent;
            if (!_wait.Wait(_socket, SelectMode.SelectWrite, stallLimit, cancellationToken))
            {
                error = SocketError.TimedOut;
                return sent;
            }
        }

        return sent;
    }

    /// <summary>Reads received bytes.</summary>
    /// <returns>0 with success: the peer sends nothing more; with <see cref="SocketError.WouldBlock"/>: nothing has arrived.</returns>
    internal int Receive(Span<byte> destination, out SocketError error) => _socket.Receive(destination, SocketFlags.None, out error);

    /// <summary>Waits until something has arrived.</summary>
    internal bool WaitReadable(TimeSpan time, CancellationToken cancellationToken) => _wait.Wait(_socket, SelectMode.SelectRead, time, cancellationToken);

    /// <summary>Sends FIN.</summary>
    internal SocketError ShutdownSend()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Send);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            // Returned: a peer that is gone needs no FIN.
            return exception.SocketErrorCode;
        }
    }

    private void Break(SocketError error)
    {
        IsClosed = true;
        Failure = SocketErrorClass.ToException(error, $"the connection to {_target} broke");
    }
}

/// <summary>Reads from the system how much of a Unix stream the peer's program has not read.</summary>
internal static partial class UnixQueue
{
    // SIOCOUTQ
    private const nuint QueuedBytes = 0x5411;

    /// <summary>The unread bytes, at most.</summary>
    /// <remarks>Linux counts the memory of each packet until the last of its bytes is read: a packet of 10 bytes takes 768.</remarks>
    public static long ReadUnread(Socket socket)
    {
        if (OperatingSystem.IsLinux() && Control(socket.SafeHandle, QueuedBytes, out int bytes) == 0)
            return bytes;
        // Elsewhere: as much as the buffers of both sides hold.
        return (long)socket.SendBufferSize + socket.ReceiveBufferSize;
    }

    [LibraryImport("libc", EntryPoint = "ioctl")]
    private static partial int Control(SafeHandle socket, nuint request, out int value);
}

/// <summary>Reads from the system how much of a TCP stream the peer's system has acknowledged.</summary>
/// <returns>False where the system does not report it.</returns>
internal delegate bool AcknowledgementReader(Socket socket, out long acknowledged, out long window);

/// <summary>Linux: <c>TCP_INFO</c>.</summary>
internal static class TcpInfo
{
    // struct tcp_info of linux/tcp.h: 8 bytes, 24 numbers of 4 bytes, two of 8, then the ones wanted; fields are only ever added behind.
    private const int IpProtoTcp = 6;
    private const int Option = 11;
    private const int BytesAckedAt = 120;
    private const int SendWindowAt = 228;
    private const int MaxBytes = 256;

    // Default maximum of a peer's buffer, for systems without the field.
    private const long UnknownWindow = 6 << 20;

    /// <summary>Reads the counters of a socket.</summary>
    /// <returns>False where the system does not report it.</returns>
    public static bool TryRead(Socket socket, out long acknowledged, out long window)
    {
        acknowledged = 0;
        window = UnknownWindow;
        if (!OperatingSystem.IsLinux())
            return false;
        Span<byte> info = stackalloc byte[MaxBytes];
        int length;
        try
        {
            length = socket.GetRawSocketOption(IpProtoTcp, Option, info);
        }
        catch (SocketException)
        {
            // Not a TCP socket, or a sandbox: as where the system does not report it.
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
