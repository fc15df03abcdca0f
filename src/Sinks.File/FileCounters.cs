namespace AsyncLog;

/// <summary>What happened to the files of one instance, as metrics and events. Written by the worker, deletions by the background; read by anybody.</summary>
internal sealed class FileCounters
{
    private const string Bytes = "By";
    private const string Files = "{file}";
    private const string ReasonTag = "asynclog.file.reason";
    private readonly SinkEvents _events;
    private readonly SinkInstrument _size;
    private readonly SinkInstrument _retainedSize;
    private readonly SinkInstrument _retainedCount;
    private readonly SinkInstrument _rolled;
    private readonly SinkInstrument _reopened;
    private readonly SinkInstrument _deleted;
    private readonly SinkInstrument _available;
    private long _activeBytes;
    private long _finishedBytes;

    public FileCounters(IFileVoice voice)
    {
        _events = voice.Events;
        _size = voice.CreateInstrument("asynclog.file.size", SinkInstrumentKind.UpDownCounter, Bytes, "Size of the active file.");
        _retainedSize = voice.CreateInstrument(
            "asynclog.file.retained.size", SinkInstrumentKind.UpDownCounter, Bytes, "Size of all files of the set, the active one included; the finished ones as of the last look.");
        _retainedCount = voice.CreateInstrument(
            "asynclog.file.retained.count", SinkInstrumentKind.UpDownCounter, Files, "Files of the set, the active one included, as of the last look.");
        _rolled = voice.CreateInstrument("asynclog.file.rolled", SinkInstrumentKind.Counter, Files, "Files finished.");
        _reopened = voice.CreateInstrument("asynclog.file.reopened", SinkInstrumentKind.Counter, Files, "Files opened anew.");
        _deleted = voice.CreateInstrument("asynclog.file.deleted", SinkInstrumentKind.Counter, Files, "Old files deleted.");
        _available = voice.CreateInstrument("asynclog.file.filesystem.available", SinkInstrumentKind.Gauge, Bytes, "Free space when it was last looked at.");
        ShowAll(_rolled, Enum.GetValues<RollReason>(), WordOf);
        ShowAll(_reopened, Enum.GetValues<ReopenReason>(), WordOf);
        ShowAll(_deleted, Enum.GetValues<DeletionReason>(), WordOf);
    }

    public void Opened(string path, long length) => _events.FileOpened(path, length);

    public void Rolled(RollReason reason, string from, string to)
    {
        _rolled.Add(1, Tag(WordOf(reason)));
        _events.FileRolled(from, to, WordOf(reason));
    }

    public void Reopened(ReopenReason reason)
    {
        _reopened.Add(1, Tag(WordOf(reason)));
        _events.FileReopened(WordOf(reason));
    }

    public void Deleted(DeletionReason reason, string path)
    {
        _deleted.Add(1, Tag(WordOf(reason)));
        _events.FileDeleted(path, WordOf(reason));
    }

    /// <summary>The active file has another size.</summary>
    public void SizeIs(long bytes)
    {
        Volatile.Write(ref _activeBytes, bytes);
        _size.Set(bytes);
        _retainedSize.Set(bytes + Volatile.Read(ref _finishedBytes));
    }

    /// <summary>The set was looked through.</summary>
    /// <param name="files">Finished files that are kept.</param>
    /// <param name="bytes">Their size.</param>
    public void FinishedAre(int files, long bytes)
    {
        Volatile.Write(ref _finishedBytes, bytes);
        _retainedCount.Set(files + 1);
        _retainedSize.Set(bytes + Volatile.Read(ref _activeBytes));
    }

    public void AvailableIs(long bytes) => _available.Set(bytes);

    /// <summary>Writing failed and is thrown.</summary>
    /// <returns>False: the exception goes on.</returns>
    public bool Thrown(ActiveFile active, LogSinkException exception) => Thrown("write", active.Path, exception);

    /// <summary>Opening or writing failed and is thrown.</summary>
    /// <returns>False: the exception goes on.</returns>
    public bool Thrown(string operation, string path, LogSinkException exception)
    {
        _events.FileError(operation, path, exception.ErrorType, exception.Message);
        return false;
    }

    private static KeyValuePair<string, string> Tag(string reason) => new(ReasonTag, reason);

    // From the beginning, so that the first one is seen as a rise.
    private static void ShowAll<TReason>(SinkInstrument instrument, TReason[] reasons, Func<TReason, string> wordOf)
    {
        foreach (TReason reason in reasons)
            instrument.Add(0, Tag(wordOf(reason)));
    }

    private static string WordOf(RollReason reason) => reason switch
    {
        RollReason.Interval => "interval",
        RollReason.Size => "size",
        RollReason.Startup => "startup",
        RollReason.Configuration => "configuration",
        RollReason.Request => "request",
        _ => "suspect",
    };

    private static string WordOf(ReopenReason reason) => reason switch
    {
        ReopenReason.Moved => "moved",
        ReopenReason.Deleted => "deleted",
        ReopenReason.Error => "error",
        _ => "signal",
    };

    private static string WordOf(DeletionReason reason) => reason switch
    {
        DeletionReason.Count => "count",
        DeletionReason.Age => "age",
        _ => "total_size",
    };
}
