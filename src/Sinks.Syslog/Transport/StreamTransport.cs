using System.Diagnostics;

namespace AsyncLog;

/// <summary>Sends records over a stream: TCP, TLS or a Unix stream socket. Connects when it is needed, writes as many frames at once as fit, notices the
/// peer's end, and retransmits frames that the previous connection did not acknowledge.</summary>
internal sealed class StreamTransport : ISyslogTransport
{
    // Bytes kept until the peer's system acknowledges them; beside the queue's memory, and only while needed.
    private const int RetransmitBytes = 1 << 20;

    // With the acknowledged window too: as much as a peer's system takes by default.
    private const int RetransmitBytesWithWindow = 8 << 20;

    // After this many bytes, the end of the peer's stream and its acknowledgements are read again.
    private const int PolledEvery = 64 << 10;

    private static readonly TimeSpan AcknowledgementCheck = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan IdleCheck = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestShutdown = TimeSpan.FromSeconds(1);

    // A connection that ends sooner may not accept records at all: a refused certificate, a load balancer without servers.
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Probation = TimeSpan.FromMilliseconds(500);

    // A peer that closes a connection with unread bytes resets it. The reset arrives within this time after a write.
    private static readonly TimeSpan ResetDelay = TimeSpan.FromMilliseconds(500);

    private readonly SyslogEndpoint _endpoint;
    private readonly ConnectStream _connect;
    private readonly SequenceCounter _sequence;
    private readonly BoundedWait _wait;
    private readonly SinkContext _context;
    private readonly ConnectionMetrics _connections;
    private readonly Func<double> _random;
    private readonly FrameBlock _block;
    private readonly RetransmitBuffer _retransmit;
    private readonly UncertainRecords _uncertain;
    private AsyncSyslogLoggerOptions _options;

    private IStreamConnection? _connection;
    private long _connectedAt;
    private long? _wroteAt;
    private bool _isSuspicious;
    private long _polledAt;
    private (long Since, TimeSpan Time) _rest;

    // If the system does not report acknowledgements: bytes of two readings ago must have been acknowledged, or the connection would have broken.
    private bool _isAssumed;
    private long _markedAt;
    private long _marked;
    private long _assumed;

    /// <param name="random">Numbers from 0 to 1 for jitter; null: random ones.</param>
    public StreamTransport(
        AsyncSyslogLoggerOptions options, ConnectStream connect, SequenceCounter sequence, BoundedWait wait, SinkContext context, Func<double>? random = null)
    {
        _options = options;
        _endpoint = new SyslogEndpoint(options.Endpoint!);
        _connect = connect;
        _sequence = sequence;
        _wait = wait;
        _context = context;
        _connections = new ConnectionMetrics(context, _endpoint.Transport);
        _random = random ?? Random.Shared.NextDouble;
        _uncertain = new UncertainRecords(context);
        bool isUnix = _endpoint.Scheme == SyslogEndpoint.Unix;
        _retransmit = new RetransmitBuffer(options.ResendAcknowledgedWindow ? RetransmitBytesWithWindow : RetransmitBytes, options.ResendAcknowledgedWindow);
        // Records for a Unix socket come unframed, because only now it is known to be a stream.
        _block = new FrameBlock(SyslogDefaults.FramingOf(options), options.SequenceId, endsLines: isUnix);
    }

    public DateTimeOffset? NextDue =>
        _connection is not null ? _wait.DueIn(_retransmit.IsWaiting ? AcknowledgementCheck : IdleCheck, _polledAt)
        : HasPending ? _wait.DueIn(_rest.Time, _rest.Since)
        : null;

    private bool HasPending => _retransmit.HasPending;

    public void Open(CancellationToken cancellationToken) => Ready(cancellationToken);

    public void Write(LogBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            while (batch.Count > 0)
            {
                IStreamConnection connection = Ready(cancellationToken);
                for (int bytes = 0; bytes < PolledEvery && batch.Count > 0 && !connection.IsClosed; bytes += connection.WriteLimit)
                    SendBlock(connection, batch, cancellationToken);
            }

            _uncertain.Settled(batch);
        }
        finally
        {
            _uncertain.Count();
        }
    }

    public void RunDue(CancellationToken cancellationToken)
    {
        // There is no current batch.
        _uncertain.Settled();
        try
        {
            if (_connection is not null)
                PollBetweenBatches();
            else if (HasPending)
                Ready(cancellationToken);
        }
        finally
        {
            _uncertain.Count();
        }
    }

    public void Apply(AsyncSyslogLoggerOptions options) => _options = options;

    /// <inheritdoc/>
    /// <remarks>Retransmits what is pending, ends the connection, and waits a moment for the peer's end. Unproved records are uncertain then.</remarks>
    public void End(CancellationToken cancellationToken)
    {
        if (!cancellationToken.IsCancellationRequested && HasPending)
            TryRetransmit(cancellationToken);
        bool isAbnormal = _connection is { } connection && Shutdown(connection, cancellationToken);
        Dispose();
        _uncertain.Add(_retransmit.Close(isAbnormal));
        // Of a batch ended by the shutdown deadline, the sent records count as written, the rest as lost.
        _uncertain.Settled();
        _uncertain.Count();
    }

    public void Dispose()
    {
        _connection?.Dispose();
        _connection = null;
    }

    private void SendBlock(IStreamConnection connection, LogBatch batch, CancellationToken cancellationToken)
    {
        _block.Fill(batch, connection.WriteLimit, _sequence.Next);
        if (_block.Count == 0)
        {
            batch.Refuse(0, DropReason.EncodeFailed);
            return;
        }

        ReadOnlySpan<byte> bytes = _block.Bytes.Span;
        long start = connection.BytesSent;
        int taken = Send(connection, bytes, cancellationToken);
        int frames = _block.CountWithin(taken, out int frameBytes, out int recordBytes);
        // Acknowledgements are read before the next block anyway, and sooner where they make room.
        if (!_retransmit.HasRoomFor(frameBytes))
            ReadAcknowledged(connection);
        _retransmit.Add(
            bytes[..frameBytes], _block.FrameLengths[..frames], connection.IsTransparent ? start + frameBytes : connection.BytesSent, connection.IsTransparent, batch.IsNotice);
        // What a local peer has is not sent again after a break: it may have read it.
        if (_endpoint.Scheme == SyslogEndpoint.Unix)
            ReadAcknowledged(connection);
        batch.Advance(recordBytes);
        _sequence.Advance(frames);
        _uncertain.Sent(batch, frames);
    }

    // The connection, ready for new records: pending frames are retransmitted.
    private IStreamConnection Ready(CancellationToken cancellationToken)
    {
        if (_connection is not null && PollAndLeave() is { } failure)
            throw failure;
        if (_connection is not null)
            return _connection;
        _wait.Pause(_rest.Time - _wait.Since(_rest.Since), cancellationToken);
        _connection = Connect(cancellationToken);
        _connectedAt = _wait.Now;
        _polledAt = _wait.Now;
        _wroteAt = null;
        (_isAssumed, _markedAt, _marked, _assumed) = (false, _connectedAt, 0, 0);
        ReadAcknowledged(_connection);
        if (_isSuspicious)
            Probe(_connection, cancellationToken);
        Retransmit(_connection, cancellationToken);
        return _connection;
    }

    private IStreamConnection Connect(CancellationToken cancellationToken)
    {
        try
        {
            IStreamConnection connection = _connect(_options, cancellationToken);
            _connections.Connected(_endpoint.ToString(), connection.TlsProtocol);
            return connection;
        }
        catch (LogSinkException exception)
        {
            _connections.Failed(_endpoint.ToString(), exception);
            throw;
        }
    }

    // If a connection ended at once, the next one must stay open for a moment before it gets records.
    private void Probe(IStreamConnection connection, CancellationToken cancellationToken)
    {
        PollUntil(connection, Probation, cancellationToken);
        if (!connection.IsClosed)
            return;
        Dispose();
        throw connection.Failure ?? new LogSinkException(SocketErrorClass.Reset, $"{_endpoint} closes each connection at once: check the log of the receiver");
    }

    private void Retransmit(IStreamConnection connection, CancellationToken cancellationToken)
    {
        while (HasPending)
        {
            ReadOnlySpan<byte> bytes = _retransmit.Pending(connection.WriteLimit, out int frames);
            long end = connection.BytesSent;
            int taken = Send(connection, bytes, cancellationToken);
            for (int left = taken; frames > 0 && _retransmit.NextPendingBytes is var length && left >= length; left -= length, frames--)
                _retransmit.Retransmitted(connection.IsTransparent ? end += length : connection.BytesSent);
            ReadAcknowledged(connection);
            if (connection.IsClosed)
                throw PollAndLeave() ?? new LogSinkException(SocketErrorClass.Reset, $"{_endpoint} ended the connection");
        }
    }

    private void TryRetransmit(CancellationToken cancellationToken)
    {
        try
        {
            Ready(cancellationToken);
        }
        catch (LogSinkException exception)
        {
            // Frames that could not be retransmitted count as uncertain.
            _context.CountError(exception.ErrorType);
        }
    }

    private int Send(IStreamConnection connection, ReadOnlySpan<byte> bytes, CancellationToken cancellationToken)
    {
        int taken = connection.Send(bytes, SyslogDefaults.SendTimeoutOf(_options), cancellationToken);
        _wroteAt = _wait.Now;
        return taken;
    }

    private void PollBetweenBatches()
    {
        if (PollAndLeave() is not { } failure)
            return;
        if (failure.IsPermanent || HasPending)
            throw failure;
        _context.CountError(failure.ErrorType);
    }

    // Reads the peer's bytes and its end before the next write. Abandons a closed connection; returns the failure, null for a normal end.
    private LogSinkException? PollAndLeave()
    {
        IStreamConnection connection = _connection!;
        connection.ProcessIncoming();
        _polledAt = _wait.Now;
        ReadAcknowledged(connection);
        if (!connection.IsClosed)
            return null;
        _connections.Lost(_endpoint.ToString(), connection.Failure?.ErrorType ?? "");
        TimeSpan life = _wait.Since(_connectedAt);
        _isSuspicious = life < ShortLife || connection.Failure is { IsPermanent: true };
        if (connection.Failure is null && life < _options.ReconnectDelay)
            _rest = (_wait.Now, _options.ReconnectDelay * _random());
        // A peer that ends in the middle of the traffic may have discarded what it had begun to read.
        bool isAbnormal = connection.Failure is not null || _retransmit.IsWaiting || !HasRestedFor(_isAssumed ? ResetDelay : ShortLife);
        if (_isAssumed && !isAbnormal)
            _retransmit.AssumeAcknowledged(connection.BytesSent);
        _uncertain.Add(_retransmit.EndConnection(isAbnormal));
        Dispose();
        return connection.Failure;
    }

    // Returns true if the connection ended abnormally.
    private bool Shutdown(IStreamConnection connection, CancellationToken cancellationToken)
    {
        connection.ProcessIncoming();
        bool wasClosed = connection.IsClosed;
        long began = _wait.Now;
        connection.Shutdown(LongestShutdown, cancellationToken);
        PollUntil(connection, LongestShutdown - _wait.Since(began), cancellationToken);
        ReadAcknowledged(connection);
        // A peer that answers the end of the stream with its own has read everything before it.
        if (_isAssumed && connection is { IsClosed: true, Failure: null } && (!wasClosed || HasRestedFor(ResetDelay)))
            _retransmit.AssumeAcknowledged(connection.BytesSent);
        return connection.Failure is not null;
    }

    private void PollUntil(IStreamConnection connection, TimeSpan limit, CancellationToken cancellationToken)
    {
        long began = _wait.Now;
        while (!connection.IsClosed && !cancellationToken.IsCancellationRequested && limit - _wait.Since(began) is var left && left > TimeSpan.Zero)
            connection.ProcessIncoming(left, cancellationToken);
    }

    private bool HasRestedFor(TimeSpan time) => _wroteAt is not { } wroteAt || _wait.Since(wroteAt) >= time;

    private void ReadAcknowledged(IStreamConnection connection)
    {
        if (connection.ReadByPeer() is { } read)
        {
            _retransmit.AcknowledgeRead(connection.BytesSent, read);
            return;
        }

        if (connection.TryReadAcknowledged(out long acknowledged, out long window))
        {
            _retransmit.Acknowledge(acknowledged, window);
            return;
        }

        _isAssumed = true;
        if (_wait.Since(_markedAt) >= _options.UserTimeout)
            (_assumed, _marked, _markedAt) = (_marked, connection.BytesSent, _wait.Now);
        _retransmit.AssumeAcknowledged(_assumed);
    }
}

/// <summary>Counts the records that may be lost although they count as written. Its law: of the records of the application that count as written, at most all are
/// uncertain.</summary>
internal sealed class UncertainRecords(SinkContext context)
{
    // Records of the current batch that were sent. They count as written with the whole batch, and as uncertain not before that.
    private int _sentOfBatch;

    // Uncertain ones that are not counted yet; the youngest records are the first to be uncertain.
    private int _open;

    // For the law.
    private long _sent;
    private long _counted;

    /// <summary>The first records of a batch were sent.</summary>
    public void Sent(LogBatch batch, int records)
    {
        // A notice counts as written nowhere.
        if (batch.IsNotice)
            return;
        _sentOfBatch += records;
        _sent += records;
    }

    /// <summary>A batch was sent as a whole. Between two parts of a batch a notice may be sent.</summary>
    public void Settled(LogBatch batch)
    {
        if (!batch.IsNotice)
            Settled();
    }

    /// <summary>There is no current batch: what was sent of it counts as written.</summary>
    public void Settled() => _sentOfBatch = 0;

    /// <summary>Sent records can be neither sent again nor proved to have been read.</summary>
    public void Add(int records) => _open += records;

    /// <summary>Counts the uncertain ones that count as written.</summary>
    public void Count()
    {
        int settled = _open - _sentOfBatch;
        if (settled <= 0)
            return;
        _open -= settled;
        _counted += settled;
        Debug.Assert(_counted <= _sent - _sentOfBatch, "More records are uncertain than were written.");
        context.CountUncertain(settled);
    }
}
