using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Sends each record as one datagram. What the system does not take is tried once more where that helps, else dropped and counted.</summary>
internal sealed class DatagramTransport : ISyslogTransport
{
    private static readonly TimeSpan BriefPause = TimeSpan.FromMilliseconds(10);
    private readonly IDatagramPath _path;
    private readonly RecordCutter _cutter;
    private readonly SequenceCounter _sequence;
    private readonly TransportClock _clock;
    private readonly DatagramReports _reports;
    private readonly long _began;
    private byte[] _numbered = [];
    private TransportSettings _settings;
    private DatagramPacer _pacer;

    /// <param name="settings">What the options say.</param>
    /// <param name="path">The way to the receiver; owned.</param>
    /// <param name="cutter">Cuts what the way does not carry.</param>
    /// <param name="sequence">The numbers of the sink's records.</param>
    /// <param name="clock">Bounds the waits.</param>
    /// <param name="voice">Where trouble is counted and told.</param>
    public DatagramTransport(
        TransportSettings settings, IDatagramPath path, RecordCutter cutter, SequenceCounter sequence, TransportClock clock, ITransportVoice voice)
    {
        _settings = settings;
        _path = path;
        _cutter = cutter;
        _sequence = sequence;
        _clock = clock;
        _reports = new DatagramReports(voice, clock, settings.Target);
        _began = clock.Now;
    }

    /// <inheritdoc/>
    public DateTimeOffset? NextDue => _path.NextDue(_settings);

    /// <inheritdoc/>
    public void Open(CancellationToken cancellationToken) => _path.Ready(_settings, cancellationToken);

    /// <inheritdoc/>
    public void Write(LogBatch batch, CancellationToken cancellationToken)
    {
        while (batch.Count > 0)
        {
            if (cancellationToken.IsCancellationRequested)
                throw new LogSinkException(SocketErrorClass.Timeout, "the shutdown budget is used up");
            IDatagramSocket socket = _path.Ready(_settings, cancellationToken);
            Pace(cancellationToken);
            ReadOnlySpan<byte> record = batch[0].Bytes.Span;
            ReadOnlySpan<byte> datagram = _settings.IsNumbered ? Number(record) : record;
            SocketError error = socket.Send(datagram);
            if (error == SocketError.Success || Retry(socket, datagram, ref error, cancellationToken))
                batch.Advance(record.Length);
            else
                GiveUp(batch, error);
            _sequence.Advance(1);
        }

        _reports.Worked();
    }

    /// <inheritdoc/>
    public void RunDue(CancellationToken cancellationToken) => _path.Ready(_settings, cancellationToken);

    /// <inheritdoc/>
    public void Apply(TransportSettings settings) => _settings = settings;

    /// <inheritdoc/>
    public void End(CancellationToken cancellationToken)
    {
        // a datagram that was taken is on its way
    }

    /// <inheritdoc/>
    public void Dispose() => _path.Dispose();

    private void Pace(CancellationToken cancellationToken)
    {
        if (_settings.MaxDatagramsPerSecond is not { } rate)
            return;
        TimeSpan wait = _pacer.Take(_clock.Since(_began), rate);
        if (wait > TimeSpan.Zero)
            _clock.Pause(wait, cancellationToken);
    }

    private ReadOnlySpan<byte> Number(ReadOnlySpan<byte> record)
    {
        int room = SequenceIdInsertion.RoomFor(record.Length);
        if (_numbered.Length < room)
            _numbered = new byte[Math.Max(room, _settings.MaxMessageBytes + SequenceIdInsertion.MaxElementBytes)];
        return _numbered.AsSpan(0, SequenceIdInsertion.Write(record, _sequence.Next, FrameKind.None, _numbered));
    }

    // Every remedy once, each address once; what still fails after it is given up, with the error that decided.
    private bool Retry(IDatagramSocket socket, ReadOnlySpan<byte> datagram, ref SocketError error, CancellationToken cancellationToken)
    {
        int tried = 0;
        int refusals = 0;
        int whole = datagram.Length;
        bool isFirstCut = !RecordCutter.IsCut(datagram, _settings.MaxMessageBytes);
        int droppedParameters = 0;
        bool hidesRefusals = _path.HidesRefusals(_settings);
        while (_path.RemedyFor(error) is var remedy && remedy is >= DatagramRemedy.WaitForRoom and <= DatagramRemedy.Cut && (tried & (1 << (int)remedy)) == 0)
        {
            if (remedy != DatagramRemedy.SendAgain)
                tried |= 1 << (int)remedy;
            else if (_path.AfterRefusal(_settings, ++refusals) is { } next)
                socket = next;
            else
                return hidesRefusals;
            if (remedy != DatagramRemedy.WaitForRoom && !(remedy == DatagramRemedy.SendAgain && hidesRefusals))
                _reports.Count(error);
            if (remedy == DatagramRemedy.Cut)
                datagram = _cutter.Cut(datagram, _settings.MaxMessageBytes, out droppedParameters);
            if (datagram.IsEmpty)
                return false;
            if (remedy == DatagramRemedy.WaitBriefly)
                _clock.Pause(BriefPause, cancellationToken);
            error = remedy == DatagramRemedy.WaitForRoom ? SendWhenWritable(socket, datagram, cancellationToken) : socket.Send(datagram);
            if (error != SocketError.Success)
                continue;
            if (datagram.Length < whole)
                _reports.CountCut(isFirstCut, droppedParameters);
            return true;
        }

        return false;
    }

    private SocketError SendWhenWritable(IDatagramSocket socket, ReadOnlySpan<byte> datagram, CancellationToken cancellationToken)
    {
        long began = _clock.Now;
        while (_settings.SendTimeout - _clock.Since(began) is var left && left > TimeSpan.Zero && socket.WaitWritable(left, cancellationToken))
        {
            SocketError error = socket.Send(datagram);
            if (error != SocketError.WouldBlock)
                return error;
        }

        return SocketError.WouldBlock;
    }

    private void GiveUp(LogBatch batch, SocketError error)
    {
        DatagramRemedy remedy = _path.RemedyFor(error);
        if (remedy == DatagramRemedy.Wait || (_path.IsReliable && remedy is DatagramRemedy.WaitForRoom or DatagramRemedy.WaitBriefly))
        {
            // A receiver that is only slow keeps its socket.
            if (remedy == DatagramRemedy.Wait)
                _path.Reopen();
            throw SocketErrorClass.ToException(error, $"cannot send to {_settings.Target}");
        }

        if (remedy == DatagramRemedy.DropAndReopen)
        {
            batch.Refuse(0, DropReason.WriteFailed);
            _sequence.Advance(1);
            _path.Reopen();
            throw SocketErrorClass.ToException(error, $"cannot send a record to {_settings.Target}, it is dropped");
        }

        _reports.Report(error);
        batch.Refuse(0, remedy == DatagramRemedy.Cut ? DropReason.Oversize : DropReason.WriteFailed);
        if (remedy == DatagramRemedy.DropAndLookAgain)
            _path.LookAgain();
    }
}
