using System.Globalization;
using AsyncLog.Tests.Disk;
using AsyncLog.Tests.Run;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Checks;

/// <summary>Knows what a spool has on the disk, from names and bytes alone: which records a process found there, what its counters must be, and
/// which may arrive again.</summary>
internal sealed class SpoolWatch(SimulationRun run, SimulatedDisk disk, Func<int, bool> isUncertain, Func<long> attemptedAt)
{
    public const string Parent = SimulatedDisk.Root + "/spool";
    private const string Directory = Parent + "/simulated-one";
    private const string Extension = ".seg";
    private const string Unfinished = ".tmp";
    private readonly Dictionary<string, DiskUser> _locks = new(StringComparer.Ordinal);
    private readonly Dictionary<Inode, int[]> _records = [];

    // Of all processes. Files that could not be deleted, and records that a restart may send again.
    private readonly HashSet<Inode> _undeleted = [];
    private readonly HashSet<Inode> _damaged = [];
    private readonly HashSet<int> _damagedRecords = [];
    private readonly HashSet<int> _repeated = [];

    // Of the process that lives: when an operation on a file failed first, in ticks.
    private readonly Dictionary<Inode, long> _failed = [];

    // Of the process that lives: files it wrote, files it found, the records of both, and what the names of found ones say.
    private readonly HashSet<Inode> _written = [];
    private readonly HashSet<Inode> _found = [];
    private readonly HashSet<Inode> _seen = [];
    private readonly HashSet<int> _whole = [];
    private readonly Dictionary<int, int> _foundRecords = [];
    private readonly long[] _carried = new long[DropCounts.Levels];
    private long[] _lastDeleted = new long[DropCounts.Levels];
    private Arrivals? _before;
    private DiskUser? _user;
    private HashSet<string> _namesBefore = [];
    private bool _isAdopting;
    private bool _isOpen;
    private bool _isDamaged;

    /// <summary>True if the destination or the disk had trouble in the life of the process.</summary>
    public bool WasTroubled { get; set; }

    /// <summary>True if files are older than records that went out before them: the directory could not be opened at the start.</summary>
    public bool MayReorder { get; private set; }

    /// <summary>True if a whole file is forced to the disk.</summary>
    public bool IsDurable { get; init; }

    public IEnumerable<int> FoundRecords => _foundRecords.Keys;

    private bool IsLocked => _locks.TryGetValue(Directory + "/.lock", out var owner) && owner == _user && !owner.IsDead;

    /// <summary>True if a restart may have sent the record again.</summary>
    public bool IsRepeated(int id) => _repeated.Contains(id);

    /// <summary>True if a file has the record, or had it before another program damaged it.</summary>
    public bool WasSaved(int id) => _damagedRecords.Contains(id) || Files().Any(file => RecordsOf(file.Inode).Contains(id));

    /// <summary>The number of files in which the process found a record; one for others.</summary>
    public int TimesFound(int id) => _foundRecords.GetValueOrDefault(id, 1);

    public int CopiesInThisLife(Arrivals arrivals, int id) => arrivals.CopiesOf(id) - (_foundRecords.ContainsKey(id) ? _before!.CopiesOf(id) : 0);

    /// <summary>A process begins.</summary>
    public void Begin(DiskUser user, Arrivals before)
    {
        (_user, _before) = (user, before);
        _written.Clear();
        _found.Clear();
        _seen.Clear();
        _whole.Clear();
        _foundRecords.Clear();
        Array.Clear(_carried);
        WasTroubled = false;
        _isOpen = false;
        foreach (var id in _undeleted.SelectMany(RecordsOf))
        {
            _repeated.Add(id);
            run.Records[id].MayComeLate = true;
        }

        _undeleted.Clear();
        _failed.Clear();
        _isDamaged = Files().Any(file => _damaged.Contains(file.Inode) || !IsIntact(file.Name, file.Inode));
    }

    // ---- What the process does -----------------------------------------------------------------------------------------------------------------------

    public IDisposable? Lock(string path, DiskUser user)
    {
        if (_locks.TryGetValue(path, out var owner) && !owner.IsDead && owner != user)
            return null;
        _locks[path] = user;
        _isAdopting = true;
        MayReorder |= !run.IsBeginning && disk.Find(Directory)!.Names.Count > 1;
        return new Held(this, path);
    }

    public void Created(Inode file) => _written.Add(file);

    /// <summary>An operation on a whole file: whatever was to be found is found.</summary>
    public void Settled(string path)
    {
        if (!path.EndsWith(Unfinished, StringComparison.Ordinal) && (path.Length == 0 || path.StartsWith(Directory + "/", StringComparison.Ordinal)))
            NoteFiles();
    }

    public void DeleteFailed(string path)
    {
        if (disk.Find(path) is { } file)
        {
            _undeleted.Add(file);
            // A file that was never counted: its name could not be forced to the disk. Its records are in memory still.
            if (_written.Contains(file))
                _seen.Add(file);
        }

        Failed(path);
    }

    /// <summary>An operation on a file failed. One that fails for a minute may be passed over, and its records may be counted as lost.</summary>
    public void Failed(string path)
    {
        if (disk.Find(path) is { } file && !_failed.TryAdd(file, run.Clock.Ticks) && run.Clock.Ticks - _failed[file] >= TimeSpan.TicksPerMinute)
            _isDamaged = true;
    }

    public void Deleting(string path)
    {
        // No process counts what was rejected or set aside.
        if (Path.GetDirectoryName(path) != Directory)
            return;
        var name = Path.GetFileName(path);
        // A file that was never counted: its name could not be forced to the disk.
        if (_written.Contains(disk.Find(path)!))
            _seen.Add(disk.Find(path)!);
        if (!name.EndsWith(Unfinished, StringComparison.Ordinal))
        {
            NoteFiles();
            _lastDeleted = LevelsOf(name);
        }
    }

    public void CheckNeed(string path)
    {
        // A worker that got no time for as long as the spool waits looks like an outage.
        if (run.IsBusy && !WasTroubled && _found.Count == 0 && run.Clock.Ticks - attemptedAt() < TimeSpan.TicksPerSecond
            && run.Clock.Ticks - run.CallerWaitedAt > TimeSpan.TicksPerSecond)
        {
            run.Fail($"the spool writes {Path.GetFileName(path)}, and the destination was healthy");
        }
    }

    // ---- Checks --------------------------------------------------------------------------------------------------------------------------------------

    /// <summary>Records by level that the process found; null while it is finding them.</summary>
    public long[]? FoundOnDisk()
    {
        if (run.IsInSpool)
            return _isAdopting ? null : _carried;
        if (IsLocked)
            NoteFiles();
        return _carried;
    }

    /// <summary>Compares the number of records on the disk, by the counters, with what is there.</summary>
    public string? Compare(SinkStatus status, SinkMetrics metrics)
    {
        if (_isDamaged || run.IsInSpool || !IsLocked)
            return null;
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            if (metrics.Drops[DropReason.SpoolCorrupt, level] != 0)
                return $"{metrics.Drops[DropReason.SpoolCorrupt, level]} records of level {level} are lost as damaged on the disk, and none is";
        }

        var (there, unclear) = (0L, 0L);
        foreach (var (name, file) in Files())
        {
            if (!IsIntact(name, file))
                return $"the file {name} holds {RecordsOf(file).Length} records in {file.Length} bytes";
            // Settled, or of a write that failed; or still counted, if it was to make room.
            if (_undeleted.Contains(file))
            {
                unclear += LevelsOf(name).Sum();
                continue;
            }

            there += LevelsOf(name).Sum();
            if (IsDurable && _written.Contains(file) && !(file.IsSynced && disk.Find(Directory)!.DurableNames.ContainsKey(name)))
                return $"the file {name} counts as written, and is not forced to the disk";
        }

        return status.Spooled > there + unclear || status.Spooled + status.InFlight < there
            ? $"{there} records are on the disk, and the counters say {status.Spooled} and {status.InFlight} in flight" : null;
    }

    /// <summary>Checks the disk after the end of a process, also one by force.</summary>
    public string? CheckEnd(SimulatedProcess process, Arrivals arrivals, bool lostPower)
    {
        _locks.Clear();
        if (!lostPower)
            NoteFiles(isDead: true);
        var files = Files().ToList();
        var onDisk = files.SelectMany(file => RecordsOf(file.Inode)).ToHashSet();
        var fault = CheckNothingLost(process, arrivals, onDisk, lostPower) ?? (process.IsDead ? null : CompareLevels(process, files));
        var again = files.FindAll(file => RecordsOf(file.Inode).Any(id => arrivals.CopiesOf(id) > 0 && !_repeated.Contains(id) && !isUncertain(id)));
        if (!lostPower && again.Count(file => !_undeleted.Contains(file.Inode)) > 1)
            fault ??= $"{again.Count} files are on the disk whose records arrived: {string.Join(' ', again.Select(static file => file.Name))}";
        foreach (var (_, file) in files)
            _repeated.UnionWith(RecordsOf(file).Where(id => arrivals.CopiesOf(id) > 0));
        if (lostPower)
            NoteReturned(arrivals);
        // Records of a process that could not open the directory went out before the files in it.
        MayReorder |= !_isOpen && files.Count > 0;
        return fault;
    }

    // Names that were taken away come back with the power: those records are sent again, and after later ones.
    private void NoteReturned(Arrivals arrivals)
    {
        var ids = (disk.Find(Directory)?.Names.Values ?? Enumerable.Empty<Inode>()).SelectMany(RecordsOf).ToList();
        _repeated.UnionWith(ids.Where(id => arrivals.CopiesOf(id) > 0));
        _repeated.UnionWith(ids.GroupBy(static id => id).Where(static group => group.Count() > 1).Select(static group => group.Key));
        MayReorder |= disk.Find(Directory)?.Names.Keys.Except(_namesBefore).Any() == true;
    }

    /// <summary>What is lost with the power: names and bytes that were not forced to the disk.</summary>
    public void LosePower()
    {
        _whole.Clear();
        _namesBefore = [.. disk.Find(Directory)?.Names.Keys ?? Enumerable.Empty<string>()];
        if (!IsDurable)
            return;
        var directory = disk.Find(Directory);
        foreach (var (name, file) in Files())
        {
            if (file.IsSynced && directory!.DurableNames.TryGetValue(name, out var durable) && durable == file)
                _whole.UnionWith(RecordsOf(file));
        }
    }

    /// <summary>Forgets what was read of the files.</summary>
    public void Reread() => _records.Clear();

    /// <summary>Another program deletes or damages a file. False: there is none.</summary>
    public bool Damage(Choices choices)
    {
        var files = Files().ToList();
        if (files.Count == 0)
            return false;
        if (IsLocked)
            NoteFiles();
        var (name, file) = files[choices.Below(files.Count)];
        run.Say($"another program damages {name}");
        _isDamaged = true;
        _damaged.Add(file);
        _damagedRecords.UnionWith(RecordsOf(file));
        _whole.ExceptWith(RecordsOf(file));
        if (choices.Chance(0.5) || file.Length == 0)
            disk.Unlink($"{Directory}/{name}", Remover.ThirdParty);
        else
            file.Damage(choices.Below(file.Length));
        _records.Remove(file);
        return true;
    }

    // Every record that was in a whole file has arrived, is there still, or is counted as lost.
    private string? CheckNothingLost(SimulatedProcess process, Arrivals arrivals, HashSet<int> onDisk, bool lostPower)
    {
        if (_isDamaged)
            return null;
        var missing = new long[DropCounts.Levels];
        var first = -1;
        foreach (var id in _whole.Order())
        {
            if (arrivals.CopiesOf(id) > 0 || onDisk.Contains(id))
                continue;
            missing[(int)run.Records[id].Level]++;
            first = first < 0 ? id : first;
        }

        ReadOnlySpan<DropReason> reasons = [DropReason.SpoolFull, DropReason.SpoolExpired, DropReason.Rejected, DropReason.SinkPermanent];
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            var counted = 0L;
            foreach (var reason in reasons)
                counted += process.Metrics.Drops[reason, level];
            // Killed between the deletion and the count.
            if (process.IsDead)
                counted += _lastDeleted[(int)level];
            if (missing[(int)level] > counted)
                return $"{missing[(int)level]} records of level {level} were in whole files and are gone{(lostPower ? " with the power" : "")}, {counted} are counted as lost; the first is {first}";
        }

        return null;
    }

    // At an orderly end the counters say exactly what is left on the disk, by level; a process that could not open the directory knows of nothing in it.
    private string? CompareLevels(SimulatedProcess process, List<(string Name, Inode Inode)> files)
    {
        if (_isDamaged || !_isOpen)
            return null;
        var left = new long[DropCounts.Levels];
        var unclear = new long[DropCounts.Levels];
        foreach (var (name, file) in files)
        {
            var levels = LevelsOf(name);
            for (var level = 0; level < left.Length; level++)
                (_undeleted.Contains(file) ? unclear : left)[level] += levels[level];
        }

        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            var unsettled = process.EnqueuedOf(level) - process.Metrics.SettledOf(level);
            if (unsettled < left[(int)level] || unsettled > left[(int)level] + unclear[(int)level])
                return $"{left[(int)level]} records of level {level} are left on the disk, and the counters say {unsettled}";
        }

        return null;
    }

    // ---- Files ---------------------------------------------------------------------------------------------------------------------------------------

    private void NoteFiles(bool isDead = false)
    {
        _isAdopting = false;
        _isOpen |= !isDead;
        foreach (var (name, file) in Files())
        {
            if (_seen.Contains(file))
                continue;
            var isWritten = _written.Contains(file);
            if (isDead && !isWritten)
                continue;
            _seen.Add(file);
            var records = RecordsOf(file);
            _whole.UnionWith(records);
            if (isWritten)
                continue;
            _found.Add(file);
            foreach (var id in records)
                _foundRecords[id] = _foundRecords.GetValueOrDefault(id) + 1;
            var levels = LevelsOf(name);
            for (var level = 0; level < levels.Length; level++)
                _carried[level] += levels[level];
        }
    }

    private IEnumerable<(string Name, Inode Inode)> Files()
        => (disk.Find(Directory)?.Names ?? []).Where(static name => name.Key.EndsWith(Extension, StringComparison.Ordinal)).Select(static name => (name.Key, name.Value));

    // The records whose bytes are in a file, whatever else is.
    private int[] RecordsOf(Inode file)
    {
        if (_records.TryGetValue(file, out var known))
            return known;
        var found = new List<int>();
        for (var rest = file.Bytes; rest.IndexOf((byte)'#') is var at and >= 0; rest = rest[(at + 1)..])
        {
            var line = rest[at..];
            var end = line.IndexOf((byte)'\n');
            if (end > 0 && run.Records.Read(line[..end], out var id) == LineKind.Record)
                found.Add(id);
        }

        return _records[file] = [.. found];
    }

    private bool IsIntact(string name, Inode file)
    {
        var said = LevelsOf(name);
        var levels = new long[DropCounts.Levels];
        foreach (var id in RecordsOf(file))
            levels[(int)run.Records[id].Level]++;
        return levels.AsSpan().SequenceEqual(said) && file.Length == long.Parse(name[..^Extension.Length].Split('-')[^1], CultureInfo.InvariantCulture);
    }

    // PLACE-TRACE-DEBUG-INFORMATION-WARNING-ERROR-CRITICAL-BYTES.seg, and .tmp while it is being written.
    private static long[] LevelsOf(string name)
        => [.. name.Split('.')[0].Split('-')[1..^1].Select(static count => long.Parse(count, CultureInfo.InvariantCulture))];

    private sealed class Held(SpoolWatch watch, string path) : IDisposable
    {
        public void Dispose() => watch._locks.Remove(path);
    }
}
