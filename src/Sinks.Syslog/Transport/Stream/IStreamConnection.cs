namespace AsyncLog;

/// <summary>One connection to a receiver of a stream. Used by the worker only.</summary>
internal interface IStreamConnection : IDisposable
{
    /// <summary>The most bytes of one <see cref="Send"/>, unless a single frame is larger.</summary>
    int WriteLimit { get; }

    /// <summary>Whether bytes on the wire are the bytes of the frames; else all frames of one send end where its last byte ends.</summary>
    bool IsTransparent { get; }

    /// <summary>The version of TLS; empty without.</summary>
    string TlsProtocol => "";

    /// <summary>Whether nothing can be sent any more.</summary>
    bool IsOver { get; }

    /// <summary>Why it is over; null while it is not, and after a normal end.</summary>
    LogSinkException? Failure { get; }

    /// <summary>Bytes that the local system has taken.</summary>
    long WireBytes { get; }

    /// <summary>Hands bytes to the system, continuing behind the last one taken until all are.</summary>
    /// <returns>How many are known to be taken; fewer than all: the connection is over.</returns>
    int Send(ReadOnlySpan<byte> frames, TimeSpan stallLimit, CancellationToken cancellationToken);

    /// <summary>Takes, and ignores, what the peer sent; notices its end.</summary>
    void Look();

    /// <summary>Waits for something from the peer, and looks.</summary>
    void WaitAndLook(TimeSpan time, CancellationToken cancellationToken);

    /// <summary>Asks the system what the peer's system acknowledged; also after the end.</summary>
    /// <param name="acknowledged">Of <see cref="WireBytes"/>, from the first on.</param>
    /// <param name="window">How many unread bytes the peer offers to take.</param>
    /// <returns>False when the platform does not tell.</returns>
    bool TryReadAcknowledged(out long acknowledged, out long window);

    /// <summary>Says that nothing more will be sent.</summary>
    void Finish(TimeSpan time, CancellationToken cancellationToken);
}
