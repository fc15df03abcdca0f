using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Runtime.InteropServices;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>The records of one instance that wait on the disk: an outage of the destination that is longer than memory, and a restart during it, lose none.</summary>
/// <remarks>
/// <para>Segments move to the disk, oldest first, when memory is short and nothing was delivered for a second, and what is left at the shutdown deadline. While
/// there are files, they are older than what the queues hold, and are sent first.</para>
/// <para>One file holds one segment, is written once and never changed; its name says what is in it. The directory is the only state. A file is deleted when
/// its records are settled, so a restart sends the records of one file again at most.</para>
/// </remarks>
internal sealed class Spool : IDisposable
{
    /// <summary>The longest time that a start or a shutdown waits for the disk.</summary>
    public static readonly TimeSpan MaxWait = TimeSpan.FromMilliseconds(500);

    private const string LockName = ".lock";
    private const string ForeignName = "foreign";
    private const string RejectedName = "rejected";
    private const string Condition = "spool";
    private const string Spooling = "spooling";
    private const string Unwritable = "spool_unwritable";
    private const long MaxMinimumFreeSpace = 100 << 20;
    private const int MinimumFreeSpaceDivisor = 20;
    private const int MaxProcesses = 100;

    // Of the first file: what a worker holds at a shutdown is older than all files, and takes a place before them.
    private const long FirstSequence = 1_000_000_000_000_000;
    private static readonly TimeSpan QuietPeriod = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaintenanceInterval = TimeSpan.FromMinutes(1);
    private readonly InstanceState _instance;
    private readonly InstanceQueueState _usage;
    private readonly Func<IReadOnlyList<SegmentQueue>> _queues;
    private readonly ISpoolFiles _disk;
    private readonly string _parent;
    private readonly string _name;
    private readonly TimeProvider _timeProvider;
    private readonly WorkerSignal _signal;
    private readonly Thread _thread;

    // The instance's lock: protects the fields up to the next comment.
    private readonly object _gate;
    private readonly List<Entry> _files = [];
    private readonly long[] _levels = new long[DropCounts.Levels];
    private long _bytes;
    private long _sent;

    // The highest place so far. None is given twice: the file that had it may be there still.
    private long _newest = FirstSequence - 1;

    // The file that a worker offers, its records, and the queue of that worker.
    private Entry? _offered;
    private Segment? _segment;
    private SegmentQueue? _offeredBy;

    // Held during operations on files. Taken before the instance's lock.
    private readonly Lock _io = new();
    private readonly List<string> _undeleted = [];
    private string? _directory;
    private IDisposable? _lock;
    private bool _isSpooling;
    private int _failures;
    private long _failedAt;
    private TimeSpan _pause;
    private volatile bool _isEnded;

    // When the directories were looked at last. The spool's thread only.
    private long _maintainedAt;

    // The end of an operation for which a start or a shutdown waited in vain.
    private volatile ManualResetEventSlim? _stuck;

    // Waits for the end of the spool; null: it goes on.
    private Action? _end;

    /// <param name="path">The directory of all spools: <see cref="SinkOptions.SpoolPath"/>.</param>
    public Spool(InstanceState instance, InstanceQueueState usage, Func<IReadOnlyList<SegmentQueue>> queues, string path, ISpoolFiles disk)
    {
        _instance = instance;
        _usage = usage;
        _queues = queues;
        _disk = disk;
        _parent = path;
        _name = $"{instance.Type}-{instance.ShortName}";
        _gate = instance.Metrics.Gate;
        _timeProvider = instance.TimeProvider;
        _signal = new WorkerSignal(_timeProvider);
        _maintainedAt = _timeProvider.GetTimestamp();
        usage.SpoolSignal = _signal;
        OpenInTime();
        _thread = new Thread(Run, 256 << 10) { IsBackground = true, Name = $"AsyncLog spool {instance.Name}" };
    }

    /// <summary>True if files wait.</summary>
    public bool HasFiles => Volatile.Read(ref _usage.Spooled) > 0;

    /// <summary>Starts the thread that moves segments.</summary>
    public void Start() => _thread.UnsafeStart();

    // ---- The worker ----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>Reads the oldest records; the same again until they are settled.</summary>
    /// <returns>Null when there are none, they cannot be read now, or the worker of another queue has them.</returns>
    public Segment? Take(SegmentQueue queue)
    {
        lock (_io)
        {
            lock (_gate)
            {
                // After a reload there may be two workers; what one had at its deadline is read again for the other.
                if (_segment is not null && _offeredBy == queue)
                    return _segment;
                if (_segment is not null && !_offeredBy!.IsFinal)
                    return null;
                (_offered, _segment, _offeredBy) = (null, null, null);
            }

            if (!HasFiles || _directory is null || IsPaused)
                return null;
            while (First() is { } file)
            {
                Segment? segment = null;
                if (!Try(() => segment = Read(file, queue.WireId)))
                {
                    SkipUnreadable(file);
                    return null;
                }

                if (segment is null)
                    continue;
                file.FailedSince = null;
                lock (_gate)
                    (_offered, _segment, _offeredBy) = (file, segment, queue);
                return segment;
            }

            return null;
        }
    }

    /// <summary>Counts the outcome of the records that <see cref="Take"/> returned, and deletes their file.</summary>
    /// <returns>False when the deadline passed before, or another worker has them: then they stay on the disk.</returns>
    public bool Settle(Segment segment, LogBatch batch, SegmentQueue queue)
    {
        Entry file;
        lock (_gate)
        {
            if (queue.IsFinal || _offered is null || _offeredBy != queue || !ReferenceEquals(segment, _segment))
                return false;
            file = _offered;
            segment.Settle(_instance.Metrics, batch, isUncertain: false, _timeProvider.GetUtcNow().UtcTicks);
            _usage.DeliveredAt = _timeProvider.GetTimestamp();
            _sent += file.Name.Records - batch.Refused.Total;
            Untrack(file);
        }

        lock (_io)
        {
            if (batch.Rejected is { Slots.Count: > 0 } rejected)
                Try(() => KeepRejected(file, rejected, queue.WireId));
            Delete(file);
            ReportDrained();
        }

        return true;
    }

    /// <summary>Takes the records away from a worker that hangs in its sink: they are read again for the next one. Under the instance's lock.</summary>
    public void Release(SegmentQueue queue)
    {
        if (_offeredBy == queue)
            (_offered, _segment, _offeredBy) = (null, null, null);
    }

    // ---- Shutdown, snapshot --------------------------------------------------------------------------------------------------------------------------

    /// <summary>Writes the records of a process that was killed behind all files, before anything is accepted.</summary>
    /// <param name="taken">Called under the instance's lock when a segment is on the disk and counted there.</param>
    /// <remarks>The first one that cannot be written, or not within half a second, and those behind it are left; this is reported.</remarks>
    public void Add(IEnumerable<Segment> segments, ulong wireId, Action<Segment> taken)
    {
        var isOver = false;
        BeginApart("recovery", () =>
        {
            foreach (var segment in segments)
            {
                if (!TryAdd(segment))
                    return;
            }
        })();
        lock (_gate)
            isOver = true;

        bool TryAdd(Segment segment)
        {
            lock (_io)
            {
                Entry? file = null;
                if (Volatile.Read(ref isOver) || _directory is null
                    || !Try(() => file = Write(SegmentFile.Encode(segment.Slots[..segment.Count], segment.Bytes, wireId, _instance.Categories), isOldest: false), isProof: true))
                {
                    return false;
                }

                bool isLate;
                lock (_gate)
                {
                    isLate = isOver;
                    if (!isLate)
                    {
                        taken(segment);
                        Track(file!, _files.Count);
                    }
                }

                if (isLate)
                    DeleteOrRemember(PathOf(file!));
                else
                    ReportSpooling();
                return !isLate;
            }
        }
    }

    /// <summary>The place of the newest file; 0: there is none. Under the instance's lock.</summary>
    public long Newest => _files.Count == 0 ? 0 : _files[^1].Name.Sequence;

    /// <summary>Returns true if there are files up to a place. Under the instance's lock.</summary>
    public bool HasUpTo(long place) => _files.Count > 0 && _files[0].Name.Sequence <= place;

    /// <summary>Begins to move everything that a closed queue holds to the disk.</summary>
    /// <returns>Waits for the end, at most until half a second after the beginning. What is not on the disk then may be counted as lost.</returns>
    public Action BeginSave(SegmentQueue queue) => BeginApart("save", () => Save(queue));

    /// <summary>Moves everything that a closed queue holds to the disk, within half a second where the disk does not hang.</summary>
    /// <returns>True if nothing is left.</returns>
    public bool Save(SegmentQueue queue)
    {
        var began = _timeProvider.GetTimestamp();
        if (!_io.TryEnter(MaxWait))
            return false;
        try
        {
            if (_directory is null)
                return false;
            // The worker's last: when others could not be saved, it goes on with the record that it has begun.
            foreach (var segment in queue.Spooling.Unsettled.OrderBy(static segment => segment.Place == Segment.Location.Worker))
            {
                if (_timeProvider.GetElapsedTime(began) > MaxWait || !Try(() => Save(queue, segment), isProof: true))
                    return false;
            }

            return true;
        }
        finally
        {
            _io.Exit();
        }
    }

    /// <summary>Adds the records on the disk. Under the lock.</summary>
    public void AddTo(QueueSnapshot snapshot)
        => snapshot.AddSpool(_levels, _bytes, _offered?.Name.Records ?? 0, _files.Count > 0 && _files[0].FirstTicks > 0 ? _files[0].FirstTicks : long.MaxValue);

    /// <summary>Ends the moves, and begins to leave the directory to the next process.</summary>
    public void Close()
    {
        _isEnded = true;
        _signal.Set();
        // What the worker had at the deadline stays on the disk.
        lock (_gate)
            (_offered, _segment, _offeredBy) = (null, null, null);
        _end ??= BeginApart("end", LeaveDirectory);
    }

    /// <summary>Leaves the directory to the next process, within half a second where the disk does not hang.</summary>
    public void Dispose()
    {
        Close();
        _end!();
    }

    private void LeaveDirectory()
    {
        lock (_io)
        {
            // Once more: the next process would send what is in them.
            foreach (var path in _undeleted.ToArray())
                DeleteOrRemember(path);
            // From here on a file of that name is the next process's.
            _undeleted.Clear();
            _lock?.Dispose();
            _directory = null;
        }
    }

    // ---- Disks that hang -----------------------------------------------------------------------------------------------------------------------------

    // Its files are sent once the directory answers, behind what was sent meanwhile.
    private void OpenInTime()
    {
        var (hasEnded, isLate) = (false, false);
        BeginApart("open", () =>
        {
            lock (_io)
            {
                if (_isEnded)
                    return;
                Try(Open, isProof: true);
                lock (_gate)
                    hasEnded = true;
                // A failure is restored by the next write.
                if (isLate && _failures == 0)
                {
                    _instance.Health.Restore(this, Unwritable);
                    _instance.SelfReport.Write(SelfReportLevel.Warning, _instance.Name, $"SpoolPath: {_parent} answers now.");
                }
            }

            // A worker that sleeps has to send what was found.
            _usage.InForce?.Wake();
        })();
        lock (_gate)
        {
            isLate = !hasEnded;
            if (isLate)
                _instance.Health.Degrade(this, Unwritable);
        }
    }

    // Begins an operation on a thread of its own. Returns a wait for its end that is over half a second from now, or at once behind an operation that is stuck.
    private Action BeginApart(string purpose, Action action)
    {
        // A simulation has one thread.
        if (_instance.StartWorker is not null)
        {
            action();
            return static () => { };
        }

        var began = TimeProvider.System.GetTimestamp();
        var ended = new ManualResetEventSlim();
        try
        {
            new Thread(() => RunApart(action, ended), 256 << 10) { IsBackground = true, Name = $"AsyncLog spool {purpose} {_instance.Name}" }.UnsafeStart();
        }
        catch (Exception exception) when (exception is OutOfMemoryException or ThreadStartException)
        {
            // As with a disk that fails: memory alone holds the records.
            _instance.Metrics.CountError(LogSinkException.TypeOf(exception));
            return static () => { };
        }

        return () => AwaitApart(ended, MaxWait - TimeProvider.System.GetElapsedTime(began));
    }

    private void AwaitApart(ManualResetEventSlim ended, TimeSpan left)
    {
        var isStuck = _stuck is { IsSet: false };
        if (ended.Wait(isStuck || left <= TimeSpan.Zero ? TimeSpan.Zero : left) || isStuck)
            return;
        _stuck = ended;
        _instance.SelfReport.Write(SelfReportLevel.Error, _instance.Name, $"SpoolPath: {_parent} did not answer within half a second. Memory alone holds records until it does.");
    }

    private void RunApart(Action action, ManualResetEventSlim ended)
    {
        LoopGuard.Enter();
        try
        {
            action();
        }
        catch (Exception exception)
        {
            // An exception that leaves a thread ends the process.
            var errorType = LogSinkException.TypeOf(exception);
            _instance.Metrics.CountError(errorType);
            _instance.SelfReport.Write(SelfReportLevel.Error, _instance.Name, $"SpoolPath: {LogSinkException.TextOf(exception)} ({errorType}).");
        }
        finally
        {
            ended.Set();
        }
    }

    // ---- The thread ----------------------------------------------------------------------------------------------------------------------------------

    private void Run()
    {
        LoopGuard.Enter();
        using var rest = new ManualResetEventSlim();
        while (!_isEnded)
        {
            try
            {
                _signal.Wait(Step());
            }
            catch (Exception exception)
            {
                // An exception that leaves a thread ends the process. In real time: the clock may be what failed.
                _instance.Metrics.CountError(LogSinkException.TypeOf(exception));
                rest.Wait(QuietPeriod);
            }
        }
    }

    /// <summary>Moves what has to be moved now, and looks at the directories once a minute. For the spool's own thread; a simulation has none and calls it
    /// itself.</summary>
    /// <returns>The time until something may have to be done.</returns>
    public TimeSpan Step()
    {
        if (_timeProvider.GetElapsedTime(_maintainedAt) >= MaintenanceInterval)
        {
            _maintainedAt = _timeProvider.GetTimestamp();
            lock (_io)
            {
                if (!_isEnded)
                    Try(RunMaintenance, isProof: _directory is null);
            }
        }

        return Move();
    }

    // Moves what has to be moved now. Returns the time until something may have to be.
    private TimeSpan Move()
    {
        foreach (var queue in _queues())
        {
            while (true)
            {
                lock (_io)
                {
                    if (_isEnded || _directory is null)
                        return MaintenanceInterval;
                    if (IsPaused)
                        return _pause;
                    if (queue.Spooling.Begin(QuietPeriod, out var left) is not { } segment)
                    {
                        if (left > TimeSpan.Zero)
                            return left;
                        break;
                    }

                    if (!Try(() => Move(queue, segment), isProof: true))
                        return _pause;
                }
            }
        }

        return MaintenanceInterval;
    }

    private void Move(SegmentQueue queue, Segment segment)
    {
        Entry? file = null;
        try
        {
            // A caller descheduled between claim and commit delays this thread, and what is read from the disk.
            for (var turn = 0; !segment.TryCountLevels(); turn++)
            {
                if (turn < 10)
                    Thread.Yield();
                else
                    _signal.Wait(TimeSpan.FromMilliseconds(1));
            }

            file = Write(SegmentFile.Encode(segment.Slots[..segment.Count], segment.Bytes, queue.WireId, _instance.Categories), isOldest: false);
        }
        finally
        {
            bool isMoved;
            lock (_gate)
            {
                isMoved = queue.Spooling.End(segment, isSpooled: file is not null);
                if (isMoved)
                {
                    file!.Accepted = segment.Sequence;
                    Track(file, _files.Count, isMoved: true);
                }
            }

            // The shutdown did not wait any longer for the disk, and counted the records as lost.
            if (file is not null && !isMoved)
                DeleteOrRemember(PathOf(file));
        }

        ReportSpooling();
    }

    private void Save(SegmentQueue queue, Segment segment)
    {
        // The shutdown does not wait any longer, and has counted the records as lost.
        if (segment.Place == Segment.Location.Abandoned)
            return;
        var (slots, bytes) = (segment.Slots[..segment.Count].ToArray(), (ReadOnlyMemory<byte>)segment.Bytes);
        LogBatch? batch = null;
        var isInHand = segment.Place == Segment.Location.Worker;
        lock (_gate)
        {
            if (Volatile.Read(ref segment.Batch) is { } offered && offered.Holds(segment.Memory))
            {
                batch = offered.Copy();
                (slots, bytes) = batch.TakeOpen();
            }
        }

        var file = Array.Exists(slots, static slot => slot.Word != 0) ? Write(SegmentFile.Encode(slots, bytes, queue.WireId, _instance.Categories), isInHand) : null;
        bool isSaved;
        lock (_gate)
        {
            // The shutdown did not wait any longer for the disk, and counted the records as lost.
            isSaved = segment.Place is Segment.Location.Worker or Segment.Location.Posted;
            if (isSaved)
            {
                queue.Spooling.Remove(segment, file?.Name.Levels ?? new long[DropCounts.Levels], batch);
                if (file is not null)
                {
                    file.Accepted = segment.Sequence;
                    Track(file, isInHand ? 0 : _files.Count);
                }
            }
        }

        if (isSaved)
            ReportSpooling();
        else if (file is not null)
            DeleteOrRemember(PathOf(file));
    }

    // ---- Files. All of it under the lock of the files. -----------------------------------------------------------------------------------------------

    private bool IsPaused => _pause > TimeSpan.Zero && _timeProvider.GetElapsedTime(_failedAt) < _pause;

    // Another process may have the directory: a number is added then.
    private void Open()
    {
        _disk.CreateDirectory(_parent);
        for (var number = 0; number < MaxProcesses; number++)
        {
            var directory = Path.Combine(_parent, number == 0 ? _name : string.Create(CultureInfo.InvariantCulture, $"{_name}~{number}"));
            _disk.CreateDirectory(directory);
            if (_disk.TryLock(Path.Combine(directory, LockName)) is not { } held)
                continue;
            try
            {
                Adopt(directory, isOwn: true);
            }
            catch (Exception)
            {
                held.Dispose();
                throw;
            }

            (_directory, _lock) = (directory, held);
            AdoptOthers();
            return;
        }

        throw new LogSinkException("locked", $"{_parent} has {MaxProcesses} directories of {_name}, and other processes use them all");
    }

    // Directories that a process left behind.
    private void AdoptOthers()
    {
        foreach (var name in _disk.List(_parent).Where(name => name == _name || name.StartsWith(_name + "~", StringComparison.Ordinal)).Order(StringComparer.Ordinal))
        {
            var directory = Path.Combine(_parent, name);
            if (directory == _directory)
                continue;
            _disk.CreateDirectory(directory);
            using var held = _disk.TryLock(Path.Combine(directory, LockName));
            if (held is not null)
                Adopt(directory, isOwn: false);
        }
    }

    private void Adopt(string directory, bool isOwn)
    {
        var names = _disk.List(directory);
        if (isOwn)
            SkipPlaces(names.Where(static name => name is ForeignName or RejectedName).SelectMany(name => _disk.List(Path.Combine(directory, name))));
        var found = new List<SegmentFileName>();
        foreach (var name in names)
        {
            var whole = name.EndsWith(SegmentFileName.Unfinished, StringComparison.Ordinal) ? name[..^SegmentFileName.Unfinished.Length] : name;
            if (SegmentFileName.Parse(whole) is { } file && (whole == name || Finish(Path.Combine(directory, whole), file)))
                found.Add(file);
        }

        found.Sort(static (left, right) => left.Sequence.CompareTo(right.Sequence));
        foreach (var name in found)
        {
            var file = new Entry(isOwn ? name : name with { Sequence = NextSequence() });
            if (!isOwn)
                _disk.Rename(Path.Combine(directory, name.ToString()), PathOf(file));
            lock (_gate)
                Track(file, _files.Count);
        }

        if (found.Count == 0)
            return;
        _isSpooling = true;
        _instance.Health.Degrade(this, Spooling);
        _instance.SelfReport.Report(
            SelfReportLevel.Warning, _instance.Name, Condition,
            $"{ControlText.Count(found.Sum(static file => file.Records), "record", "records")} of an earlier process wait in {directory} and are sent first.");
    }

    // Places of files that are set aside are not given again: their names would be taken.
    private void SkipPlaces(IEnumerable<string> names)
    {
        var taken = names.Max(static name => SegmentFileName.Parse(name)?.Sequence) ?? 0;
        lock (_gate)
            _newest = Math.Max(_newest, taken);
    }

    // A file that a process was writing when it was killed, or could not delete: whole, or of no use. Of the latter no record left the memory of that process,
    // which delivered them, or lost them with all others there.
    private bool Finish(string path, SegmentFileName name)
    {
        var unfinished = path + SegmentFileName.Unfinished;
        var content = _disk.Read(unfinished) ?? [];
        if (SegmentFile.ReadHeader(content) is { } header && content.Length == name.Length
            && SegmentFile.ReadRecords(content, header, static _ => 0).Slots.Length == name.Records)
        {
            _disk.Rename(unfinished, path);
            return true;
        }

        _disk.Delete(unfinished);
        return false;
    }

    private Entry Write(SegmentImage image, bool isOldest)
    {
        // First: what a failed write left behind may be of the same records, and the next process would send them twice.
        DeleteLeftovers();
        MakeRoom(image.Length);
        var file = new Entry(new SegmentFileName(isOldest ? First()?.Name.Sequence - 1 ?? NextSequence() : NextSequence(), image.Levels, image.Length)) { FirstTicks = image.FirstTicks, LastTicks = image.LastTicks };
        var (path, toDisk) = (PathOf(file), _instance.Options.SpoolDurability == SpoolDurability.FlushToDisk);
        var unfinished = path + SegmentFileName.Unfinished;
        try
        {
            _disk.Write(unfinished, image, toDisk);
            _disk.Rename(unfinished, path);
            if (toDisk)
                _disk.SyncDirectory(_directory!);
            return file;
        }
        catch (LogSinkException)
        {
            // The records stay in the queue: the next process would send what is there of the file once more. The failure itself goes up.
            DeleteOrRemember(unfinished);
            DeleteOrRemember(path);
            throw;
        }
    }

    private void MakeRoom(long length)
    {
        if (_disk.SpaceOf(_directory!) is { } space && space.Available - length < Math.Min(MaxMinimumFreeSpace, space.Total / MinimumFreeSpaceDivisor))
            throw new LogSinkException("no_space", $"the file system of {_directory} is nearly full: free some space");
        var limit = _instance.Options.SpoolSizeLimit;
        while (OldestBeyond(limit - length, out var oldest))
        {
            if (oldest is null)
                throw new LogSinkException("no_space", $"a segment of {length} bytes does not fit into SpoolSizeLimit ({SizeText.Show(limit)}): allow more");
            Drop(oldest, oldest.Name.Levels, DropReason.SpoolFull);
        }
    }

    // The records of a file; null when there are none left in it: then it is counted and gone.
    private Segment? Read(Entry file, ulong? wireId)
    {
        var path = PathOf(file);
        var content = _disk.Read(path) ?? [];
        if (SegmentFile.IsOtherVersion(content))
        {
            Quarantine(file, "were written by another version of AsyncLog");
            return null;
        }

        if (SegmentFile.ReadHeader(content) is not { } header)
        {
            Drop(file, file.Name.Levels, DropReason.SpoolCorrupt);
            return null;
        }

        if (header.WireId != wireId)
        {
            Quarantine(file, "were written with settings that give records another form");
            return null;
        }

        (file.FirstTicks, file.LastTicks) = (header.FirstTicks, header.LastTicks);
        if (IsExpired(file))
        {
            Drop(file, file.Name.Levels, DropReason.SpoolExpired, header);
            return null;
        }

        var (bytes, slots) = SegmentFile.ReadRecords(content, header, _instance.Categories.Add);
        if (slots.Length == 0)
        {
            Drop(file, file.Name.Levels, DropReason.SpoolCorrupt, header);
            return null;
        }

        var segment = new Segment(bytes, slots);
        var isWhole = segment.TryCountLevels();
        Debug.Assert(isWhole, "Records on the disk are committed.");
        lock (_gate)
            Correct(file, segment.Levels, header);
        return segment;
    }

    // The name says what was in it; what cannot be read any more is lost.
    private void Correct(Entry file, long[] readable, SegmentHeader header)
    {
        var damaged = new long[DropCounts.Levels];
        for (var level = 0; level < damaged.Length; level++)
        {
            damaged[level] = Math.Max(0, file.Name.Levels[level] - readable[level]);
            _levels[level] += readable[level] - file.Name.Levels[level];
        }

        file.Name = file.Name with { Levels = [.. readable] };
        CountLost(damaged, DropReason.SpoolCorrupt, header);
    }

    private void KeepRejected(Entry file, RejectedRecords rejected, ulong wireId)
    {
        if (_directory is null)
            return;
        var directory = Path.Combine(_directory, RejectedName);
        _disk.CreateDirectory(directory);
        var image = SegmentFile.Encode(CollectionsMarshal.AsSpan(rejected.Slots), rejected.Bytes.ToArray(), wireId, _instance.Categories);
        var names = _disk.List(directory);
        // Of writes that failed or were interrupted.
        foreach (var name in names.Where(static name => name.EndsWith(SegmentFileName.Unfinished, StringComparison.Ordinal)))
            _disk.Delete(Path.Combine(directory, name));
        var kept = names.Select(SegmentFileName.Parse).OfType<SegmentFileName>().OrderBy(static name => name.Sequence).ToList();
        var size = kept.Sum(static name => name.Length) + image.Length;
        foreach (var name in kept)
        {
            if (size <= _instance.Options.SpoolSizeLimit)
                break;
            _disk.Delete(Path.Combine(directory, name.ToString()));
            size -= name.Length;
        }

        // A file that was offered twice: the later outcome counts.
        var path = Path.Combine(directory, new SegmentFileName(file.Name.Sequence, image.Levels, image.Length).ToString());
        _disk.Delete(path);
        _disk.Write(path + SegmentFileName.Unfinished, image, toDisk: false);
        _disk.Rename(path + SegmentFileName.Unfinished, path);
    }

    private void Quarantine(Entry file, string because)
    {
        var directory = Path.Combine(_directory!, ForeignName);
        _disk.CreateDirectory(directory);
        _disk.Rename(PathOf(file), Path.Combine(directory, file.OnDisk));
        lock (_gate)
        {
            CountLost(file.Name.Levels, DropReason.SpoolForeign, header: null);
            Untrack(file);
        }

        _instance.SelfReport.Report(
            SelfReportLevel.Warning, _instance.Name, ForeignName,
            $"files in {_directory} {because}. They are set aside in {directory} and not sent.");
        ReportDrained();
    }

    // Expired files go although the destination takes nothing, directories of ended processes are taken over, and what failed is tried again.
    private void RunMaintenance()
    {
        if (_directory is null)
            Open();
        else
            AdoptOthers();
        DeleteLeftovers();
        // A worker that sleeps has to send what was found, and to announce what was lost.
        if (HasFiles || _instance.Metrics.Drops.HasUnannounced)
            _usage.InForce?.Wake();
        while (FirstUnoffered() is { } file && (file.LastTicks == 0 || IsExpired(file)) && Read(file, _usage.InForce?.WireId) is null)
        {
        }
    }

    private void DeleteLeftovers()
    {
        foreach (var path in _undeleted.ToArray())
        {
            _disk.Delete(path);
            _undeleted.Remove(path);
        }
    }

    private bool IsExpired(Entry file)
        => _instance.Options.SpoolTimeLimit is { } limit && _timeProvider.GetUtcNow().UtcTicks - file.LastTicks > limit.Ticks;

    private Entry? First()
    {
        lock (_gate)
            return _files.Count == 0 ? null : _files[0];
    }

    // Null also when a worker has the first one.
    private Entry? FirstUnoffered()
    {
        lock (_gate)
            return _files.Count == 0 || ReferenceEquals(_files[0], _offered) ? null : _files[0];
    }

    private long NextSequence()
    {
        lock (_gate)
            return _newest = Math.Max(_newest, _files.Count == 0 ? 0 : _files[^1].Name.Sequence) + 1;
    }

    // True if the files have more bytes than that. The oldest is not the one that is just sent; null: there is no other.
    private bool OldestBeyond(long bytes, out Entry? oldest)
    {
        lock (_gate)
        {
            oldest = _files.Find(file => !ReferenceEquals(file, _offered));
            return _bytes > bytes;
        }
    }

    private string PathOf(Entry file) => Path.Combine(_directory!, file.OnDisk);

    private void Drop(Entry file, long[] levels, DropReason reason, SegmentHeader? header = null)
    {
        _disk.Delete(PathOf(file));
        lock (_gate)
        {
            CountLost(levels, reason, header);
            Untrack(file);
        }

        ReportDrained();
    }

    // A file whose records are settled would be sent again by the next process.
    private void Delete(Entry file)
    {
        if (_directory is null)
            return;
        var path = PathOf(file);
        if (!Try(() => _disk.Delete(path)))
            _undeleted.Add(path);
    }

    private void DeleteOrRemember(string path)
    {
        try
        {
            _disk.Delete(path);
        }
        catch (LogSinkException exception)
        {
            _instance.Metrics.CountError(exception.ErrorType);
            _undeleted.Add(path);
        }
    }

    // Trouble with the disk stops neither delivery nor callers: it is reported, and memory rules until the next attempt.
    private bool Try(Action action, bool isProof = false)
    {
        try
        {
            action();
            if (isProof)
                Recover();
            return true;
        }
        catch (LogSinkException exception)
        {
            _failedAt = _timeProvider.GetTimestamp();
            _pause = Backoff.Local.DelayOf(_failures++, Random.Shared.NextDouble());
            _instance.Metrics.CountError(exception.ErrorType);
            _instance.Health.Degrade(this, Unwritable);
            _instance.SelfReport.Report(
                SelfReportLevel.Error, _instance.Name, Unwritable, $"SpoolPath: {exception.Message} ({exception.ErrorType}). Memory alone holds records until it works.");
            return false;
        }
    }

    // After a failure only a write proves that the disk works again.
    private void Recover()
    {
        if (_failures == 0)
            return;
        (_failures, _pause) = (0, TimeSpan.Zero);
        _instance.Health.Restore(this, Unwritable);
        _instance.SelfReport.Resolve(_instance.Name, Unwritable, "the spool works again.");
    }

    // ---- The counters. Under the instance's lock. -------------------------------------------------------------------------------------------------------

    // A file that is in the way of all others for a minute is given up: it is counted, and stays on the disk for the next process.
    private void SkipUnreadable(Entry file)
    {
        if (file.FailedSince is not { } since)
        {
            file.FailedSince = _timeProvider.GetTimestamp();
            return;
        }

        if (_timeProvider.GetElapsedTime(since) < MaintenanceInterval)
            return;
        lock (_gate)
        {
            CountLost(file.Name.Levels, DropReason.SpoolCorrupt, header: null);
            Untrack(file);
        }

        _instance.SelfReport.Write(
            SelfReportLevel.Error, _instance.Name, $"{PathOf(file)} cannot be read: its {ControlText.Count(file.Name.Records, "record is", "records are")} passed over and counted as spool_corrupt. The next process tries again.");
        ReportDrained();
    }

    // A segment that was moved is counted since the move began.
    private void Track(Entry file, int place, bool isMoved = false)
    {
        _files.Insert(place, file);
        if (!isMoved)
            _usage.Spooled++;
        if (file.Accepted is { } sequence)
            _usage.AddOnDisk(sequence);
        for (var level = 0; level < _levels.Length; level++)
            _levels[level] += file.Name.Levels[level];
        _bytes += file.Name.Length;
    }

    // After its records were counted: a flush that waited for them is answered here.
    private void Untrack(Entry file)
    {
        _files.Remove(file);
        for (var level = 0; level < _levels.Length; level++)
            _levels[level] -= file.Name.Levels[level];
        _bytes -= file.Name.Length;
        _usage.Spooled--;
        if (ReferenceEquals(file, _offered))
            (_offered, _segment, _offeredBy) = (null, null, null);
        if (file.Accepted is { } sequence)
            _usage.RemoveOnDisk(sequence);
    }

    private void CountLost(long[] levels, DropReason reason, SegmentHeader? header)
    {
        if (Array.TrueForAll(levels, static count => count == 0))
            return;
        var now = _timeProvider.GetUtcNow().UtcTicks;
        _instance.Metrics.CountLost(reason, levels, header?.FirstTicks ?? now, header?.LastTicks ?? now, now);
    }

    private void ReportSpooling()
    {
        if (_isSpooling)
            return;
        _isSpooling = true;
        _instance.Health.Degrade(this, Spooling);
        _instance.SelfReport.Report(
            SelfReportLevel.Warning, _instance.Name, Condition, $"the destination takes too little: records wait in {_directory} (SpoolSizeLimit {SizeText.Show(_instance.Options.SpoolSizeLimit)}).");
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Queue))
            Log.SpoolStarted(_instance.Name, _directory!);
    }

    private void ReportDrained()
    {
        long sent;
        lock (_gate)
        {
            if (_usage.Spooled > 0)
                return;
            (sent, _sent) = (_sent, 0);
        }

        _isSpooling = false;
        _instance.Health.Restore(this, Spooling);
        _instance.SelfReport.Resolve(_instance.Name, Condition, $"the spool is empty: {ControlText.Count(sent, "record", "records")} from it were sent.");
        if (Log.IsEnabled(EventLevel.Informational, Keywords.Queue))
            Log.SpoolDrained(_instance.Name, sent);
    }

    // A file. Its name on the disk says what was written, the current one what can be read of it.
    private sealed class Entry(SegmentFileName written)
    {
        public SegmentFileName Name { get; set; } = written;

        public string OnDisk { get; } = written.ToString();

        // UTC; 0 when it was not read yet.
        public long FirstTicks { get; set; }

        // The last one's as well.
        public long LastTicks { get; set; }

        // The number of the segment; null for records that another process accepted.
        public long? Accepted { get; set; }

        // A time stamp; null: it was not tried, or could be read.
        public long? FailedSince { get; set; }
    }
}
