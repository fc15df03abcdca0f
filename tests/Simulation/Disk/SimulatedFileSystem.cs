using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Disk;

/// <summary>The file sink's seam on the simulated disk, for one process.</summary>
internal sealed class SimulatedFileSystem(SimulatedDisk disk, DiskUser user, Choices choices) : IFileSystem
{
    private readonly List<SimulatedFile> _open = [];

    public string? Limitation => null;

    /// <summary>Open handles become stale: the server of a network file system was replaced.</summary>
    public void MakeStale() => _open.ForEach(static file => file.IsStale = true);

    public IAppendFile Open(string path, FileOpening opening, UnixFileMode mode)
    {
        user.Enter(DiskOperation.Open, path);
        var parent = disk.ParentOf(path) ?? throw FileErrorClass.Failure("cannot open", path, FileErrorClass.NotFound);
        var found = disk.Find(path);
        if (found is { IsDirectory: true })
            throw FileErrorClass.Failure("cannot open", path, FileErrorClass.NotAFile);
        if (found is not null && opening == FileOpening.New)
            throw FileErrorClass.Failure("cannot open", path, FileErrorClass.Exists);
        var file = new SimulatedFile(disk, user, choices, found ?? disk.Create(path), path, isCreated: found is null);
        _open.Add(file);
        user.Leave();
        return file;
    }

    public FileStat? Stat(string path)
    {
        user.Enter(DiskOperation.Stat, path);
        return disk.Find(path) is { } found ? SimulatedFile.StatOf(found) : null;
    }

    public FileMove Archive(string active, string archive) => Rename(active, archive);

    public FileMove Publish(string successor, string active) => Rename(successor, active);

    public bool Delete(string path)
    {
        user.Enter(DiskOperation.Delete, path);
        if (disk.Find(path) is null)
            return false;
        disk.Unlink(path, Remover.Process);
        user.Leave();
        return true;
    }

    public NewDirectories CreateDirectory(string path, UnixFileMode mode)
    {
        user.Enter(DiskOperation.CreateDirectory, path);
        var missing = new Stack<string>();
        var existing = path;
        while (disk.Find(existing) is null)
        {
            missing.Push(existing);
            existing = Path.GetDirectoryName(existing)!;
        }

        if (missing.Count == 0)
            return default;
        while (missing.TryPop(out var next))
            disk.Create(next, isDirectory: true);
        user.Leave();
        return new NewDirectories(existing, null);
    }

    public void SyncDirectory(string path)
    {
        user.Enter(DiskOperation.SyncDirectory, path);
        if (disk.Find(path) is not { IsDirectory: true } directory)
            throw FileErrorClass.Failure("cannot sync", path, FileErrorClass.NotFound);
        if (disk.Mutant != Mutant.DirectorySyncWithoutEffect)
            directory.SyncNames();
        user.Leave();
    }

    public DiskSpace? SpaceOf(string directory)
    {
        user.Enter(DiskOperation.Space, directory);
        return new DiskSpace(user.Faults.Free, DiskFaults.TotalSpace);
    }

    public IReadOnlyList<string> List(string directory)
    {
        user.Enter(DiskOperation.List, directory);
        string[] names = disk.Find(directory) is { IsDirectory: true } found ? [.. found.Names.Keys] : [];
        choices.Shuffle<string>(names);
        return names;
    }

    public ReadOnlyMemory<byte>? Read(string path, WriteMark from, int maxBytes)
    {
        user.Enter(DiskOperation.Read, path);
        if (disk.Mutant == Mutant.CrashFileUnread)
            return default(ReadOnlyMemory<byte>);
        if (disk.Find(path) is not { IsDirectory: false } found || found.Number != from.Inode || found.Length < from.Length)
            return null;
        return found.Bytes[(int)from.Length..(int)Math.Min(found.Length, from.Length + maxBytes)].ToArray();
    }

    private FileMove Rename(string from, string to)
    {
        user.Enter(DiskOperation.Rename, $"{from} to {Path.GetFileName(to)}");
        if (disk.Find(from) is not { } source)
            return FileMove.SourceGone;
        if (disk.Find(to) is not null)
            return FileMove.TargetTaken;
        disk.Rename(from, to);
        if (disk.Mutant == Mutant.RenameThatEmpties)
            source.Truncate(0);
        user.Leave();
        return FileMove.Done;
    }
}

/// <summary>An open file of the simulated disk. Goes on after its name is gone.</summary>
internal sealed class SimulatedFile(SimulatedDisk disk, DiskUser user, Choices choices, Inode inode, string path, bool isCreated) : IAppendFile
{
    private string _path = path;
    private bool _isClosed;

    /// <summary>True if no call on it works any more.</summary>
    public bool IsStale { get; set; }

    public bool IsCreated { get; } = isCreated;

    public static FileStat StatOf(Inode inode) => new(
        1, inode.Number, inode.IsDirectory ? FileKind.Directory : FileKind.Regular, inode.IsUnlinked ? 0 : 1, inode.Length, inode.LastWrite);

    public int Append(ReadOnlySpan<byte> bytes)
    {
        Enter(DiskOperation.Append);
        var taken = user.Faults.TakenOf(bytes.Length);
        if (taken == 0)
            throw FileErrorClass.Failure("cannot write", _path, FileErrorClass.NoSpace);
        if (user.IsDying)
            taken = choices.Between(1, taken);
        // Whole records in one write, except where a write took a part: the rest follows in another one, also in another file with the first half again.
        disk.ShortAppends += taken < bytes.Length ? 1 : 0;
        disk.LinesWithoutEnd += taken < bytes.Length && bytes[taken] == (byte)'\n' ? 1 : 0;
        if (taken < bytes.Length || (bytes[^1] != (byte)'\n' && disk.ShortAppends > 0))
            inode.Tears++;
        disk.Append(inode, Mutated(bytes[..taken].ToArray()));
        if (disk.Mutant == Mutant.ShortWriteReportedWhole)
            taken = bytes.Length;
        user.Leave();
        return taken;
    }

    public FileStat Stat()
    {
        Enter(DiskOperation.StatOpen);
        return StatOf(inode);
    }

    public void Renamed(string path) => _path = path;

    public bool EndsInsideLine()
    {
        Enter(DiskOperation.Read);
        return disk.Mutant != Mutant.EndOfLineAlwaysSeen && inode.Length > 0 && inode.Bytes[^1] != (byte)'\n';
    }

    public void Sync()
    {
        try
        {
            Enter(DiskOperation.Sync);
        }
        catch (LogSinkException)
        {
            inode.DropUnsynced();
            disk.FailedSyncs++;
            throw;
        }

        if (disk.Mutant != Mutant.SyncWithoutEffect)
            inode.Sync();
        user.Leave();
    }

    public void Truncate()
    {
        Enter(DiskOperation.Truncate);
        inode.Truncate(0);
        user.Leave();
    }

    public void Close()
    {
        if (_isClosed)
            return;
        _isClosed = true;
        Enter(DiskOperation.Close);
    }

    public void Dispose() => _isClosed = true;

    private void Enter(DiskOperation operation)
    {
        if (_isClosed && operation != DiskOperation.Close)
            throw new ObjectDisposedException(_path);
        user.Enter(operation, _path);
        if (IsStale)
            throw FileErrorClass.Failure($"cannot {operation}", _path, FileErrorClass.Other, "stale file handle");
    }

    // The first line of an append is lost, written twice, or changes places with the second one.
    private byte[] Mutated(byte[] bytes)
    {
        var first = Array.IndexOf(bytes, (byte)'\n') + 1;
        var second = Array.IndexOf(bytes, (byte)'\n', first) + 1;
        return disk.Mutant switch
        {
            Mutant.LineTwice when first > 0 => [.. bytes[..first], .. bytes],
            Mutant.LineLost when first > 0 => bytes[first..],
            Mutant.LinesSwapped when second > 0 => [.. bytes[first..second], .. bytes[..first], .. bytes[second..]],
            Mutant.LineTorn when first > 2 => [.. bytes[..(first / 2)], .. bytes[first..]],
            _ => bytes,
        };
    }
}
