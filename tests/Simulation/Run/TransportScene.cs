using AsyncLog.Tests.Checks;
using AsyncLog.Tests.Disk;
using AsyncLog.Tests.Transport;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Run;

/// <summary>A transport of a network sink before a peer with moods.</summary>
internal sealed class TransportScene : Scene
{
    private readonly Peer _peer;
    private readonly SimulatedDisk? _disk;
    private readonly DiskFaults? _faults;
    private readonly SpoolWatch? _watch;
    private readonly SpoolOptions? _options;
    private ScriptedTransport? _transport;
    private DiskUser? _user;

    public TransportScene(SimulationRun run)
        : base(run)
    {
        _peer = new Peer(run);
        Backoff = Choices.Of(Backoff.Local, new Backoff(TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(5)));
        BatchDelay = TimeSpan.FromMilliseconds(Choices.Of(0, 0, 200, 5000));
        run.Say($"a transport with {Backoff} and a batch delay of {BatchDelay}");
        if (!Choices.Chance(0.5))
            return;
        _options = new SpoolOptions(
            Choices.Of(256L << 20, 256L << 20, 20_000, 6_000), Choices.Of<TimeSpan?>(null, null, TimeSpan.FromMinutes(1)),
            Choices.Of(WriteDurability.Flush, WriteDurability.FlushToDisk), Choices.Chance(0.3));
        _disk = new SimulatedDisk(Choices, run.Clock) { Mutant = run.Mutant };
        _faults = new DiskFaults(Choices) { Mutant = run.Mutant };
        _watch = new SpoolWatch(run, _disk, _peer.Uncertain.Contains, () => _peer.AttemptedAt) { IsDurable = _options.Durability == WriteDurability.FlushToDisk };
        run.Say($"{_options}");
    }

    public override IReadOnlySet<string> ErrorTypes { get; } = new HashSet<string>(StringComparer.Ordinal)
    {
        "refused", "reset", "timeout", nameof(OperationCanceledException),
        FileErrorClass.NoSpace, FileErrorClass.ReadOnly, FileErrorClass.IoError, FileErrorClass.TooManyFiles, FileErrorClass.Permission,
    };

    // A directory that could not be opened is tried again after a minute.
    public override TimeSpan Settling => _watch is null ? base.Settling : TimeSpan.FromSeconds(150);

    public override Backoff Backoff { get; }

    public override TimeSpan BatchDelay { get; }

    // What a peer has, it keeps.
    public override bool IsDurable => true;

    public override ILogSink Start(SimulatedProcess process, SinkContext context)
    {
        _peer.Connect();
        if (_watch is not null)
            _watch.WasTroubled = _peer.Mood != PeerMood.Takes;
        return _transport = new ScriptedTransport(Run, process, _peer, id => _watch?.IsRepeated(id) == true);
    }

    public override ILogSink Replace(SimulatedProcess process, SinkContext context)
        => _transport = new ScriptedTransport(Run, process, _peer, id => _watch?.IsRepeated(id) == true, _transport);

    public override void Configure(SinkOptions options)
    {
        if (_options is null)
            return;
        options.SpoolPath = SpoolWatch.Parent;
        (options.SpoolSizeLimit, options.SpoolTimeLimit) = (_options.SizeLimit, _options.TimeLimit);
        (options.SpoolDurability, options.SpoolRejected) = (_options.Durability, _options.KeepsRejected);
    }

    public override Spool? OpenSpool(SinkInstance instance)
    {
        if (_watch is null)
            return null;
        _user = new DiskUser(_faults!)
        {
            Entering = Enter,
            Dying = Run.Die,
        };
        _watch.Begin(_user, Read());
        _watch.WasTroubled = _peer.Mood != PeerMood.Takes;
        return new Spool(instance.State, instance.Usage, () => instance.Queues, SpoolWatch.Parent, new SimulatedSpoolFiles(_disk!, _user, Choices, _watch));
    }

    // With a spool, outages are long.
    public override void ChangeTrouble()
    {
        if (_watch is not null && Choices.Chance(0.4))
        {
            _faults!.Change(syncs: _watch.IsDurable);
            Run.Say($"trouble with the disk: {_faults}");
            return;
        }

        if (_watch is not null && _peer.Mood != PeerMood.Takes && Choices.Chance(0.5))
            return;
        _peer.Change();
        if (_watch is not null)
            _watch.WasTroubled |= _peer.Mood != PeerMood.Takes && Run.Mutant != Mutant.SpoolOutageForgotten;
        Run.Say($"{_peer}");
    }

    public override void EndTrouble()
    {
        _peer.Recover();
        _faults?.End();
    }

    public override void Disturb()
    {
        if (_watch is null || Run.IsInSpool || !Choices.Chance(0.02) || !_watch.Damage(Choices))
            ChangeTrouble();
    }

    // The next process finds the directories and cannot know that their names were never synced. File systems with a journal commit the creation of a
    // directory with the first sync of it, or within seconds.
    public override void ProcessDied()
    {
        if (_user is null)
            return;
        _user.IsDead = true;
        _disk!.Find(SimulatedDisk.Root)!.SyncNames();
        _disk.Find(SpoolWatch.Parent)?.SyncNames();
    }

    public override void LosePower()
    {
        if (_watch is null)
            return;
        _watch.LosePower();
        _disk!.LosePower();
        _watch.Reread();
    }

    public override long[]? FoundOnDisk() => _watch is null ? base.FoundOnDisk() : _watch.FoundOnDisk();

    public override IEnumerable<int> FoundRecords => _watch is null ? [] : _watch.FoundRecords;

    public override bool IsSavedToo(int id) => _watch?.WasSaved(id) == true;

    public override int CopiesInThisLife(Arrivals arrivals, int id) => _watch is null ? base.CopiesInThisLife(arrivals, id) : _watch.CopiesInThisLife(arrivals, id);

    public override int TimesFound(int id) => _watch?.TimesFound(id) ?? 1;

    public override string? CompareDisk(SimulatedProcess process, SinkStatus status) => _watch?.Compare(status, process.Metrics);

    public override string? CheckDisk(SimulatedProcess process, Arrivals arrivals, bool lostPower) => _watch?.CheckEnd(process, arrivals, lostPower);

    public override Arrivals Read() => _peer.Read(_watch?.MayReorder == true);

    public override bool MayBeTwice(int id) => _peer.Uncertain.Contains(id) || _watch?.IsRepeated(id) == true;

    public override bool MayRepeatNotices => _peer.Uncertain.Count > 0;

    public override bool MayBeThereUntold(int id) => _peer.Uncertain.Contains(id);

    public override string? Compare(SimulatedProcess process)
    {
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            if (process.Metrics.Drops[DropReason.Rejected, level] != _transport!.Rejected[(int)level])
                return $"{_transport.Rejected[(int)level]} records of level {level} were rejected, and the counters say {process.Metrics.Drops[DropReason.Rejected, level]}";
            if (process.Metrics.Drops[DropReason.SinkPermanent, level] != _transport.Refused[(int)level])
                return $"{_transport.Refused[(int)level]} records of level {level} were refused, and the counters say {process.Metrics.Drops[DropReason.SinkPermanent, level]}";
        }

        return null;
    }

    private bool Enter(DiskOperation operation, string path)
    {
        Run.Clock.Pass(Choices.Time(TimeSpan.FromMicroseconds(1), _faults!.IsSlow ? TimeSpan.FromSeconds(2) : TimeSpan.FromMicroseconds(300)));
        return Run.Enter(Run.IsTraced ? $"{operation} {path}" : "", isSpool: true);
    }

    private sealed record SpoolOptions(long SizeLimit, TimeSpan? TimeLimit, WriteDurability Durability, bool KeepsRejected);
}
