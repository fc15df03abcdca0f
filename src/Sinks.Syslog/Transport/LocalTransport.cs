using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Sends to a local socket such as <c>/dev/log</c>: as datagrams, or as lines where the receiver's socket is a stream.</summary>
internal sealed class LocalTransport(
    TransportSettings settings, RecordCutter cutter, SequenceCounter sequence, TransportClock clock, ITransportVoice voice) : ISyslogTransport
{
    private TransportSettings _settings = settings;
    private ISyslogTransport? _inner;

    /// <inheritdoc/>
    public DateTimeOffset? NextDue => _inner?.NextDue;

    /// <inheritdoc/>
    public void Open(CancellationToken cancellationToken) => Guard(static (inner, _, token) => inner.Open(token), null, cancellationToken);

    /// <inheritdoc/>
    public void Write(LogBatch batch, CancellationToken cancellationToken)
        => Guard(static (inner, records, token) => inner.Write(records!, token), batch, cancellationToken);

    /// <inheritdoc/>
    public void RunDue(CancellationToken cancellationToken) => Guard(static (inner, _, token) => inner.RunDue(token), null, cancellationToken);

    /// <inheritdoc/>
    public void Apply(TransportSettings settings)
    {
        _settings = settings;
        _inner?.Apply(settings);
    }

    /// <inheritdoc/>
    public void End(CancellationToken cancellationToken) => _inner?.End(cancellationToken);

    /// <inheritdoc/>
    public void Dispose()
    {
        _inner?.Dispose();
        _inner = null;
    }

    // Whoever comes back may have another kind of socket.
    private void Guard(Action<ISyslogTransport, LogBatch?, CancellationToken> action, LogBatch? batch, CancellationToken cancellationToken)
    {
        try
        {
            action(_inner ??= Choose(), batch, cancellationToken);
        }
        catch (LogSinkException)
        {
            Dispose();
            throw;
        }
    }

    private ISyslogTransport Choose()
    {
        var path = new LocalDatagramPath(clock);
        SocketError error = path.TryOpen(_settings.Path);
        switch (error)
        {
            case SocketError.Success:
                voice.Connected(_settings.Target, tlsProtocol: "");
                return new DatagramTransport(_settings, path, cutter, sequence, clock, voice);
            case SocketError.ProtocolType:
                return new StreamTransport(_settings, new StreamLink(new LocalDialer(clock), sent: null, clock, voice, Random.Shared.NextDouble), sequence, voice);
            default:
                LogSinkException failure = SocketErrorClass.ToException(error, $"cannot open {_settings.Target}");
                voice.ConnectFailed(_settings.Target, failure);
                throw failure;
        }
    }
}
