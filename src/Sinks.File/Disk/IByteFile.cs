namespace AsyncLog;

/// <summary>An open log file. Everything throws <see cref="LogSinkException"/> with the class of the failure.</summary>
internal interface IByteFile : IDisposable
{
    /// <summary>Whether opening it created it.</summary>
    bool IsCreated { get; }

    /// <summary>What is not as asked for since it was created; null: nothing.</summary>
    string? Limitation => null;

    /// <summary>Writes at the end, wherever that is now.</summary>
    /// <returns>How many of the bytes were written; at least one.</returns>
    int Append(ReadOnlySpan<byte> bytes);

    FileStat Stat();

    /// <summary>Tells it that it stands under another name now. A file that has no use for its name leaves it at that.</summary>
    void Renamed(string path)
    {
    }

    /// <summary>Whether the file ends inside a line. False where that cannot be read.</summary>
    bool EndsInsideLine();

    /// <summary>Forces what was written to the disk. After a failure it says nothing of the past to call it again: the system may have forgotten what it
    /// could not write.</summary>
    void Sync();

    /// <summary>Cuts the file to nothing; only for the truncation that was asked for at start.</summary>
    void Truncate();

    /// <summary>Closes it. Some file systems say only then that something written did not arrive.</summary>
    void Close() => Dispose();
}
