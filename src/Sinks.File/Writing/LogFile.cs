using System.Diagnostics;

namespace AsyncLog;

/// <summary>State of the path of an open file.</summary>
internal enum PathState
{
    /// <summary>The open file, or it is not known.</summary>
    Same,

    /// <summary>Another file or none; the open file has another name now.</summary>
    Moved,

    /// <summary>Another file or none; the open file has no name any more.</summary>
    Deleted,

    /// <summary>Not known: the handle is stale, the open file is gone with its file system.</summary>
    Lost,
}

/// <summary>An open log file: its size, its end, and whether its path still names it. Worker only.</summary>
internal sealed class LogFile : IDisposable
{
    private const int TornByOthers = -1;
    private readonly IAppendFile _file;
    private ReadOnlyMemory<byte> _header;
    private ReadOnlyMemory<byte> _newLine;

    // Bytes at the end that belong to a record this process has not finished; TornByOthers: of another process or run; 0: the file ends at a line end.
    private int _unfinished;
    private int _replayed;
    private bool _isStale;

    /// <param name="file">The open file, which this object owns.</param>
    /// <param name="number">The number in the name of a dated file; 0: none.</param>
    public LogFile(IAppendFile file, long size, string path, long number, FilePeriod period, LogFileSettings settings)
    {
        _file = file;
        Path = path;
        Number = number;
        Period = period;
        Size = size;
        _newLine = settings.NewLine;
        if (file.IsCreated)
            _header = settings.Header;
        else if (Size > 0 && file.EndsInsideLine())
            _unfinished = TornByOthers;
    }

    public string Path { get; private set; }

    /// <summary>The number in the name of a dated file; 0: none.</summary>
    public long Number { get; private set; }

    public FilePeriod Period { get; set; }

    /// <summary>Bytes in the file.</summary>
    public long Size { get; private set; }

    /// <summary>Bytes of the header that are not written yet; they precede the next record.</summary>
    public int PendingHeaderBytes => _header.Length;

    /// <summary>True if bytes were written since the last successful sync.</summary>
    public bool IsUnsynced { get; private set; }

    /// <summary>True if a sync failed. Another one would not report the same bytes again.</summary>
    public bool IsSuspect { get; private set; }

    /// <summary>Writes whole records (the first may be written in part) with one write, if the system takes it whole; advances the batch.</summary>
    public void Append(LogBatch batch, int bytes)
    {
        WritePending(batch);
        while (bytes > 0)
        {
            if (batch.Survives)
                Mark(batch);
            int written = Write(batch.Bytes.Span[..bytes]);
            batch.Advance(written);
            bytes -= written;
            _unfinished = batch.FirstRecordBytesWritten;
        }

        Debug.Assert(batch.FirstRecordBytesWritten == 0, "Only whole records are written.");
    }

    public bool Is(WriteMark mark) => _file.Stat() is var stat && stat.Device == mark.Device && stat.Inode == mark.Inode;

    /// <summary>Adopts the name and the period that an empty file got.</summary>
    public void Redated(string path, FilePeriod period)
    {
        Debug.Assert(Size == 0, "A file with records keeps its period.");
        _file.Renamed(path);
        (Path, Number, Period) = (path, 0, period);
    }

    /// <summary>Takes over the half record at its end: another process wrote it and was killed, and this one writes the rest.</summary>
    /// <param name="bytes">Bytes of the record that are there.</param>
    public void ContinueRecord(int bytes) => _unfinished = bytes;

    /// <summary>Forces written data to the disk.</summary>
    public void Sync()
    {
        Debug.Assert(!IsSuspect, "A failed sync is never repeated on the same file.");
        try
        {
            _file.Sync();
            IsUnsynced = false;
        }
        catch (LogSinkException)
        {
            IsSuspect = true;
            throw;
        }
    }

    /// <summary>Compares the open file with its path, and adopts a size changed by other processes.</summary>
    public PathState CheckIdentity(IFileSystem files)
    {
        if (TryStat() is not { } handleStat)
            return PathState.Lost;
        FileStat? pathStat;
        try
        {
            pathStat = files.Stat(Path);
        }
        catch (LogSinkException)
        {
            // The directory may not be searched now; the file stays open: test Writing_continues_without_permission_for_the_directory.
            return PathState.Same;
        }

        return pathStat?.IsSameFile(handleStat) == true ? PathState.Same
            : handleStat.Links == 0 ? PathState.Deleted
            : PathState.Moved;
    }

    /// <summary>Adopts a size changed by other processes.</summary>
    /// <returns>False when the handle is stale.</returns>
    public bool TryRefresh() => TryStat() is not null;

    /// <summary>Ends lines from now on in the style of the set.</summary>
    public void ApplyOptions(LogFileSettings settings) => _newLine = settings.NewLine;

    /// <summary>Closes the file; throws if the system reports writes that did not arrive.</summary>
    public void Close()
    {
        // Closing a stale handle only fails again.
        if (_isStale)
            _file.Dispose();
        else
            _file.Close();
    }

    public void Dispose() => _file.Dispose();

    private FileStat? TryStat()
    {
        FileStat handleStat;
        try
        {
            handleStat = _file.Stat();
        }
        catch (LogSinkException)
        {
            // ESTALE or ENOTCONN: no call on the handle will work again. The path is opened again, which is counted: test A_stale_handle_is_closed_and_the_path_is_opened_again.
            _isStale = true;
            return null;
        }

        if (handleStat.Size < Size)
        {
            // Another program truncated the file, and with it perhaps the half record of this process.
            _replayed = 0;
            _unfinished = handleStat.Size > 0 && _file.EndsInsideLine() ? TornByOthers : 0;
        }

        Size = handleStat.Size;
        return handleStat;
    }

    // For the process that comes after a kill in the write. Its length as it is now: other processes append to it too.
    private void Mark(LogBatch batch)
    {
        FileStat now = _file.Stat();
        batch.MarkWrite(new WriteMark(now.Device, now.Inode, now.Size));
    }

    // Each step keeps the state true, so that after a failure in the middle the next call continues at the exact byte.
    private void WritePending(LogBatch batch)
    {
        WriteHeader();
        int prefix = batch.FirstRecordBytesWritten;
        bool isReplaying = prefix > 0 && _unfinished > 0 && _replayed == prefix;
        if (_unfinished != 0 && _unfinished != prefix && !isReplaying)
            EndLine();

        // The first half of the record is in a file that is gone: the whole record is written where its rest will be.
        while (_unfinished < prefix)
        {
            _replayed = prefix;
            _unfinished += Write(batch[0].Bytes.Span[_unfinished..prefix]);
        }

        _replayed = 0;
    }

    private void WriteHeader()
    {
        while (!_header.IsEmpty)
            _header = _header[Write(_header.Span)..];
    }

    // An unfinished half line stays on a line of its own.
    private void EndLine()
    {
        for (int done = 0; done < _newLine.Length;)
            done += Write(_newLine.Span[done..]);
        _unfinished = 0;
    }

    private int Write(ReadOnlySpan<byte> bytes)
    {
        IsUnsynced = true;
        int written = _file.Append(bytes);
        Debug.Assert(written > 0 && written <= bytes.Length, "A write takes at least one byte.");
        Size += written;
        return written;
    }
}
