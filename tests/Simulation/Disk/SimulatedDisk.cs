using System.Globalization;
using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Disk;

/// <summary>The file system of a run: directories and files with what programs see and what a power loss leaves. The seams of the product lie on it.</summary>
/// <remarks>Works on names and bytes only: faults, deaths and the cost of an operation come before it, from <see cref="DiskUser"/>.</remarks>
internal sealed class SimulatedDisk
{
    public const int SectorBytes = 512;
    public const string Root = "/simulated";
    private readonly Choices _choices;
    private readonly TimeProvider _time;
    private readonly Inode _root;
    private ulong _inodes;
    private long _runs;
    private Inode? _lastWritten;

    public SimulatedDisk(Choices choices, TimeProvider time)
    {
        _choices = choices;
        _time = time;
        _root = new Inode(++_inodes, isDirectory: true, time.GetUtcNow());
    }

    /// <summary>Every file that ever was, in the order of creation.</summary>
    public List<Inode> Files { get; } = [];

    /// <summary>Syncs of files that failed.</summary>
    public int FailedSyncs { get; set; }

    /// <summary>Appends that took a part.</summary>
    public int ShortAppends { get; set; }

    /// <summary>Appends that took a record except its line end: whatever ends the line makes it whole, and the record may follow in another file.</summary>
    public int LinesWithoutEnd { get; set; }

    /// <summary>What the seams do wrong on purpose.</summary>
    public Mutant Mutant { get; init; }

    /// <summary>The file or directory at a path; null: none. Links do not exist here.</summary>
    public Inode? Find(string path)
    {
        if (path == Root)
            return _root;
        return ParentOf(path) is { } parent && parent.Names.TryGetValue(Path.GetFileName(path), out var found) ? found : null;
    }

    /// <summary>The directory of a path; null: it does not exist.</summary>
    public Inode? ParentOf(string path)
    {
        var parent = Path.GetDirectoryName(path);
        return parent is not null && parent.StartsWith(Root, StringComparison.Ordinal) && Find(parent) is { IsDirectory: true } found ? found : null;
    }

    /// <summary>Creates an empty file or directory under a free name.</summary>
    public Inode Create(string path, bool isDirectory = false)
    {
        var inode = new Inode(++_inodes, isDirectory, _time.GetUtcNow());
        if (!isDirectory)
            Files.Add(inode);
        Change(ParentOf(path)!, removed: null, Path.GetFileName(path), inode);
        return inode;
    }

    /// <summary>Appends to a file.</summary>
    public void Append(Inode file, ReadOnlySpan<byte> bytes)
    {
        if (_lastWritten != file)
            file.Runs.Add((file.Length, ++_runs));
        _lastWritten = file;
        file.Append(bytes);
        file.LastWrite = _time.GetUtcNow();
    }

    /// <summary>Renames within one directory; a file that has the new name loses it.</summary>
    public void Rename(string from, string to)
    {
        var inode = Find(from)!;
        if (Find(to) is { } replaced)
            (replaced.IsUnlinked, replaced.RemovedBy) = (true, Remover.Nobody);
        Change(ParentOf(from)!, Path.GetFileName(from), Path.GetFileName(to), inode);
    }

    /// <summary>Renames, also into another directory; the new name is free.</summary>
    public void Move(string from, string to)
    {
        var inode = Find(from)!;
        if (ParentOf(from) == ParentOf(to))
        {
            Rename(from, to);
            return;
        }

        Change(ParentOf(to)!, removed: null, Path.GetFileName(to), inode);
        Change(ParentOf(from)!, Path.GetFileName(from), added: null, inode);
    }

    public void Unlink(string path, Remover remover)
    {
        var inode = Find(path)!;
        (inode.IsUnlinked, inode.RemovedBy) = (true, remover);
        Change(ParentOf(path)!, Path.GetFileName(path), added: null, inode);
    }

    /// <summary>Copies a file to a new name and empties it, as logrotate's copytruncate does, without a write in between.</summary>
    public void CopyAndTruncate(string path, string copy)
    {
        var source = Find(path)!;
        var target = Create(copy);
        source.CopyTo(target);
        source.Tears = 0;
        source.Truncate(0);
        _lastWritten = null;
    }

    /// <summary>Removes a directory with everything in it.</summary>
    public void RemoveTree(string path, Remover remover)
    {
        foreach (var (name, inode) in Find(path)!.Names.ToArray())
        {
            if (inode.IsDirectory)
                RemoveTree($"{path}/{name}", remover);
            else
                Unlink($"{path}/{name}", remover);
        }

        Unlink(path, remover);
    }

    /// <summary>The power goes and comes back: what programs see is what was on the disk.</summary>
    public void LosePower()
    {
        var seen = new HashSet<Inode>();
        LosePower(_root, seen);
        _lastWritten = null;
        foreach (var file in Files)
        {
            if (seen.Contains(file))
            {
                (file.IsUnlinked, file.RemovedBy) = (false, Remover.Nobody);
            }
            else if (!file.IsUnlinked)
            {
                (file.IsUnlinked, file.RemovedBy) = (true, Remover.PowerLoss);
            }
        }
    }

    /// <summary>Every file in the order of creation, for a trace.</summary>
    public override string ToString()
    {
        var names = Find(Root + "/logs")?.Names.ToLookup(static name => name.Value, static name => name.Key);
        return string.Join("\n    ", Files.Select(file => string.Create(
            CultureInfo.InvariantCulture, $"file {file.Number} {names?[file].FirstOrDefault()} {file.Length} bytes, {file.Durable}, {file.RemovedBy}")));
    }

    private void LosePower(Inode directory, HashSet<Inode> seen)
    {
        directory.LoseNames(_choices);
        foreach (var (name, inode) in directory.Names)
        {
            if (!seen.Add(inode))
                continue;
            if (inode.IsDirectory)
                LosePower(inode, seen);
            else
                inode.LosePower(_choices);
            inode.IsLeftInTheMaking |= inode.Length > 0 && name.EndsWith(".tmp", StringComparison.Ordinal);
        }
    }

    private static void Change(Inode directory, string? removed, string? added, Inode inode)
    {
        var change = new NameChange(removed, added, inode);
        change.ApplyTo(directory.Names);
        directory.Unsynced.Add(change);
    }
}
