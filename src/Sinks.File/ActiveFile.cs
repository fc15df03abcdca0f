namespace AsyncLog;

/// <summary>The file that is written now, and what is known of its end. Worker only.</summary>
internal sealed class ActiveFile : IDisposable
{
    private const int TornByOthers = -1;
    private readonly IByteFile _file;
    private ReadOnlyMemory<byte> _header;
    private ReadOnlyMemory<byte> _newLine;

    // Bytes at the end that belong to an unfinished record of ours; 0: the file ends at a line end.
    private int _unfinished;
    private int _replayed;
    private bool _isLost;

    public ActiveFile(IByteFile file, long size, string path, long number, FilePeriod period, FileSinkSettings settings)
    {
        _file = file;
        Path = path;
        Number = number;
        Period = period;
        _newLine = settings.NewLine;
        Size = size;
        if (file.IsCreated)
            _header = settings.Header;
        else if (Size > 0 && file.EndsInsideLine())
            _unfinished = TornByOthers;
    }

    public string Path { get; }

    /// <summary>The number in the name of a dated file; 0: none.</summary>
    public long Number { get; }

    /// <summary>The time it belongs to.</summary>
    public FilePeriod Period { get; set; }

    /// <summary>Bytes in the file.</summary>
    public long Size { get; private set; }

    /// <summary>Bytes that stand before the next record: a header not written yet.</summary>
    public int Ahead => _header.Length;

    /// <summary>Whether something was written since the last sync that worked.</summary>
    public bool IsUnsynced { get; private set; }

    /// <summary>Whether a sync failed; another one would say nothing.</summary>
    public bool IsSuspect { get; private set; }

    /// <summary>How much of the first record left was written already.</summary>
    public static int BegunOf(LogBatch batch) =>
        batch.Count > 0 && batch[0].Bytes.Span.Overlaps(batch.Bytes.Span, out int begun) ? begun : 0;

    /// <summary>Writes whole records (the first may be begun) with one write, if the system takes it whole; progress is in the batch.</summary>
    public void Append(LogBatch batch, int bytes)
    {
        WriteWhatComesBefore(batch);
        while (bytes > 0)
        {
            int written = Write(batch.Bytes.Span[..bytes]);
            batch.Advance(written);
            bytes -= written;
            _unfinished = bytes == 0 ? 0 : BegunOf(batch);
        }
    }

    /// <summary>Writes whole records of another file again.</summary>
    public void WriteAgain(ReadOnlySpan<byte> records)
    {
        while (!_header.IsEmpty)
            _header = _header[Write(_header.Span)..];
        if (_unfinished != 0)
            EndLine();
        while (!records.IsEmpty)
        {
            records = records[Write(records)..];
            _unfinished = records.IsEmpty ? 0 : TornByOthers;
        }
    }

    /// <summary>Forces what was written to the disk.</summary>
    public void Sync()
    {
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

    /// <summary>Where the file stands compared with its path.</summary>
    public PathState Look(IByteFiles files)
    {
        if (TryStat() is not { } own)
            return PathState.Lost;
        Refresh(own.Size);
        FileStat? there;
        try
        {
            there = files.Stat(Path);
        }
        catch (LogSinkException)
        {
            // The directory may not be looked into now; the open file goes on: test Fault_F08_Writing_goes_on_when_the_directory_is_closed.
            return PathState.Same;
        }

        return there is { } found && found.IsSameFile(own) ? PathState.Same
            : own.Links == 0 ? PathState.Deleted
            : PathState.Moved;
    }

    /// <summary>Takes over what others did to the size.</summary>
    /// <returns>False when the open file is gone with its file system.</returns>
    public bool TryRefresh()
    {
        if (TryStat() is not { } own)
            return false;
        Refresh(own.Size);
        return true;
    }

    /// <summary>New line ends apply from the next line on.</summary>
    public void Use(FileSinkSettings settings) => _newLine = settings.NewLine;

    /// <summary>Closes it; throws what the system says of writes that did not arrive.</summary>
    public void Close()
    {
        // Of a stale handle closing says only that it is stale.
        if (_isLost)
            _file.Dispose();
        else
            _file.Close();
    }

    public void Dispose() => _file.Dispose();

    private FileStat? TryStat()
    {
        try
        {
            return _file.Stat();
        }
        catch (LogSinkException)
        {
            // ESTALE or ENOTCONN: no call on it will work again. What is at the path is opened, which is counted: test Fault_F32_A_stale_handle_is_given_up.
            _isLost = true;
            return null;
        }
    }

    private void Refresh(long size)
    {
        if (size < Size)
        {
            // Somebody cut it, and with it perhaps our half record.
            _replayed = 0;
            _unfinished = size > 0 && _file.EndsInsideLine() ? TornByOthers : 0;
        }

        Size = size;
    }

    // Each step keeps the state true, so that a failure in the middle goes on from the exact byte.
    private void WriteWhatComesBefore(LogBatch batch)
    {
        while (!_header.IsEmpty)
            _header = _header[Write(_header.Span)..];

        int begun = BegunOf(batch);
        bool isReplaying = begun > 0 && _unfinished > 0 && _replayed == begun;
        if (_unfinished != 0 && _unfinished != begun && !isReplaying)
            EndLine();

        // The beginning of the record is in a file that is gone: the record is written whole where its rest goes.
        while (_unfinished < begun)
        {
            _replayed = begun;
            _unfinished += Write(batch[0].Bytes.Span[_unfinished..begun]);
        }

        _replayed = 0;
    }

    // Half a line that nobody will finish stays alone.
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
        Size += written;
        return written;
    }
}
