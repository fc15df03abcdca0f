using Microsoft.Extensions.Logging;

namespace AsyncLog.Simulation;

/// <summary>A transport of a network sink before a peer with moods.</summary>
internal sealed class TransportScene : Scene
{
    private readonly Peer _peer;
    private ScriptedTransport? _transport;

    public TransportScene(SimulationRun run)
        : base(run)
    {
        _peer = new Peer(run);
        Backoff = Choices.Of(Backoff.Local, new Backoff(TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(5)));
        BatchDelay = TimeSpan.FromMilliseconds(Choices.Of(0, 0, 200, 5000));
        run.Say($"a transport with {Backoff} and a batch delay of {BatchDelay}");
    }

    public override IReadOnlySet<string> ErrorTypes { get; } = new HashSet<string>(StringComparer.Ordinal)
    {
        "refused", "reset", "timeout", nameof(OperationCanceledException),
    };

    public override Backoff Backoff { get; }

    public override TimeSpan BatchDelay { get; }

    // What a peer has, it keeps.
    public override bool IsDurable => true;

    public override ILogSink Start(SimulatedProcess process, SinkContext context)
    {
        _peer.Connect();
        return _transport = new ScriptedTransport(Run, process, _peer);
    }

    public override void ChangeTrouble()
    {
        _peer.Change();
        Run.Say($"{_peer}");
    }

    public override void EndTrouble() => _peer.Recover();

    public override void Disturb() => ChangeTrouble();

    public override void ProcessDied()
    {
    }

    public override Arrivals Read() => _peer.Read();

    public override bool MayBeTwice(int id) => _peer.Uncertain.Contains(id);

    public override bool MayRepeatNotices => _peer.Uncertain.Count > 0;

    public override bool MayBeThereUntold(int id) => _peer.Uncertain.Contains(id);

    public override string? Compare(SimulatedProcess process)
    {
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            if (process.Metrics.Drops[DropReason.Rejected, level] != _transport!.Rejected[(int)level])
                return $"{_transport.Rejected[(int)level]} records of level {level} were rejected, and the books say {process.Metrics.Drops[DropReason.Rejected, level]}";
            if (process.Metrics.Drops[DropReason.SinkPermanent, level] != _transport.Refused[(int)level])
                return $"{_transport.Refused[(int)level]} records of level {level} were refused, and the books say {process.Metrics.Drops[DropReason.SinkPermanent, level]}";
        }

        return null;
    }
}
