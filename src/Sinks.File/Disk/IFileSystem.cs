namespace AsyncLog;

/// <summary>The operations of a file system that the file sink needs; the seam for fault tests. Everything throws <see cref="LogSinkException"/> with the class of the failure.</summary>
internal interface IFileSystem
{
    /// <summary>Limitation of this platform, for a report at start; null: none.</summary>
    string? Limitation { get; }

    /// <summary>Opens a regular file for appending; never through a link, never waiting. A created file has exactly the mode where the file system can
    /// do that.</summary>
    IAppendFile Open(string path, FileOpening opening, UnixFileMode mode);

    /// <summary>Returns the status of a path, links not followed; null when nothing is there.</summary>
    FileStat? Stat(string path);

    /// <summary>Gives a finished file its archive name, replacing nothing.</summary>
    FileMove Archive(string active, string archive);

    /// <summary>Puts a new file under the name of the active one, replacing nothing.</summary>
    FileMove Publish(string successor, string active);

    /// <summary>Deletes a file.</summary>
    /// <returns>False when there was none.</returns>
    bool Delete(string path);

    /// <summary>Creates a directory and those above it; created ones have exactly the mode where the file system can do that.</summary>
    NewDirectories CreateDirectory(string path, UnixFileMode mode);

    /// <summary>Forces the names in a directory to the disk, as far as the platform can.</summary>
    void SyncDirectory(string path);

    /// <summary>The space of the file system where a directory is or will be; null: not known.</summary>
    DiskSpace? SpaceOf(string directory);

    /// <summary>The names in a directory; none when it does not exist.</summary>
    IReadOnlyList<string> List(string directory);

    /// <summary>Reads from a place in a file on.</summary>
    /// <param name="path">The path; never through a link, never waiting.</param>
    /// <param name="maxBytes">The most bytes that are read.</param>
    /// <returns>The bytes; null when the path is another file, or none, or the file ends before: it was emptied, or its inode is another file's now.</returns>
    ReadOnlyMemory<byte>? Read(string path, WriteMark from, int maxBytes);
}

/// <summary>Directories created to make a directory exist.</summary>
/// <param name="ExistingParent">The directory that existed and has the first of the new names; null: nothing was created.</param>
/// <param name="Limitation">Difference from the request; null: none.</param>
internal readonly record struct NewDirectories(string? ExistingParent, string? Limitation);

/// <summary>The space of a file system.</summary>
/// <param name="Available">Bytes that this user may still write.</param>
/// <param name="Total">Bytes in all.</param>
internal readonly record struct DiskSpace(long Available, long Total);

/// <summary>An open log file. Everything throws <see cref="LogSinkException"/> with the class of the failure.</summary>
internal interface IAppendFile : IDisposable
{
    /// <summary>True if opening it created it.</summary>
    bool IsCreated { get; }

    /// <summary>Difference between the created file and the request; null: none.</summary>
    string? Limitation => null;

    /// <summary>Writes at the end, wherever that is now.</summary>
    /// <returns>Number of bytes written; at least one.</returns>
    int Append(ReadOnlySpan<byte> bytes);

    FileStat Stat();

    /// <summary>Sets its path after a rename, for messages and reading.</summary>
    void Renamed(string path)
    {
    }

    /// <summary>Returns true if the file ends inside a line. False where that cannot be read.</summary>
    bool EndsInsideLine();

    /// <summary>Forces written data to the disk. Not repeated after a failure: the kernel may have dropped the pages it
    /// could not write, and report success.</summary>
    void Sync();

    /// <summary>Truncates the file to length 0; only at start.</summary>
    void Truncate();

    /// <summary>Closes it. Some file systems report only then that written bytes did not arrive.</summary>
    void Close() => Dispose();
}

/// <summary>The kind of a path or an open file.</summary>
internal enum FileKind
{
    Other,
    Regular,
    Directory,
    Link,
}

/// <summary>The identity, kind and size of a path or an open file.</summary>
/// <param name="Kind">Its kind; links are not followed.</param>
/// <param name="Links">Number of its names; 0: it was deleted.</param>
/// <param name="Size">Bytes.</param>
/// <param name="LastWrite">UTC.</param>
internal readonly record struct FileStat(ulong Device, ulong Inode, FileKind Kind, long Links, long Size, DateTimeOffset LastWrite)
{
    // Device 0: not known. Wine does not tell the volume of an open file that was renamed.
    public bool IsSameFile(in FileStat other) => Inode == other.Inode && (Device == other.Device || Device == 0 || other.Device == 0);
}

/// <summary>The result of an attempt to rename without replacing.</summary>
internal enum FileMove
{
    Done,
    SourceGone,
    TargetTaken,
}

internal enum FileOpening
{
    /// <summary>It must not exist.</summary>
    New,

    /// <summary>It is created if it does not exist.</summary>
    NewOrExisting,
}
