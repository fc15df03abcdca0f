namespace AsyncLog;

/// <summary>Sends records over a stream, as many frames at once as there are, up to a limit.</summary>
internal sealed class StreamTransport : ISyslogTransport
{
    private readonly StreamLink _link;
    private readonly SequenceCounter _sequence;
    private readonly ITransportVoice _voice;
    private readonly FrameBlock _block;
    private TransportSettings _settings;

    // Records of the batch in hand that were sent. They count as written with the whole batch, and as uncertain not before that.
    private int _sentOfBatch;

    // Uncertain ones that are not counted yet; the youngest records are the first to be uncertain.
    private int _uncertain;

    /// <param name="settings">What the options say.</param>
    /// <param name="link">The connection; owned.</param>
    /// <param name="sequence">The numbers of the sink's records.</param>
    /// <param name="voice">Where trouble is counted.</param>
    public StreamTransport(TransportSettings settings, StreamLink link, SequenceCounter sequence, ITransportVoice voice)
    {
        _settings = settings;
        _link = link;
        _sequence = sequence;
        _voice = voice;
        // A local socket's records come unframed, because only now it is known to be a stream.
        _block = new FrameBlock(settings.Frame, settings.IsNumbered, endsLines: settings.Path.Length > 0);
    }

    /// <inheritdoc/>
    public DateTimeOffset? NextDue => _link.NextDue;

    /// <inheritdoc/>
    public void Open(CancellationToken cancellationToken) => _link.Ready(_settings, cancellationToken);

    /// <inheritdoc/>
    public void Write(LogBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            while (batch.Count > 0)
                SendBlock(batch, cancellationToken);
            _sentOfBatch = 0;
        }
        finally
        {
            CountUncertain();
        }
    }

    /// <inheritdoc/>
    public void RunDue(CancellationToken cancellationToken)
    {
        // No batch is in hand.
        _sentOfBatch = 0;
        try
        {
            _link.RunDue(_settings, cancellationToken);
        }
        finally
        {
            CountUncertain();
        }
    }

    /// <inheritdoc/>
    public void Apply(TransportSettings settings) => _settings = settings;

    /// <inheritdoc/>
    public void End(CancellationToken cancellationToken)
    {
        _link.End(_settings, cancellationToken);
        // What was sent of a batch that the shutdown deadline cut short counts as written, the rest as lost.
        _sentOfBatch = 0;
        CountUncertain();
    }

    /// <inheritdoc/>
    public void Dispose() => _link.Dispose();

    private void SendBlock(LogBatch batch, CancellationToken cancellationToken)
    {
        IStreamConnection connection = _link.Ready(_settings, cancellationToken);
        _block.Fill(batch, connection.WriteLimit, _sequence.Next);
        int frames = _link.Send(_block, _settings, cancellationToken);
        int records = 0;
        for (int i = 0; i < frames; i++)
            records += _block.RecordBytes(i);
        batch.Advance(records);
        _sequence.Advance(frames);
        _sentOfBatch += frames;
    }

    private void CountUncertain()
    {
        _uncertain += _link.TakeUncertain();
        int settled = _uncertain - _sentOfBatch;
        if (settled <= 0)
            return;
        _uncertain -= settled;
        _voice.CountUncertain(settled);
    }
}
