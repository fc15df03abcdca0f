using AsyncLog.Tests.Checks;
using AsyncLog.Tests.Disk;

namespace AsyncLog.Tests.Run;

/// <summary>The file sink before the simulated disk, with other programs that rename, truncate and delete its files.</summary>
internal sealed class FileScene : Scene
{
    private const string Folder = SimulatedDisk.Root + "/logs";
    private readonly SimulatedDisk _disk;
    private readonly DiskFaults _faults;
    private readonly AsyncFileLoggerOptions _options;
    private DiskUser? _user;
    private SimulatedFileSystem? _files;
    private FileSink? _sink;
    private Action? _background;

    // The settings file; null before the first reload. The limits of its versions; the first one is that of the start.
    private SettingsFile? _settings;
    private readonly List<(long? FileSizeLimit, long? MinFreeSpace)> _versions = [default];
    private int _rotated;
    private bool _hasLostPower;
    private bool _wasStale;

    // A record that the sink before wrote in part is there again, whole.
    private bool _wasReplaced;

    // The crash buffer; null: there is none. How many records the process found in it, by its counters, and all records in its bytes; records in files that are gone for
    // the next process; and from which record on none may be missing, except those whose loss processes had counted.
    private MemoryCrashFiles? _crash;
    private readonly long[] _found = new long[DropCounts.Levels];
    private readonly HashSet<int> _kept = [];
    private readonly HashSet<int> _excused = [];
    private readonly long[] _lostLevels = new long[DropCounts.Levels];
    private int _keepsFrom;
    private long _lost;

    // True if the process that was killed had counted what was left as lost: its deadline had passed.
    private bool _wasFinal;

    public FileScene(SimulationRun run)
        : base(run)
    {
        _disk = new SimulatedDisk(Choices, run.Clock) { Mutant = run.Mutant };
        _faults = new DiskFaults(Choices) { Mutant = run.Mutant };
        _options = new AsyncFileLoggerOptions
        {
            Path = Folder + Choices.Of("/shop.log", "/shop-{Date}.log"),
            RollingInterval = Choices.Of(RollingInterval.None, RollingInterval.Day, RollingInterval.Hour, RollingInterval.Minute),
            FileSizeLimit = Choices.Of<long?>(null, 500, 2000),
            RetainedFileCountLimit = Choices.Of<int?>(null, null, 3),
            MinFreeSpace = Choices.Of<long?>(0, 0, 20_000),
            Header = Choices.Of(null, null, OfferedRecords.Header),
            ExistingFile = Choices.Of(ExistingFile.Append, ExistingFile.Append, ExistingFile.Roll),
            UseUtcTimestamp = true,
        };
        switch (Choices.Below(5))
        {
            case 0:
                _options.Durability = WriteDurability.FlushToDisk;
                break;
            case 1:
                _options.FlushToDiskInterval = TimeSpan.FromMilliseconds(Choices.Of(10, 1000));
                break;
            case 2:
                _options.FlushToDiskLevel = Microsoft.Extensions.Logging.LogLevel.Warning;
                break;
        }

        if (Choices.Chance(0.5))
            _crash = new MemoryCrashFiles { ComesBack = run.Mutant == Mutant.CrashReplayedTwice };
        run.Say($"{_options.Path}, crash buffer {_crash is not null}, {_options.RollingInterval}, {_options.FileSizeLimit} bytes, keep {_options.RetainedFileCountLimit}, at least {_options.MinFreeSpace} free, "
            + $"{_options.Durability}, {_options.FlushToDiskInterval}, {_options.FlushToDiskLevel}");
    }

    public override IReadOnlySet<string> ErrorTypes { get; } = new HashSet<string>(StringComparer.Ordinal)
    {
        FileErrorClass.NoSpace, FileErrorClass.ReadOnly, FileErrorClass.IoError, FileErrorClass.TooManyFiles, FileErrorClass.Permission, FileErrorClass.Other, FileErrorClass.NotFound,
        "timeout",
    };

    public override Backoff Backoff => Backoff.Local;

    public override TimeSpan BatchDelay => TimeSpan.Zero;

    public override bool IsDurable => new LogFileSettings(_options).IsSynced;

    public override ILogSink Start(SimulatedProcess process, SinkContext context)
    {
        _user = new DiskUser(_faults)
        {
            Entering = (operation, path) => Enter(operation, path),
            Dying = Run.Die,
        };
        _files = new SimulatedFileSystem(_disk, _user, Choices);
        _background = null;
        return NewSink(context);
    }

    // At the same path: the new sink finds what the old one wrote.
    public override ILogSink Replace(SimulatedProcess process, SinkContext context)
    {
        _wasReplaced = true;
        return NewSink(context);
    }

    public override CrashRegions? OpenCrashBuffer(SinkInstance instance)
    {
        _kept.Clear();
        if (_crash is null)
            return null;
        if (Run.Mutant == Mutant.CrashBufferLost)
            _crash = new MemoryCrashFiles();
        foreach (var path in _crash.Paths)
            Run.Records.Find(_crash.ContentOf(path), _kept);
        return new CrashRegions(instance.State, instance.Usage, directory: null, _crash);
    }

    // What was written to the end between the last mark and the kill is found in the files, and not counted again.
    public override void Recovered(SimulatedProcess process)
    {
        var arrivals = Read();
        for (var level = Microsoft.Extensions.Logging.LogLevel.Trace; level <= Microsoft.Extensions.Logging.LogLevel.Critical; level++)
        {
            var (least, most) = (0, 0);
            foreach (var id in _kept.Where(id => Run.Records[id].Level == level))
                (least, most) = (least + (arrivals.CopiesOf(id) == 0 ? 1 : 0), most + 1);
            // What a process counted as lost is in its memory still.
            least = _wasFinal ? 0 : (int)Math.Max(0, least - _lostLevels[(int)level]);
            _found[(int)level] = process.EnqueuedOf(level);
            if (_found[(int)level] < least || _found[(int)level] > most)
                Run.Fail($"{least} to {most} records of level {level} are in the crash buffer, and {_found[(int)level]} were found; not in files: {string.Join(' ', _kept.Where(id => Run.Records[id].Level == level && arrivals.CopiesOf(id) == 0))}");
        }
    }

    public override long[]? FoundOnDisk() => _found;

    public override IEnumerable<int> FoundRecords => _kept;

    // Those that were written before the process found them.
    public override bool MayBeThereUntold(int id) => _kept.Contains(id);

    public override bool HoldsUndelivered => _crash is { Paths.Count: > 0 };

    public override string? CheckDisk(SimulatedProcess process, Arrivals arrivals, bool lostPower)
    {
        Excuse();
        if (!process.IsDead)
            CountLosses(process);
        if (lostPower || _disk.FailedSyncs > 0)
            (_keepsFrom, _lost) = (Run.Records.Count, 0);
        if (_crash is null || process.IsDead || HoldsUndelivered)
            return null;
        var missing = 0L;
        for (var id = _keepsFrom; id < Run.Records.Count; id++)
            missing += Run.Records[id].IsAccepted && arrivals.CopiesOf(id) == 0 ? 1 : 0;
        return missing > _lost ? $"{missing - _lost} records of processes that were killed were not recovered" : null;
    }

    public override void ChangeTrouble()
    {
        _faults.Change(syncs: IsDurable);
        Run.Say($"trouble: {_faults}");
    }

    public override void EndTrouble() => _faults.End();

    public override void Disturb()
    {
        switch (Choices.Below(8))
        {
            case 0:
                Rename();
                break;
            case 1:
                CopyAndTruncate();
                break;
            case 2 when Active() is { } active:
                Run.Say($"another program deletes {active}");
                _disk.Unlink(active, Remover.ThirdParty);
                Excuse();
                break;
            case 3 when Choices.Chance(0.3) && _disk.Find(Folder) is not null:
                Run.Say("another program removes the directory");
                _disk.RemoveTree(Folder, Remover.ThirdParty);
                Excuse();
                break;
            case 4:
                Run.Say("the open files are stale");
                _wasStale = true;
                _files!.MakeStale();
                break;
            case 5:
                var request = Choices.Of(FileRequest.Roll, FileRequest.Reopen);
                Run.Say($"request: {request}");
                _ = _sink!.RequestAsync(request);
                break;
            case 6:
                Reload();
                break;
            case 7 when Run.Mutant == Mutant.ArchiveDeleted && Active() is { } active:
                _disk.Unlink(active, Remover.Process);
                break;
        }
    }

    public override void RunBackground()
    {
        if (Run.Process.IsDead || _background is not { } action)
            return;
        _background = null;
        Run.Say("retention");
        action();
    }

    public override void ProcessDied()
    {
        _user!.IsDead = true;
        CountLosses(Run.Process);
        _wasFinal = Run.Process.IsFinal;
        _crash = _crash?.Restart();
        Excuse();
        // The next process finds the directory and cannot know that its name was never synced. File systems with a journal commit the creation of a directory
        // with the first sync of it, or within seconds.
        _disk.Find(SimulatedDisk.Root)!.SyncNames();
    }

    public override void LosePower()
    {
        if (Run.IsTraced)
            Run.Say($"before the power loss\n    {_disk}");
        _hasLostPower = true;
        if (_crash is not null)
            _crash = new MemoryCrashFiles { ComesBack = _crash.ComesBack };
        _disk.LosePower();
        if (Run.IsTraced)
            Run.Say($"after it\n    {_disk}");
    }

    public override Arrivals Read() => FileArrivals.Read(_disk, Run.Records, mayDelete: _options.RetainedFileCountLimit is not null);

    // When a handle became stale in the middle of a record, the half line is ended and the record written whole: if only the line end was missing, it is there
    // twice.
    // What another program had taken away before a kill cannot be compared.
    public override bool MayBeTwice(int id) => _excused.Contains(id) || _disk.LinesWithoutEnd > 0 || (_wasStale && _disk.ShortAppends > 0);

    // The next sink ends the line, and low space makes it refuse the record.
    public override long WholeButLeft => _wasReplaced ? _disk.LinesWithoutEnd : 0;

    // A notice without its line end is one as soon as the next process ends the line.
    public override bool MayRepeatNotices => _disk.ShortAppends > 0 || _hasLostPower;

    private FileSink NewSink(SinkContext context)
        => _sink = new FileSink(new LogFileSettings(_options), context, _files!, new LogFileRegistry(), action => _background = action);

    private bool Enter(DiskOperation operation, string path)
    {
        Run.Clock.Pass(Choices.Time(TimeSpan.FromMicroseconds(1), _faults.IsSlow ? TimeSpan.FromSeconds(2) : TimeSpan.FromMicroseconds(300)));
        var dies = Run.Enter(Run.IsTraced ? $"{operation} {path}" : "");
        // A sink that was replaced is closed on a thread of its own.
        if (_faults.IsHung && !Run.IsBeginning && operation != DiskOperation.Close)
            Run.Hang(Choices.Time(TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(10)), () => !_faults.IsHung);
        return dies;
    }

    private void CountLosses(SimulatedProcess process)
    {
        foreach (var drop in process.Metrics.Drops.Counts().Where(static drop => !DropReasons.IsBefore(drop.Reason)))
        {
            _lost += drop.Count;
            _lostLevels[(int)drop.Level] += drop.Count;
        }
    }

    // The file written last that is not a temporary one.
    private string? Active()
    {
        if (_disk.Find(Folder) is not { } folder)
            return null;
        string? active = null;
        foreach (var (name, file) in folder.Names)
        {
            if (name.EndsWith(".log", StringComparison.Ordinal) && (active is null || file.Number > folder.Names[active].Number))
                active = name;
        }

        return active is null ? null : $"{Folder}/{active}";
    }

    // The next process cannot compare with a file that is gone, nor one that recovers now.
    private void Excuse()
    {
        foreach (var file in _disk.Files.Where(static file => file.RemovedBy == Remover.ThirdParty))
            Run.Records.Find(file.Bytes, _excused);
    }

    private void ExcuseUnwritten()
    {
        var arrivals = Read();
        for (var id = 0; id < Run.Records.Count; id++)
        {
            if (Run.Records[id].IsAccepted && arrivals.CopiesOf(id) == 0)
                _excused.Add(id);
        }
    }

    private void Rename()
    {
        if (Active() is not { } active)
            return;
        var name = $"{active}.{++_rotated}";
        Run.Say($"another program renames {active} to {name}");
        _disk.Rename(active, name);
        if (Choices.Chance(0.5))
            _disk.Create(active);
    }

    private void CopyAndTruncate()
    {
        // Between the halves of a short write, or of a header, the second half would be alone in the truncated file, as it is by nature of copytruncate.
        if (Active() is not { } active || (_disk.Find(active)!.Bytes is [.., not (byte)'\n'] half && (Run.IsInOperation || half.Length <= _options.Header?.Length)))
            return;
        // A write that is under way goes to another place in the truncated file than its mark says.
        if (Run.IsInOperation)
            ExcuseUnwritten();
        var name = $"{active}.{++_rotated}";
        Run.Say($"another program copies {active} to {name} and truncates it");
        _disk.CopyAndTruncate(active, name);
        Run.Records.Find(_disk.Find(name)!.Bytes, _excused);
        // It says when it is done that the copy is safe.
        _disk.Find(name)!.Sync();
        _disk.Find(active)!.Sync();
        _disk.Find(Folder)!.SyncNames();
    }

    // The limits are those of the version that the product has read.
    private void Reload()
    {
        int NewVersion()
        {
            _versions.Add((Choices.Of<long?>(null, 300, 2000), Choices.Of<long?>(0, 20_000)));
            return _versions.Count - 1;
        }

        _settings ??= new SettingsFile(Run.Mutant == Mutant.SettingsHalfTaken);
        var version = NewVersion();
        var accesses = Choices.Chance(0.5) ? Choices.Below(200) : int.MaxValue;
        var next = Choices.Chance(0.5) ? NewVersion() : (int?)null;
        if (_settings.Reload(version, accesses, next) is { } fault)
            Run.Fail(fault);
        if (_settings.InForce > 0)
            (_options.FileSizeLimit, _options.MinFreeSpace) = _versions[_settings.InForce];
        var settings = new LogFileSettings(_options);
        Run.Say($"another limit: {_options.FileSizeLimit} bytes, {_options.MinFreeSpace} free");
        Run.Process.Apply(sink => ((FileSink)sink).Apply(settings));
    }
}
