namespace AsyncLog;

/// <summary>What the file sink asks of a file system. Everything throws <see cref="LogSinkException"/> with the class of the failure.</summary>
internal interface IByteFiles
{
    /// <summary>What is not as it should be on this platform, for a report at start; null: nothing.</summary>
    string? Limitation { get; }

    /// <summary>Opens a regular file for appending; never through a link, never waiting. A created file has exactly the mode where the file system can
    /// do that.</summary>
    IByteFile Open(string path, FileOpening opening, UnixFileMode mode);

    /// <summary>What is at a path, links not followed; null when nothing is.</summary>
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

    /// <summary>The room where a directory is or will be; null: not known.</summary>
    DiskSpace? SpaceOf(string directory) => Folders.SpaceOf(directory);

    /// <summary>The names in a directory; none when it does not exist.</summary>
    IReadOnlyList<string> List(string directory);
}

/// <summary>What was created to make a directory exist.</summary>
/// <param name="ExistingParent">The directory that existed and has the first of the new names; null: nothing was created.</param>
/// <param name="Limitation">What is not as asked for; null: nothing.</param>
internal readonly record struct NewDirectories(string? ExistingParent, string? Limitation);

/// <summary>The room of a file system.</summary>
/// <param name="Available">Bytes that this user may still write.</param>
/// <param name="Total">Bytes in all.</param>
internal readonly record struct DiskSpace(long Available, long Total);
