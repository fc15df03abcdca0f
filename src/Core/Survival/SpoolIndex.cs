namespace AsyncLog;

/// <summary>The files of a spool, oldest first, with the counts of what is in them. Protected by the instance's lock: what does not say so takes it itself.</summary>
internal sealed class SpoolIndex(InstanceState instance, InstanceQueueState usage)
{
    // Of the first file: what a worker holds at a shutdown is older than all files, and takes a place before them.
    private const long FirstSequence = 1_000_000_000_000_000;

    private readonly object _gate = instance.Metrics.Gate;
    private readonly List<SpooledFile> _files = [];
    private readonly long[] _levels = new long[DropCounts.Levels];
    private long _bytes;

    // The highest place so far. None is given twice: the file that had it may be there still.
    private long _newest = FirstSequence - 1;

    /// <summary>The file that a worker offers, its records, and the queue of that worker. Under the lock.</summary>
    public (SpooledFile File, Segment Segment, SegmentQueue Queue)? Offered { get; set; }

    /// <summary>True if files wait. Without the lock.</summary>
    public bool HasFiles => Volatile.Read(ref usage.Spooled) > 0;

    /// <summary>The place of the newest file; 0: there is none. Under the lock.</summary>
    public long Newest => _files.Count == 0 ? 0 : _files[^1].Name.Sequence;

    /// <summary>The oldest file; null: there is none.</summary>
    public SpooledFile? First()
    {
        lock (_gate)
            return _files.Count == 0 ? null : _files[0];
    }

    /// <summary>The oldest file; null: there is none, or a worker offers it.</summary>
    public SpooledFile? FirstUnoffered()
    {
        lock (_gate)
            return _files.Count == 0 || IsOffered(_files[0]) ? null : _files[0];
    }

    /// <summary>Returns true if there are files up to a place. Under the lock.</summary>
    public bool HasUpTo(long place) => _files.Count > 0 && _files[0].Name.Sequence <= place;

    /// <summary>Returns true if the files have more bytes than that.</summary>
    /// <param name="oldest">The oldest that is not offered; null: there is none.</param>
    public bool IsBeyond(long bytes, out SpooledFile? oldest)
    {
        lock (_gate)
        {
            oldest = _files.Find(file => !IsOffered(file));
            return _bytes > bytes;
        }
    }

    /// <summary>A place for a file behind all others.</summary>
    public long NextSequence()
    {
        lock (_gate)
            return _newest = Math.Max(_newest, Newest) + 1;
    }

    /// <summary>A place for a file before all others.</summary>
    public long SequenceBeforeFirst() => First()?.Name.Sequence - 1 ?? NextSequence();

    /// <summary>Never gives a place up to this one: the name is taken.</summary>
    public void SkipTo(long sequence)
    {
        lock (_gate)
            _newest = Math.Max(_newest, sequence);
    }

    /// <summary>Adds a file. Under the lock.</summary>
    /// <param name="isCounted">True if <see cref="InstanceQueueState.Spooled"/> has the segment since its move began.</param>
    public void Add(SpooledFile file, bool isOldest = false, bool isCounted = false)
    {
        _files.Insert(isOldest ? 0 : _files.Count, file);
        if (!isCounted)
            usage.Spooled++;
        if (file.Accepted is { } sequence)
            usage.AddOnDisk(sequence);
        for (var level = 0; level < _levels.Length; level++)
            _levels[level] += file.Name.Levels[level];
        _bytes += file.Name.Length;
    }

    /// <summary>Removes a file after its records were counted: a flush that waited for them is answered here. Under the lock.</summary>
    public void Remove(SpooledFile file)
    {
        _files.Remove(file);
        for (var level = 0; level < _levels.Length; level++)
            _levels[level] -= file.Name.Levels[level];
        _bytes -= file.Name.Length;
        usage.Spooled--;
        if (IsOffered(file))
            Offered = null;
        if (file.Accepted is { } sequence)
            usage.RemoveOnDisk(sequence);
    }

    /// <summary>Adds a file that another process left: its records are this instance's from here on.</summary>
    public void Adopt(SpooledFile file)
    {
        lock (_gate)
        {
            instance.Metrics.Accept(file.Name.Records);
            Add(file);
        }
    }

    /// <summary>Counts all records of a file as lost, and removes it.</summary>
    public void Lose(SpooledFile file, DropReason reason, SegmentHeader? header = null)
    {
        lock (_gate)
        {
            CountLost(file.Name.Levels, reason, header);
            Remove(file);
        }
    }

    /// <summary>Counts those records of a file as lost that its name counts and that cannot be read, and accepts those that its name does not count.</summary>
    public void LoseUnreadable(SpooledFile file, long[] readable, SegmentHeader header)
    {
        lock (_gate)
        {
            var damaged = new long[DropCounts.Levels];
            for (var level = 0; level < damaged.Length; level++)
            {
                damaged[level] = Math.Max(0, file.Name.Levels[level] - readable[level]);
                instance.Metrics.Accept(Math.Max(0, readable[level] - file.Name.Levels[level]));
                _levels[level] += readable[level] - file.Name.Levels[level];
            }

            file.Name = file.Name with { Levels = [.. readable] };
            CountLost(damaged, DropReason.SpoolCorrupt, header);
        }
    }

    /// <summary>Adds the records on the disk. Under the lock.</summary>
    public void AddTo(QueueSnapshot snapshot)
        => snapshot.AddSpool(_levels, _bytes, Offered?.File.Name.Records ?? 0, _files.Count > 0 && _files[0].FirstTicks > 0 ? _files[0].FirstTicks : long.MaxValue);

    private bool IsOffered(SpooledFile file) => ReferenceEquals(file, Offered?.File);

    private void CountLost(long[] levels, DropReason reason, SegmentHeader? header)
    {
        if (Array.TrueForAll(levels, static count => count == 0))
            return;
        var now = instance.TimeProvider.GetUtcNow().UtcTicks;
        instance.Metrics.CountLost(reason, levels, header?.FirstTicks ?? now, header?.LastTicks ?? now, now);
    }
}

/// <summary>A file of a spool.</summary>
internal sealed class SpooledFile(SegmentFileName written)
{
    /// <summary>What can be read of it, as far as is known.</summary>
    public SegmentFileName Name { get; set; } = written;

    /// <summary>Its name on the disk.</summary>
    public string OnDisk { get; } = written.ToString();

    /// <summary>Time of the first record, UTC ticks; 0 when it was not read yet.</summary>
    public long FirstTicks { get; set; }

    /// <summary>Time of the last record, UTC ticks; 0 when it was not read yet.</summary>
    public long LastTicks { get; set; }

    /// <summary>The number of the segment; null for records that another process accepted.</summary>
    public long? Accepted { get; set; }

    /// <summary>The time stamp of the first attempt to read it; null: it was not tried, or could be read.</summary>
    public long? FailedSince { get; set; }
}
