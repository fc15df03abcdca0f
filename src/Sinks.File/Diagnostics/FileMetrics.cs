namespace AsyncLog;

/// <summary>Reason why a file was finished; in lower case as a tag.</summary>
internal enum RollReason
{
    Interval,
    Size,
    Startup,
    Configuration,
    Request,

    /// <summary>A sync failed: the content of the file may be lost.</summary>
    Suspect,
}

/// <summary>Reason why a file was opened again; in lower case as a tag.</summary>
internal enum ReopenReason
{
    Moved,
    Deleted,
    Error,

    /// <summary>Requested, by signal or by call.</summary>
    Signal,
}

/// <summary>Limit that a deleted file exceeded; in snake case as a tag.</summary>
internal enum DeletionReason
{
    Count,
    Age,
    TotalSize,
}

/// <summary>Metrics and events of the files of one instance. The worker and the background threads write, any thread reads.</summary>
internal sealed class FileMetrics
{
    private const string Bytes = "By";
    private const string Files = "{file}";
    private readonly SinkContext _context;
    private readonly SinkInstrument _size;
    private readonly SinkInstrument _retainedSize;
    private readonly SinkInstrument _retainedCount;
    private readonly SinkInstrument _rolled;
    private readonly SinkInstrument _reopened;
    private readonly SinkInstrument _deleted;
    private readonly SinkInstrument _available;
    private readonly SinkInstrument _minimum;
    private long _activeBytes;
    private long _finishedBytes;

    public FileMetrics(SinkContext context)
    {
        _context = context;
        _size = context.CreateInstrument("asynclog.file.size", SinkInstrumentKind.UpDownCounter, Bytes, "Size of the active file.");
        _retainedSize = context.CreateInstrument(
            "asynclog.file.retained.size", SinkInstrumentKind.UpDownCounter, Bytes, "Total size of the files, including the active one; of the finished ones at the last listing.");
        _retainedCount = context.CreateInstrument(
            "asynclog.file.retained.count", SinkInstrumentKind.UpDownCounter, Files, "Number of files, including the active one, at the last listing.");
        _rolled = context.CreateInstrument("asynclog.file.rolled", SinkInstrumentKind.Counter, Files, "Files finished.");
        _reopened = context.CreateInstrument("asynclog.file.reopened", SinkInstrumentKind.Counter, Files, "Files opened again.");
        _deleted = context.CreateInstrument("asynclog.file.deleted", SinkInstrumentKind.Counter, Files, "Old files deleted.");
        _available = context.CreateInstrument("asynclog.file.filesystem.available", SinkInstrumentKind.Gauge, Bytes, "Free space when it was last read.");
        _minimum = context.CreateInstrument(
            "asynclog.file.filesystem.minimum", SinkInstrumentKind.Gauge, Bytes, "Free space below which records under Warning are dropped.");

        // Zero from the beginning, so that the first one is seen as a rise.
        foreach (RollReason reason in Enum.GetValues<RollReason>())
            Add(_rolled, reason, 0);
        foreach (ReopenReason reason in Enum.GetValues<ReopenReason>())
            Add(_reopened, reason, 0);
        foreach (DeletionReason reason in Enum.GetValues<DeletionReason>())
            Add(_deleted, reason, 0);
    }

    public void Opened(string path, long length)
    {
        _context.Events.FileOpened(path, length);
        SizeIs(length);
    }

    public void Rolled(RollReason reason, string from, string to) => _context.Events.FileRolled(from, to, Add(_rolled, reason, 1));

    public void Reopened(ReopenReason reason) => _context.Events.FileReopened(Add(_reopened, reason, 1));

    public void Deleted(DeletionReason reason, string path) => _context.Events.FileDeleted(path, Add(_deleted, reason, 1));

    /// <summary>Sets the size of the active file.</summary>
    public void SizeIs(long bytes)
    {
        Volatile.Write(ref _activeBytes, bytes);
        _size.Set(bytes);
        _retainedSize.Set(bytes + Volatile.Read(ref _finishedBytes));
    }

    /// <summary>Sets the number and the size of the finished files that are kept.</summary>
    public void FinishedAre(int files, long bytes)
    {
        Volatile.Write(ref _finishedBytes, bytes);
        _retainedCount.Set(files + 1);
        _retainedSize.Set(bytes + Volatile.Read(ref _activeBytes));
    }

    /// <summary>Sets the free space of the file system, and the least that is wanted.</summary>
    public void AvailableIs(long bytes, long minimum)
    {
        _available.Set(bytes);
        _minimum.Set(minimum);
    }

    /// <summary>Counts a failure that the sink recovers from.</summary>
    public void Failed(string operation, string path, LogSinkException exception)
    {
        _context.CountError(exception.ErrorType);
        Thrown(operation, path, exception);
    }

    /// <summary>Writes the event of a failure that is thrown: the worker counts it.</summary>
    public void Thrown(string operation, string path, LogSinkException exception) =>
        _context.Events.FileError(operation, path, exception.ErrorType, exception.Message);

    private static string Add<TReason>(SinkInstrument instrument, TReason reason, long count)
        where TReason : struct, Enum
    {
        string tag = reason is DeletionReason.TotalSize ? "total_size" : reason.ToString().ToLowerInvariant();
        instrument.Add(count, new KeyValuePair<string, string>("asynclog.file.reason", tag));
        return tag;
    }
}
