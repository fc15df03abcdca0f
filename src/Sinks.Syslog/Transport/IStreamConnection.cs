namespace AsyncLog;

/// <summary>Connects to the receiver of a stream; each attempt resolves the name again and tries all addresses. A seam of the fault tests.</summary>
/// <exception cref="LogSinkException">There is no connection, and the reason.</exception>
internal delegate IStreamConnection ConnectStream(AsyncSyslogLoggerOptions options, CancellationToken cancellationToken);

/// <summary>One connection to a receiver of a stream. Used by the worker only.</summary>
internal interface IStreamConnection : IDisposable
{
    /// <summary>The most bytes of one <see cref="Send"/>, unless a single frame is larger.</summary>
    int WriteLimit { get; }

    /// <summary>True if bytes on the wire are the bytes of the frames; else all frames of one send end where its last byte ends.</summary>
    bool IsTransparent { get; }

    /// <summary>The version of TLS; empty without.</summary>
    string TlsProtocol => "";

    /// <summary>True if nothing can be sent any more.</summary>
    bool IsClosed { get; }

    /// <summary>Failure that closed it; null while it is open, and after a normal end.</summary>
    LogSinkException? Failure { get; }

    /// <summary>Bytes that the local system has taken.</summary>
    long BytesSent { get; }

    /// <summary>Hands bytes to the system, continuing after the last accepted one until all are accepted.</summary>
    /// <returns>Number known to be accepted; fewer than all: the connection is closed.</returns>
    int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken);

    /// <summary>Reads and discards the peer's bytes; detects its end.</summary>
    void ProcessIncoming();

    /// <summary>Waits until the peer sends something, then polls.</summary>
    void ProcessIncoming(TimeSpan time, CancellationToken cancellationToken);

    /// <summary>Reads the acknowledged byte count from the system; also after the end.</summary>
    /// <param name="acknowledged">Of <see cref="BytesSent"/>, from the first on.</param>
    /// <param name="window">Number of unread bytes that the peer's window allows.</param>
    /// <returns>False when the platform does not report it.</returns>
    bool TryReadAcknowledged(out long acknowledged, out long window);

    /// <summary>Reads how many of <see cref="BytesSent"/> the peer's program has read, at least; also after the end.</summary>
    /// <returns>Null: the peer is not on this machine, and its system acknowledges what it has received.</returns>
    long? ReadByPeer() => null;

    /// <summary>Ends the sending side: FIN, after close_notify with TLS.</summary>
    void Shutdown(TimeSpan time, CancellationToken cancellationToken);
}
