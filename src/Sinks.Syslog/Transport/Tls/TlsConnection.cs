using System.Net.Security;
using System.Net.Sockets;

namespace AsyncLog;

/// <summary>An encrypted connection. A read is always pending, so that the peer's end, and what it says about a certificate, is noticed.</summary>
internal sealed class TlsConnection : IStreamConnection
{
    // A peer that talks without end does not keep the worker from sending.
    private const int ReadsAtOnce = 64;
    private readonly WireSocket _wire;
    private readonly CipherStream _cipher;
    private readonly SslStream _tls;
    private readonly TransportClock _clock;
    private readonly string _target;
    private readonly byte[] _ignored = new byte[4096];
    private Task<int> _read;

    /// <param name="wire">The socket; owned.</param>
    /// <param name="cipher">The stream between both.</param>
    /// <param name="tls">After the handshake; owned.</param>
    /// <param name="clock">Bounds the waits.</param>
    /// <param name="target">The receiver, for messages.</param>
    public TlsConnection(WireSocket wire, CipherStream cipher, SslStream tls, TransportClock clock, string target)
    {
        _wire = wire;
        _cipher = cipher;
        _tls = tls;
        _clock = clock;
        _target = target;
        TlsProtocol = tls.SslProtocol.ToString();
        _read = _tls.ReadAsync(_ignored).AsTask();
        Look();
    }

    /// <inheritdoc/>
    /// <remarks>That of one TLS record, so that its end on the wire is known.</remarks>
    public int WriteLimit => 16 << 10;

    /// <inheritdoc/>
    public bool IsTransparent => false;

    /// <inheritdoc/>
    public string TlsProtocol { get; }

    /// <inheritdoc/>
    public bool IsOver { get; private set; }

    /// <inheritdoc/>
    public LogSinkException? Failure { get; private set; }

    /// <inheritdoc/>
    public long WireBytes => _wire.WireBytes;

    /// <inheritdoc/>
    public int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken)
    {
        try
        {
            _cipher.Limit(_clock, stallLimit, isStallLimit: true, cancellationToken);
            _tls.Write(frames);
            return frames.Length;
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException)
        {
            Break(exception);
            return 0;
        }
    }

    /// <inheritdoc/>
    public void Look()
    {
        for (int reads = 0; reads < ReadsAtOnce && !IsOver; reads++)
        {
            _cipher.Pump();
            if (!_read.IsCompleted)
                return;
            try
            {
                if (_read.GetAwaiter().GetResult() == 0)
                    IsOver = true;
                else
                    _read = _tls.ReadAsync(_ignored).AsTask();
            }
            catch (Exception exception) when (exception is IOException or InvalidOperationException)
            {
                Break(exception);
            }
        }
    }

    /// <inheritdoc/>
    public void WaitAndLook(TimeSpan time, CancellationToken cancellationToken)
    {
        if (_wire.WaitReadable(time, cancellationToken))
            Look();
    }

    /// <inheritdoc/>
    public bool TryReadAcknowledged(out long acknowledged, out long window) => _wire.TryReadAcknowledged(out acknowledged, out window);

    /// <inheritdoc/>
    public void Finish(TimeSpan time, CancellationToken cancellationToken)
    {
        if (IsOver)
            return;
        try
        {
            _cipher.Limit(_clock, time, isStallLimit: false, cancellationToken);
            // Ends at once: the stream below writes on this thread.
            _tls.ShutdownAsync().GetAwaiter().GetResult();
            if (_wire.FinishSending() is var error && error != SocketError.Success)
                Break(new SocketException((int)error));
        }
        catch (Exception exception) when (exception is IOException or InvalidOperationException)
        {
            Break(exception);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _tls.Dispose();
        _wire.Dispose();
    }

    // What the library refused to read is what the peer said about the connection: an alert.
    private void Break(Exception exception)
    {
        if (IsOver)
            return;
        IsOver = true;
        Failure = exception is SocketException socket ? SocketErrorClass.ToException(socket.SocketErrorCode, $"the connection to {_target} broke")
            : _cipher.Error != SocketError.Success ? SocketErrorClass.ToException(_cipher.Error, $"the connection to {_target} broke")
            : new LogSinkException(SocketErrorClass.Tls, $"{_target} ended the TLS connection: {TlsErrorText.Of(exception)}", isPermanent: true, exception);
    }
}
