using System.Net.Sockets;

namespace AsyncLog;

/// <summary>A connected stream socket that never blocks by itself: waits are bounded, and end with the shutdown budget.</summary>
internal sealed class WireSocket : IDisposable
{
    private readonly Socket _socket;
    private readonly TransportClock _clock;
    private readonly AcknowledgementReader _readAcknowledged;
    private readonly long _acknowledgedBefore;
    private readonly bool _reportsAcknowledged;

    /// <param name="socket">Connected; owned.</param>
    /// <param name="clock">Bounds the waits.</param>
    /// <param name="readAcknowledged">Asks the system; null: <see cref="TcpAcknowledgement.TryRead"/>.</param>
    public WireSocket(Socket socket, TransportClock clock, AcknowledgementReader? readAcknowledged = null)
    {
        _socket = socket;
        _clock = clock;
        _readAcknowledged = readAcknowledged ?? TcpAcknowledgement.TryRead;
        // Opening the connection counts as one byte. A sandbox that answers with zeros (gVisor) does not report it.
        _reportsAcknowledged = _readAcknowledged(socket, out _acknowledgedBefore, out _) && _acknowledgedBefore > 0;
    }

    /// <summary>Bytes that the local system has taken.</summary>
    public long WireBytes { get; private set; }

    /// <summary>Sends all bytes.</summary>
    /// <param name="bytes">What to send.</param>
    /// <param name="stallLimit">How long the system may take nothing.</param>
    /// <param name="cancellationToken">Set when the shutdown budget is used up.</param>
    /// <param name="error">Why not all were taken.</param>
    /// <returns>How many were taken.</returns>
    public int Send(ReadOnlySpan<byte> bytes, TimeSpan stallLimit, CancellationToken cancellationToken, out SocketError error)
    {
        int sent = 0;
        error = SocketError.Success;
        while (sent < bytes.Length)
        {
            int taken = _socket.Send(bytes[sent..], SocketFlags.None, out error);
            if (error == SocketError.Success)
            {
                sent += taken;
                WireBytes += taken;
                continue;
            }

            if (error is not (SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable))
                return sent;
            if (!_clock.Wait(_socket, SelectMode.SelectWrite, stallLimit, cancellationToken))
            {
                error = SocketError.TimedOut;
                return sent;
            }
        }

        return sent;
    }

    /// <summary>Takes what has arrived.</summary>
    /// <returns>0 with success: the peer sends nothing more; with <see cref="SocketError.WouldBlock"/>: nothing has arrived.</returns>
    public int Receive(Span<byte> destination, out SocketError error) => _socket.Receive(destination, SocketFlags.None, out error);

    /// <summary>Waits until something has arrived.</summary>
    public bool WaitReadable(TimeSpan time, CancellationToken cancellationToken) => _clock.Wait(_socket, SelectMode.SelectRead, time, cancellationToken);

    /// <summary>Says that nothing more will be sent.</summary>
    public SocketError FinishSending()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Send);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            // Returned: a peer that is gone needs no goodbye.
            return exception.SocketErrorCode;
        }
    }

    /// <summary>What the peer's system acknowledged of <see cref="WireBytes"/>.</summary>
    public bool TryReadAcknowledged(out long acknowledged, out long window)
    {
        (acknowledged, window) = (0, 0);
        if (!_reportsAcknowledged || !_readAcknowledged(_socket, out acknowledged, out window))
            return false;
        acknowledged = Math.Clamp(acknowledged - _acknowledgedBefore, 0, WireBytes);
        return true;
    }

    public void Dispose() => _socket.Dispose();
}
