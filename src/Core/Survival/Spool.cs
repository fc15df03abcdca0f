using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
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
    private const string Condition = "spool";
    private const string Foreign = "foreign";
    private const string Spooling = "spooling";
    private const string Unwritable = "spool_unwritable";
    private static readonly TimeSpan QuietPeriod = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaintenanceInterval = TimeSpan.FromMinutes(1);
    private readonly InstanceState _instance;
    private readonly InstanceQueueState _usage;
    private readonly Func<IReadOnlyList<SegmentQueue>> _queues;
    private readonly string _parent;
    private readonly SpoolIndex _index;
    private readonly DiskWait _diskWait;
    private readonly TimeProvider _timeProvider;
    private readonly WorkerSignal _signal;
    private readonly Thread _thread;

    // The instance's lock.
    private readonly object _gate;
    private long _sent;

    // Held during operations on files; protects the fields below. Taken before the instance's lock.
    private readonly Lock _io = new();
    private readonly SpoolDirectory _directory;
    private bool _isSpooling;
    private int _failures;
    private long _failedAt;
    private TimeSpan _pause;
    private volatile bool _isEnded;

    // When maintenance ran last. The spool's thread only.
    private long _maintainedAt;

    // Waits for the end of the spool; null: it goes on.
    private Action? _end;

    /// <param name="path">The directory of all spools: <see cref="SinkOptions.SpoolPath"/>.</param>
    public Spool(InstanceState instance, InstanceQueueState usage, Func<IReadOnlyList<SegmentQueue>> queues, string path, ISpoolFiles disk)
    {
        _instance = instance;
        _usage = usage;
        _queues = queues;
        _parent = path;
        _index = new SpoolIndex(instance, usage);
        _diskWait = new DiskWait(instance, path);
        _directory = new SpoolDirectory(instance, _index, path, disk, ReportFound);
        _gate = instance.Metrics.Gate;
        _timeProvider = instance.TimeProvider;
        _signal = new WorkerSignal(_timeProvider);
        _maintainedAt = _timeProvider.GetTimestamp();
        usage.SpoolSignal = _signal;
        OpenInTime();
        _thread = new Thread(Run, 256 << 10) { IsBackground = true, Name = $"AsyncLog spool {instance.Name}" };
    }

    /// <summary>True if files wait.</summary>
    public bool HasFiles => _index.HasFiles;

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
                if (_index.Offered is { } offered)
                {
                    if (offered.Queue == queue)
                        return offered.Segment;
                    if (!offered.Queue.IsFinal)
                        return null;
                    _index.Offered = null;
                }
            }

            if (!HasFiles || _directory.FullPath is null || IsPaused)
                return null;
            while (_index.First() is { } file)
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
                    _index.Offered = (file, segment, queue);
                return segment;
            }

            return null;
        }
    }

    /// <summary>Counts the outcome of the records that <see cref="Take"/> returned, and deletes their file.</summary>
    /// <returns>False when the deadline passed before, or another worker has them: then they stay on the disk.</returns>
    public bool Settle(Segment segment, LogBatch batch, SegmentQueue queue)
    {
        SpooledFile file;
        lock (_gate)
        {
            if (queue.IsFinal || _index.Offered is not { } offered || offered.Queue != queue || !ReferenceEquals(segment, offered.Segment))
                return false;
            file = offered.File;
            segment.Settle(_instance.Metrics, batch, isUncertain: false, _timeProvider.GetUtcNow().UtcTicks);
            _usage.DeliveredAt = _timeProvider.GetTimestamp();
            _sent += file.Name.Records - batch.Refused.Total;
            _index.Remove(file);
        }

        lock (_io)
        {
            if (_directory.FullPath is not null)
            {
                if (batch.Rejected is { Slots.Count: > 0 } rejected)
                    Try(() => _directory.KeepRejected(file, SegmentFile.Encode(CollectionsMarshal.AsSpan(rejected.Slots), rejected.Bytes.ToArray(), queue.WireId, _instance.Categories)));
                if (!Try(() => _directory.Delete(file)))
                    _directory.DeleteLater(file);
            }

            ReportDrained();
        }

        return true;
    }

    /// <summary>Takes the records away from a worker that hangs in its sink: they are read again for the next one. Under the instance's lock.</summary>
    public void Release(SegmentQueue queue)
    {
        if (_index.Offered?.Queue == queue)
            _index.Offered = null;
    }

    // ---- Shutdown, snapshot --------------------------------------------------------------------------------------------------------------------------

    /// <summary>Writes the records of a process that was killed behind all files, before anything is accepted.</summary>
    /// <param name="taken">Called under the instance's lock when a segment is on the disk and counted there.</param>
    /// <remarks>The first one that cannot be written, or not within half a second, and those behind it are left; this is reported.</remarks>
    public void Add(IEnumerable<Segment> segments, ulong wireId, Action<Segment> taken)
    {
        var isOver = false;
        _diskWait.Begin("recovery", () =>
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
                SpooledFile? file = null;
                if (Volatile.Read(ref isOver) || _directory.FullPath is null
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
                        _index.Add(file!);
                    }
                }

                if (isLate)
                    _directory.DeleteSettled(file!);
                else
                    ReportSpooling();
                return !isLate;
            }
        }
    }

    /// <summary>The place of the newest file; 0: there is none. Under the instance's lock.</summary>
    public long Newest => _index.Newest;

    /// <summary>Returns true if there are files up to a place. Under the instance's lock.</summary>
    public bool HasUpTo(long place) => _index.HasUpTo(place);

    /// <summary>Begins to move everything that a closed queue holds to the disk.</summary>
    /// <returns>Waits for the end, at most until half a second after the beginning. What is not on the disk then may be counted as lost.</returns>
    public Action BeginSave(SegmentQueue queue) => _diskWait.Begin("save", () => Save(queue));

    /// <summary>Moves everything that a closed queue holds to the disk, within half a second where the disk does not hang.</summary>
    /// <returns>True if nothing is left.</returns>
    public bool Save(SegmentQueue queue)
    {
        var began = _timeProvider.GetTimestamp();
        if (!_io.TryEnter(DiskWait.Max))
            return false;
        try
        {
            if (_directory.FullPath is null)
                return false;
            // The worker's last: when others could not be saved, it goes on with the record that it has begun.
            foreach (var segment in queue.Spooling.Unsettled.OrderBy(static segment => segment.Place == Segment.Location.Worker))
            {
                if (_timeProvider.GetElapsedTime(began) > DiskWait.Max || !Try(() => Save(queue, segment), isProof: true))
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
    public void AddTo(QueueSnapshot snapshot) => _index.AddTo(snapshot);

    /// <summary>Ends the moves, and begins to leave the directory to the next process.</summary>
    public void Close()
    {
        _isEnded = true;
        _signal.Set();
        // What the worker had at the deadline stays on the disk.
        lock (_gate)
            _index.Offered = null;
        _end ??= _diskWait.Begin("end", LeaveDirectory);
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
            _directory.Leave();
        }
    }

    // Its files are sent once the directory answers, behind what was sent meanwhile.
    private void OpenInTime()
    {
        var (hasEnded, isLate) = (false, false);
        _diskWait.Begin("open", () =>
        {
            lock (_io)
            {
                if (_isEnded)
                    return;
                Try(_directory.Open, isProof: true);
                lock (_gate)
                    hasEnded = true;
                // A failure is restored by the next write.
                if (isLate && _failures == 0)
                {
                    _instance.Health.Restore(this, Unwritable);
                    _instance.SelfReport.Write(LogLevel.Warning, _instance.Name, $"SpoolPath: {_parent} answers now.");
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
                    Try(RunMaintenance, isProof: _directory.FullPath is null);
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
                    if (_isEnded || _directory.FullPath is null)
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
        SpooledFile? file = null;
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
                    _index.Add(file, isCounted: true);
                }
            }

            // The shutdown did not wait any longer for the disk, and counted the records as lost.
            if (file is not null && !isMoved)
                _directory.DeleteSettled(file);
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
                    _index.Add(file, isOldest: isInHand);
                }
            }
        }

        if (isSaved)
            ReportSpooling();
        else if (file is not null)
            _directory.DeleteSettled(file);
    }

    // ---- Files. All of it under the lock of the files. -----------------------------------------------------------------------------------------------

    private bool IsPaused => _pause > TimeSpan.Zero && _timeProvider.GetElapsedTime(_failedAt) < _pause;

    private void ReportFound(string directory, long records)
    {
        _isSpooling = true;
        _instance.Health.Degrade(this, Spooling);
        _instance.SelfReport.Report(
            LogLevel.Warning, _instance.Name, Condition, $"{ControlText.Count(records, "record", "records")} of an earlier process wait in {directory} and are sent first.");
    }

    private SpooledFile Write(SegmentImage image, bool isOldest)
    {
        // First: what a failed write left behind may be of the same records, and the next process would send them twice.
        _directory.DeleteLeftovers();
        _directory.RequireFreeSpace(image.Length);
        var limit = _instance.Options.SpoolSizeLimit;
        while (_index.IsBeyond(limit - image.Length, out var oldest))
        {
            if (oldest is null)
                throw new LogSinkException("no_space", $"a segment of {image.Length} bytes does not fit into SpoolSizeLimit ({SizeText.Show(limit)}): allow more");
            Drop(oldest, DropReason.SpoolFull);
        }

        return _directory.Write(image, isOldest ? _index.SequenceBeforeFirst() : _index.NextSequence());
    }

    // The records of a file; null when there are none left in it: then it is counted and gone.
    private Segment? Read(SpooledFile file, ulong? wireId)
    {
        var content = _directory.Read(file);
        if (SegmentFile.IsOtherVersion(content))
        {
            Quarantine(file, "were written by another version of AsyncLog");
            return null;
        }

        if (SegmentFile.ReadHeader(content) is not { } header)
        {
            Drop(file, DropReason.SpoolCorrupt);
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
            Drop(file, DropReason.SpoolExpired, header);
            return null;
        }

        var (bytes, slots) = SegmentFile.ReadRecords(content, header, _instance.Categories.Add);
        if (slots.Length == 0)
        {
            Drop(file, DropReason.SpoolCorrupt, header);
            return null;
        }

        var segment = new Segment(bytes, slots);
        var isWhole = segment.TryCountLevels();
        Debug.Assert(isWhole, "Records on the disk are committed.");
        _index.LoseUnreadable(file, segment.Levels, header);
        return segment;
    }

    private void Quarantine(SpooledFile file, string because)
    {
        var directory = _directory.Quarantine(file);
        _index.Lose(file, DropReason.SpoolForeign);
        _instance.SelfReport.Report(
            LogLevel.Warning, _instance.Name, Foreign, $"files in {_directory.FullPath} {because}. They are set aside in {directory} and not sent.");
        ReportDrained();
    }

    // Expired files go although the destination takes nothing, directories of ended processes are taken over, and what failed is tried again.
    private void RunMaintenance()
    {
        if (_directory.FullPath is null)
            _directory.Open();
        else
            _directory.AdoptOthers();
        _directory.DeleteLeftovers();
        // A worker that sleeps has to send what was found, and to announce what was lost.
        if (HasFiles || _instance.Metrics.Drops.HasUnannounced)
            _usage.InForce?.Wake();
        while (_index.FirstUnoffered() is { } file && (file.LastTicks == 0 || IsExpired(file)) && Read(file, _usage.InForce?.WireId) is null)
        {
        }
    }

    private bool IsExpired(SpooledFile file)
        => _instance.Options.SpoolTimeLimit is { } limit && _timeProvider.GetUtcNow().UtcTicks - file.LastTicks > limit.Ticks;

    private void Drop(SpooledFile file, DropReason reason, SegmentHeader? header = null)
    {
        _directory.Delete(file);
        _index.Lose(file, reason, header);
        ReportDrained();
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
                LogLevel.Error, _instance.Name, Unwritable, $"SpoolPath: {exception.Message} ({exception.ErrorType}). Memory alone holds records until it works.", exception.ErrorType);
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

    // A file that is in the way of all others for a minute is given up: it is counted, and stays on the disk for the next process.
    private void SkipUnreadable(SpooledFile file)
    {
        if (file.FailedSince is not { } since)
        {
            file.FailedSince = _timeProvider.GetTimestamp();
            return;
        }

        if (_timeProvider.GetElapsedTime(since) < MaintenanceInterval)
            return;
        _index.Lose(file, DropReason.SpoolCorrupt);
        _instance.SelfReport.Write(
            LogLevel.Error, _instance.Name, $"{_directory.PathOf(file)} cannot be read: its {ControlText.Count(file.Name.Records, "record is", "records are")} passed over and counted as spool_corrupt. The next process tries again.");
        ReportDrained();
    }

    private void ReportSpooling()
    {
        if (_isSpooling)
            return;
        _isSpooling = true;
        _instance.Health.Degrade(this, Spooling);
        _instance.SelfReport.Report(
            LogLevel.Warning, _instance.Name, Condition, $"the destination is too slow or unreachable: records wait in {_directory.FullPath} (SpoolSizeLimit {SizeText.Show(_instance.Options.SpoolSizeLimit)}).");
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Queue))
            Log.SpoolStarted(_instance.Name, _directory.FullPath!);
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
}
