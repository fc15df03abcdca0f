namespace AsyncLog;

/// <summary>The connection to the receiver of a stream: opens it when it is needed, notices its end, and sends again what the one before did not prove.</summary>
internal sealed class StreamLink(IStreamDialer dialer, SentRecords? sent, TransportClock clock, ITransportVoice voice, Func<double> random) : IDisposable
{
    private static readonly TimeSpan AcknowledgementCheck = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan IdleCheck = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestGoodbye = TimeSpan.FromSeconds(1);

    // A connection that ends sooner was perhaps never meant to take records: a refused certificate, a balancer without servers behind it.
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Probation = TimeSpan.FromMilliseconds(500);

    // A peer that closes a connection with something unread resets it; that long after a write the reset is here.
    private static readonly TimeSpan ResetDelay = TimeSpan.FromMilliseconds(500);

    // How long the usual system tries to have bytes acknowledged where no limit is set.
    private static readonly TimeSpan UsualUserTimeout = TimeSpan.FromSeconds(20);

    private IStreamConnection? _connection;
    private long _connectedAt;
    private long _wroteAt;
    private bool _hasWritten;
    private bool _isSuspicious;
    private DateTimeOffset _lookedAt;
    private DateTimeOffset _notBefore;
    private int _uncertain;

    // Where the system does not report acknowledgements: bytes of two readings ago must have been acknowledged, or the connection would have broken.
    private bool _isAssumed;
    private long _markedAt;
    private long _marked;
    private long _assumed;

    /// <summary>When the link wants to be looked after; null: never.</summary>
    public DateTimeOffset? NextDue =>
        _connection is not null ? _lookedAt + (sent?.IsWaiting == true ? AcknowledgementCheck : IdleCheck)
        : sent?.HasPending == true ? _notBefore
        : null;

    /// <summary>The connection, fit for new records: whatever had to be sent again was.</summary>
    /// <exception cref="LogSinkException">There is none now.</exception>
    public IStreamConnection Ready(TransportSettings settings, CancellationToken cancellationToken)
    {
        if (_connection is not null && (LookAndLeave(settings) is { } failure))
            throw failure;
        if (_connection is not null)
            return _connection;
        if (_notBefore > clock.UtcNow)
            clock.Pause(_notBefore - clock.UtcNow, cancellationToken);
        _connection = Dial(settings, cancellationToken);
        _connectedAt = clock.Now;
        _lookedAt = clock.UtcNow;
        _hasWritten = false;
        (_isAssumed, _markedAt, _marked, _assumed) = (false, _connectedAt, 0, 0);
        if (_isSuspicious)
            Probe(_connection, settings, cancellationToken);
        Resend(_connection, settings, cancellationToken);
        return _connection;
    }

    /// <summary>Sends frames over the connection that is ready.</summary>
    /// <returns>How many of them the system has taken; the others are still to be sent.</returns>
    public int Send(FrameBlock block, TransportSettings settings, CancellationToken cancellationToken)
    {
        IStreamConnection connection = _connection!;
        ReadOnlySpan<byte> bytes = block.Bytes.Span;
        long start = connection.WireBytes;
        int taken = connection.Send(bytes, settings.SendTimeout, cancellationToken);
        NoteWrite();
        int at = 0;
        int frames = 0;
        while (frames < block.Count && at + block.FrameBytes(frames) <= taken)
        {
            int length = block.FrameBytes(frames++);
            sent?.Add(bytes.Slice(at, length), connection.IsTransparent ? start + at + length : connection.WireBytes);
            at += length;
        }

        ReadAcknowledged(connection, settings);
        return frames;
    }

    /// <summary>Looks after the connection between batches.</summary>
    /// <exception cref="LogSinkException">What has to be sent again has to wait.</exception>
    public void RunDue(TransportSettings settings, CancellationToken cancellationToken)
    {
        if (_connection is null)
        {
            if (sent?.HasPending == true)
                Ready(settings, cancellationToken);
            return;
        }

        if (LookAndLeave(settings) is not { } failure)
            return;
        if (failure.IsPermanent || sent?.HasPending == true)
            throw failure;
        voice.CountError(failure.ErrorType);
    }

    /// <summary>How many records became uncertain since the last call.</summary>
    public int TakeUncertain()
    {
        int uncertain = _uncertain;
        _uncertain = 0;
        return uncertain;
    }

    /// <summary>Sends what is left to be sent again, says goodbye, and waits a moment for the peer's. What is not proved by then is uncertain.</summary>
    public void End(TransportSettings settings, CancellationToken cancellationToken)
    {
        if (!cancellationToken.IsCancellationRequested && sent?.HasPending == true)
            TryResend(settings, cancellationToken);
        bool isAbnormal = false;
        if (_connection is { } connection)
        {
            connection.Look();
            bool wasOver = connection.IsOver;
            long began = clock.Now;
            connection.Finish(LongestGoodbye, cancellationToken);
            while (!connection.IsOver && !cancellationToken.IsCancellationRequested && LongestGoodbye - clock.Since(began) is var left && left > TimeSpan.Zero)
                connection.WaitAndLook(left, cancellationToken);
            ReadAcknowledged(connection, settings);
            isAbnormal = connection.Failure is not null;
            // A peer that answers the end with its own has read everything before it.
            if (_isAssumed && connection is { IsOver: true, Failure: null } && (!wasOver || HasRestedFor(ResetDelay)))
                sent?.Assume(connection.WireBytes);
            Dispose();
        }

        _uncertain += sent?.End(isAbnormal) ?? 0;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _connection?.Dispose();
        _connection = null;
    }

    private IStreamConnection Dial(TransportSettings settings, CancellationToken cancellationToken)
    {
        try
        {
            IStreamConnection connection = dialer.Dial(settings, cancellationToken);
            voice.Connected(settings.Target, connection.TlsProtocol);
            return connection;
        }
        catch (LogSinkException exception)
        {
            voice.ConnectFailed(settings.Target, exception);
            throw;
        }
    }

    private void TryResend(TransportSettings settings, CancellationToken cancellationToken)
    {
        try
        {
            Ready(settings, cancellationToken);
        }
        catch (LogSinkException exception)
        {
            // What could not be sent again is counted as uncertain.
            voice.CountError(exception.ErrorType);
        }
    }

    // What the peer sent, its end included, is seen before the next write. Gives the connection up when it is over; why, unless that is normal.
    private LogSinkException? LookAndLeave(TransportSettings settings)
    {
        IStreamConnection connection = _connection!;
        connection.Look();
        _lookedAt = clock.UtcNow;
        ReadAcknowledged(connection, settings);
        if (!connection.IsOver)
            return null;
        voice.ConnectionLost(settings.Target, connection.Failure?.ErrorType ?? "");
        TimeSpan life = clock.Since(_connectedAt);
        _isSuspicious = life < ShortLife || connection.Failure is { IsPermanent: true };
        if (connection.Failure is null && life < settings.ReconnectDelay)
            _notBefore = clock.UtcNow + (settings.ReconnectDelay * random());
        // A peer that ends in the middle of the traffic may have taken along what it had begun to read.
        bool isAbnormal = connection.Failure is not null || sent?.IsWaiting == true || !HasRestedFor(_isAssumed ? ResetDelay : ShortLife);
        if (_isAssumed && !isAbnormal)
            sent?.Assume(connection.WireBytes);
        _uncertain += sent?.Break(isAbnormal) ?? 0;
        Dispose();
        return connection.Failure;
    }

    // After a connection that ended at once the next one has to live a moment before records are trusted to it.
    private void Probe(IStreamConnection connection, TransportSettings settings, CancellationToken cancellationToken)
    {
        long began = clock.Now;
        while (!connection.IsOver && !cancellationToken.IsCancellationRequested && Probation - clock.Since(began) is var left && left > TimeSpan.Zero)
            connection.WaitAndLook(left, cancellationToken);
        if (!connection.IsOver)
            return;
        Dispose();
        throw connection.Failure ?? new LogSinkException(SocketErrorClass.Reset, $"{settings.Target} ends each connection at once");
    }

    private void Resend(IStreamConnection connection, TransportSettings settings, CancellationToken cancellationToken)
    {
        while (sent?.HasPending == true)
        {
            ReadOnlySpan<byte> bytes = sent.Pending(connection.WriteLimit, out int frames);
            long end = connection.WireBytes;
            int taken = connection.Send(bytes, settings.SendTimeout, cancellationToken);
            NoteWrite();
            for (int left = taken; frames > 0 && sent.LengthOfNextPending is var length && left >= length; left -= length, frames--)
                sent.Resent(connection.IsTransparent ? end += length : connection.WireBytes);
            ReadAcknowledged(connection, settings);
            if (connection.IsOver)
                throw LookAndLeave(settings) ?? new LogSinkException(SocketErrorClass.Reset, $"{settings.Target} ended the connection");
        }
    }

    private bool HasRestedFor(TimeSpan time) => !_hasWritten || clock.Since(_wroteAt) >= time;

    private void NoteWrite()
    {
        _hasWritten = true;
        _wroteAt = clock.Now;
    }

    private void ReadAcknowledged(IStreamConnection connection, TransportSettings settings)
    {
        if (connection.TryReadAcknowledged(out long acknowledged, out long window))
        {
            sent?.Acknowledge(acknowledged, window);
            return;
        }

        _isAssumed = true;
        if (clock.Since(_markedAt) >= (settings.UserTimeout ?? UsualUserTimeout))
            (_assumed, _marked, _markedAt) = (_marked, connection.WireBytes, clock.Now);
        sent?.Assume(_assumed);
    }
}
