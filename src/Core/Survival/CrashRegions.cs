using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using Microsoft.Extensions.Logging;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>The crash buffer of one instance: the memory of its queues that outlives the process, and the records that earlier processes left in theirs.</summary>
/// <remarks>
/// <para>Each queue has a file of its own, named after the instance, the application and a number that is never used twice, and locked while its owner lives. A file
/// whose lock is free was left by a process that was killed.</para>
/// <para>Records that are found stay in their file until they are delivered, and are delivered before all others but those of the spool that are older: a kill
/// meanwhile loses none. They count as in flight until then. What is not delivered when the instance ends stays for the next process.</para>
/// </remarks>
internal sealed class CrashRegions : IDisposable
{
    private const string Condition = "crash_buffer";
    private const string Extension = ".ring";
    private const string ForeignExtension = ".foreign";
    private const string DamagedExtension = ".damaged";
    private const int NumberLength = 12;
    private const int Attempts = 10;
    private readonly InstanceState _instance;
    private readonly InstanceQueueState _usage;
    private readonly ICrashFiles _files;
    private readonly string? _configuredDirectory;
    private readonly string _prefix;
    private readonly string _key;
    private readonly TimeProvider _timeProvider;

    // Held while a region is deleted. Taken before the instance's lock.
    private readonly Lock _releasing = new();

    // The instance's lock: protects the fields below.
    private readonly object _gate;
    private readonly long[] _levels = new long[DropCounts.Levels];
    private readonly List<CrashRegion> _regions = [];
    private Segment? _offered;
    private SegmentQueue? _offeredBy;
    private long _foundTicks;

    // What is not delivered, oldest first; the place in the first of them; and what was delivered last.
    private readonly List<CrashRegionContents> _left = [];
    private int _next;
    private CrashRegionContents? _delivered;

    // The place up to which files of the spool are older than what is left here.
    private Spool? _spool;
    private long _behind;

    // True if no memory is made: it was refused, or the instance has ended.
    private bool _isOff;

    /// <param name="directory">The directory of all files; null: the one of this user in <c>/dev/shm</c>.</param>
    public CrashRegions(InstanceState instance, InstanceQueueState usage, string? directory, ICrashFiles files)
    {
        _instance = instance;
        _usage = usage;
        _files = files;
        _configuredDirectory = directory;
        _key = directory is null ? $"{nameof(SinkOptions.CrashBuffer)} 'true'" : $"AsyncLog:{nameof(AsyncLogOptions.CrashBufferPath)} '{directory}'";
        _prefix = string.Create(CultureInfo.InvariantCulture, $"{instance.Type}-{instance.ShortName}-{Fnv1a.Of($"{instance.Application.ApplicationName}\0{instance.Application.ContentRootPath}"):x16}-");
        _timeProvider = instance.TimeProvider;
        _gate = instance.Metrics.Gate;
    }

    // Not asked for in the constructor: where there are no crash buffers, there is no default directory either.
    private string DirectoryOfFiles => _configuredDirectory ?? _files.DefaultDirectory;

    /// <summary>Finds what processes left that were killed. Before the first queue takes records.</summary>
    public void Recover(ulong wireId, Spool? spool)
    {
        if (_files.Limitation is { } limitation)
        {
            _isOff = true;
            _instance.SelfReport.Report(LogLevel.Warning, _instance.Name, Condition, $"{nameof(SinkOptions.CrashBuffer)} 'true' has no effect here: {limitation}.");
            return;
        }

        if (!Try(() => _files.CreateDirectory(DirectoryOfFiles)))
        {
            _isOff = true;
            return;
        }

        Try(() =>
        {
            foreach (var name in _files.List(DirectoryOfFiles).Where(IsOurs))
                Try(() => Open(name));
        });
        // Queues of one process follow each other.
        var found = _left.OrderBy(static left => left.CreatedTicks).ToArray();
        _left.Clear();
        _left.AddRange(found);
        foreach (var left in found)
            RecoverRegion(left, wireId, spool);
    }

    /// <summary>Makes the memory of a queue.</summary>
    /// <returns>Null when it cannot be made, which is reported: the queue works without it.</returns>
    public CrashRegion? NewRegion(QueueBounds bounds, ulong wireId)
    {
        CrashRegion? region = null;
        if (_isOff || !Try(() => region = Create(bounds, wireId)))
            return null;
        bool isOff;
        lock (_gate)
        {
            isOff = _isOff;
            if (!isOff)
                _regions.Add(region!);
        }

        if (isOff)
        {
            Try(region!.Dispose);
            return null;
        }

        _instance.Health.Restore(this, Condition);
        return region;
    }

    /// <summary>Deletes the memory of a queue whose records have an outcome, or are counted as lost.</summary>
    public void Release(CrashRegion region)
    {
        lock (_releasing)
        {
            lock (_gate)
            {
                if (!_regions.Remove(region))
                    return;
            }

            Try(region.Dispose);
        }
    }

    /// <summary>Ends the instance in an orderly way: the memory of its queues is deleted. What was found and is not delivered stays.</summary>
    public void Dispose()
    {
        CrashRegion[] regions;
        CrashRegionContents[] left;
        // Also waits for a worker that has just ended and deletes its region: the process may end after this.
        lock (_releasing)
        {
            lock (_gate)
            {
                _isOff = true;
                regions = [.. _regions];
                left = [.. _left];
                _offered = null;
            }

            foreach (var region in regions)
                Release(region);
        }

        // A worker that hangs may still have one of them.
        foreach (var found in left)
            found.File.Dispose();
    }

    // ---- The worker ----------------------------------------------------------------------------------------------------------------------------------

    /// <summary>Returns the oldest records that were found, again until they are settled.</summary>
    /// <returns>Null when there are none, the worker of another queue has them, or older ones are in the spool.</returns>
    public Segment? Take(SegmentQueue queue)
    {
        lock (_gate)
        {
            if (_spool?.HasUpTo(_behind) == true)
                return null;
            // After a reload there may be two workers; what one had at its deadline is the other's.
            if (_offered is not null && _offeredBy != queue && !_offeredBy!.IsFinal)
                return null;
            if (_offered is null && _left.Count > 0)
            {
                _offered = Copy(_left[0], _left[0].Blocks[_next]);
                var isWhole = _offered.TryCountLevels();
                Debug.Assert(isWhole, "Records without a commit are left out.");
            }

            _offeredBy = queue;
            return _offered;
        }
    }

    /// <summary>Counts the outcome of the records that <see cref="Take"/> returned.</summary>
    /// <returns>False when the deadline passed before: then the next process finds those that are not written.</returns>
    public bool Settle(Segment segment, LogBatch batch, SegmentQueue queue)
    {
        CrashRegionContents? ended = null;
        lock (_gate)
        {
            if (queue.IsFinal || !ReferenceEquals(segment, _offered) || _offeredBy != queue)
                return false;
            ended = SettleOffered(segment, batch, _timeProvider.GetUtcNow().UtcTicks);
        }

        if (ended is not null)
            Delete(ended);
        return true;
    }

    /// <summary>Takes the records away from a worker that hangs in its sink, and counts what is left of them as lost. Under the instance's lock.</summary>
    /// <param name="nowTicks">The time of the loss, UTC.</param>
    /// <param name="delete">Deletes a file of which nothing is left; to be called without the lock. Null: there is none.</param>
    /// <returns>Number of records lost.</returns>
    public long LoseUnsettled(SegmentQueue queue, long nowTicks, out Action? delete)
    {
        delete = null;
        if (_offered is not { } segment || _offeredBy != queue)
            return 0;
        // The worker's own outcome, if it had begun; the records may lie in its hands still.
        var batch = Volatile.Read(ref segment.Batch) is { } offered && offered.Holds(segment.Memory) ? offered.Copy() : Whole(segment);
        var before = batch.Refused.Total;
        batch.RefuseRest(DropReason.ShutdownTimeout);
        if (SettleOffered(segment, batch, nowTicks) is { } ended)
            delete = () => Delete(ended);
        return batch.Refused.Total - before;
    }

    /// <summary>Returns the notice of the process whose records were delivered last, once; null: there is none.</summary>
    public Notice? TakeNotice()
    {
        CrashRegionContents? delivered;
        lock (_gate)
            (delivered, _delivered) = (_delivered, null);
        return delivered is null ? null : Notice.OfRecovery(delivered.Records, delivered.ProcessId, delivered.LastTicks);
    }

    /// <summary>Adds the records that are not delivered. Under the lock.</summary>
    public void AddTo(QueueSnapshot snapshot) => snapshot.AddRecovered(_levels, _foundTicks);

    // Returns what is settled to its end. Under the lock.
    private CrashRegionContents? SettleOffered(Segment segment, LogBatch batch, long nowTicks)
    {
        segment.Settle(_instance.Metrics, batch, isUncertain: false, nowTicks);
        Subtract(segment.Levels);
        segment.Origin!.SettledSequence = segment.Origin.Sequence;
        _offered = null;
        if (++_next < _left[0].Blocks.Count)
            return null;
        var ended = _delivered = _left[0];
        Remove(ended);
        return ended;
    }

    private LogBatch Whole(Segment segment)
    {
        var batch = new LogBatch();
        batch.Load(segment.Memory, segment.Count, segment.ByteCount, _instance.Categories);
        return batch;
    }

    // ---- Files ---------------------------------------------------------------------------------------------------------------------------------------

    private bool IsOurs(string name)
        => name.StartsWith(_prefix, StringComparison.Ordinal) && name.EndsWith(Extension, StringComparison.Ordinal)
            && name[_prefix.Length..^Extension.Length] is { Length: NumberLength } number && !number.AsSpan().ContainsAnyExcept("0123456789abcdef");

    private CrashRegion Create(QueueBounds bounds, ulong wireId)
    {
        var length = CrashRegion.LengthOf(bounds);
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            // Never a name that was used before: another process may have opened that file to recover it.
            var number = Convert.ToHexStringLower(Guid.NewGuid().ToByteArray().AsSpan(0, NumberLength / 2));
            if (_files.Create(Path.Combine(DirectoryOfFiles, _prefix + number + Extension), length) is { } file)
                return new CrashRegion(file, bounds, wireId, _instance.Categories, _timeProvider.GetUtcNow().UtcTicks);
        }

        throw new LogSinkException("locked", $"other processes lock every new file in {DirectoryOfFiles}");
    }

    private void Open(string name)
    {
        if (_files.TryOpen(Path.Combine(DirectoryOfFiles, name)) is not { } file)
            return;
        var isKept = false;
        try
        {
            if (!CrashRegion.TryRead(file, out var left))
            {
                file.Delete();
                return;
            }

            if (left is null && CrashRegion.IsOtherVersion(file))
                Quarantine(file, ForeignExtension, $"{file.Path} was written by another version of AsyncLog");
            else if (left is null)
                Quarantine(file, DamagedExtension, $"the header of {file.Path} is damaged");
            else if (left.IsEmpty)
                file.Delete();
            else
                _left.Add(left);
            isKept = left is { IsEmpty: false };
        }
        finally
        {
            if (!isKept)
                file.Dispose();
        }
    }

    // Counts what was found, and moves it to the disk where that is possible.
    private void RecoverRegion(CrashRegionContents left, ulong wireId, Spool? spool)
    {
        Count(left, left.WireId != wireId, _timeProvider.GetUtcNow().UtcTicks);
        if (left.Records == 0)
        {
            End(left);
            return;
        }

        if (left.WireId != wireId)
        {
            Try(() => Quarantine(left.File, ForeignExtension, $"{left.File.Path} was written with settings that give records another form"));
            lock (_gate)
                Remove(left);
            return;
        }

        var text = ControlText.Count(left.Records, "record", "records");
        _instance.SelfReport.Write(
            LogLevel.Warning, _instance.Name,
            string.Create(CultureInfo.InvariantCulture, $"{text} of process {left.ProcessId}, killed {Killed(left.LastTicks)}, {(left.Records == 1 ? "is" : "are")} recovered."));
        if (Log.IsEnabled(EventLevel.Warning, Keywords.Lifecycle))
            Log.CrashRecovered(_instance.Name, left.Records, left.ProcessId);
        _instance.Metrics.AddRecovered(left.Records);
        if (spool is not null && TrySpool(left, wireId, spool))
            End(left);
    }

    // Oldest first. What the spool does not take is delivered behind the files that it has now: they are older.
    private bool TrySpool(CrashRegionContents left, ulong wireId, Spool spool)
    {
        if (!ReferenceEquals(left, _left[0]))
            return false;
        spool.Add(left.Blocks.Select(block => Copy(left, block)), wireId, MarkSettled);
        lock (_gate)
        {
            (_spool, _behind) = (spool, spool.Newest);
            return _next == left.Blocks.Count;
        }
    }

    // Under the lock.
    private void MarkSettled(Segment segment)
    {
        segment.TryCountLevels();
        Subtract(segment.Levels);
        segment.Origin!.SettledSequence = segment.Origin.Sequence;
        _next++;
    }

    // Accepts everything that was found, and counts what is not delivered of it: in one step for a snapshot.
    private void Count(CrashRegionContents left, bool isForeign, long now)
    {
        Span<long> uncommitted = stackalloc long[DropCounts.Levels];
        uncommitted.Clear();
        uncommitted[(int)Microsoft.Extensions.Logging.LogLevel.Information] = left.Uncommitted;
        lock (_gate)
        {
            var metrics = _instance.Metrics;
            metrics.Accept(left.Uncommitted + left.Refused.Total + left.Records);
            if (left.Uncommitted > 0)
                metrics.CountLost(DropReason.CrashUncommitted, uncommitted, now, now, now);
            metrics.CountLost(left.Refused, now);
            if (left.Records > 0 && isForeign)
                metrics.CountLost(DropReason.SpoolForeign, left.Levels, now, left.LastTicks, now);
            else if (left.Records > 0)
                AddUnsettled(left, now);
        }
    }

    // Under the lock.
    private void AddUnsettled(CrashRegionContents left, long now)
    {
        _foundTicks = now;
        _usage.Spooled += left.Blocks.Count;
        _usage.AddOnDisk(InstanceQueueState.Recovered);
        for (var level = 0; level < _levels.Length; level++)
            _levels[level] += left.Levels[level];
    }

    // Under the lock: one segment less.
    private void Subtract(long[] levels)
    {
        for (var level = 0; level < _levels.Length; level++)
            _levels[level] -= levels[level];
        _usage.Spooled--;
    }

    private void End(CrashRegionContents left)
    {
        lock (_gate)
            Remove(left);
        Delete(left);
    }

    private void Delete(CrashRegionContents left)
    {
        Try(left.File.Delete);
        left.File.Dispose();
    }

    // Under the lock.
    private void Remove(CrashRegionContents left)
    {
        if (ReferenceEquals(left, _left[0]))
            _next = 0;
        _left.Remove(left);
        if (_left.Count == 0)
            _usage.RemoveOnDisk(InstanceQueueState.Recovered);
    }

    private void Quarantine(ICrashFile file, string extension, string because)
    {
        try
        {
            file.Rename(file.Path + extension);
            _instance.SelfReport.Write(
                LogLevel.Warning, _instance.Name, $"{because}. It is kept as {file.Path}: read it with 'asynclog recover', and delete it.");
        }
        finally
        {
            file.Dispose();
        }
    }

    private Segment Copy(CrashRegionContents left, SegmentMemory block) => left.Copy(block, number => _instance.Categories.Add(left.NameOf(number)));

    private static string Killed(long lastTicks)
        => lastTicks == 0 ? "at an unknown time" : "after " + new DateTime(lastTicks, DateTimeKind.Utc).ToString("yyyy-MM-dd HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    // Trouble with the files stops neither delivery nor callers: it is reported, and records are kept by this process alone.
    private bool Try(Action action)
    {
        try
        {
            action();
            return true;
        }
        catch (LogSinkException exception)
        {
            _instance.Metrics.CountError(exception.ErrorType);
            _instance.Health.Degrade(this, Condition);
            _instance.SelfReport.Report(
                LogLevel.Warning, _instance.Name, Condition, $"{_key}: {exception.Message} ({exception.ErrorType}). Logging goes on without a crash buffer.");
            return false;
        }
    }
}
