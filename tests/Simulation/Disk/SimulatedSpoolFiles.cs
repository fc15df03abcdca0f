using AsyncLog.Tests.Checks;
using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Disk;

/// <summary>The spool's seam on the simulated disk, for one process.</summary>
internal sealed class SimulatedSpoolFiles(SimulatedDisk disk, DiskUser user, Choices choices, SpoolWatch watch) : ISpoolFiles
{
    public void CreateDirectory(string path)
    {
        user.Enter(DiskOperation.CreateDirectory, path);
        if (disk.Find(path) is not null)
            return;
        if (disk.ParentOf(path) is null)
            disk.Create(Path.GetDirectoryName(path)!, isDirectory: true);
        disk.Create(path, isDirectory: true);
        user.Leave();
    }

    public IDisposable? TryLock(string path)
    {
        user.Enter(DiskOperation.Open, path);
        if (disk.ParentOf(path) is null)
            throw FileErrorClass.Failure("cannot lock", path, FileErrorClass.NotFound);
        if (disk.Find(path) is null)
            disk.Create(path);
        var held = watch.Lock(path, user);
        user.Leave();
        return held;
    }

    public IReadOnlyList<string> List(string directory)
    {
        user.Enter(DiskOperation.List, directory);
        if (disk.Mutant == Mutant.SpoolFilesSwapped)
            SwapFiles(directory);
        string[] names = disk.Find(directory) is { IsDirectory: true } found ? [.. found.Names.Keys] : [];
        choices.Shuffle<string>(names);
        return names;
    }

    public void Write(string path, SegmentImage image, bool toDisk)
    {
        user.Enter(DiskOperation.Open, path);
        watch.CheckNeed(path);
        if (disk.Find(path) is not null)
            throw FileErrorClass.Failure("cannot create", path, FileErrorClass.Exists);
        var file = disk.Create(path);
        watch.Created(file);
        byte[] content = [.. image.Head, .. image.Bytes.Span];
        if (disk.Mutant == Mutant.SpoolWriteLosesLast)
            content = content[..^(image.Bytes.Span[..^1].LastIndexOf((byte)'\n') is var end and >= 0 ? image.Bytes.Length - 1 - end : image.Bytes.Length)];
        user.Enter(DiskOperation.Append, path);
        var taken = user.Faults.TakenOf(content.Length);
        if (user.IsDying)
            taken = choices.Between(0, taken);
        disk.Append(file, content.AsSpan(0, taken));
        user.Leave();
        if (taken < content.Length)
            throw FileErrorClass.Failure("cannot write", path, FileErrorClass.NoSpace);
        if (!toDisk)
            return;
        try
        {
            user.Enter(DiskOperation.Sync, path);
        }
        catch (LogSinkException)
        {
            file.DropUnsynced();
            throw;
        }

        if (disk.Mutant != Mutant.SpoolSyncForgotten)
            file.Sync();
        user.Leave();
    }

    public byte[]? Read(string path)
    {
        try
        {
            user.Enter(DiskOperation.OpenToRead, path);
        }
        catch (LogSinkException)
        {
            watch.Failed(path);
            throw;
        }

        watch.Settled(path);
        if (disk.Find(path) is not { } file)
            return null;
        var content = file.Bytes.ToArray();
        if (disk.Mutant == Mutant.SpoolUnlinkBeforeSettle && path.EndsWith(".seg", StringComparison.Ordinal))
            disk.Unlink(path, Remover.Process);
        return disk.Mutant == Mutant.SpoolChecksumIgnored ? WithOtherByte(content) : content;
    }

    public void Rename(string from, string to)
    {
        user.Enter(DiskOperation.Rename, $"{from} to {Path.GetFileName(to)}");
        watch.Settled(from);
        if (disk.Find(from) is null)
            throw FileErrorClass.Failure("cannot rename", from, FileErrorClass.NotFound);
        if (disk.Find(to) is not null)
            throw FileErrorClass.Failure("cannot rename", from, FileErrorClass.Exists);
        if (disk.Mutant != Mutant.SpoolRenameDropped)
            disk.Move(from, to);
        user.Leave();
    }

    public void Delete(string path)
    {
        try
        {
            user.Enter(DiskOperation.Delete, path);
        }
        catch (LogSinkException)
        {
            watch.DeleteFailed(path);
            throw;
        }

        if (disk.Find(path) is null)
            return;
        watch.Deleting(path);
        if (disk.Mutant != Mutant.SpoolFileComesBack || !path.EndsWith(".seg", StringComparison.Ordinal))
            disk.Unlink(path, Remover.Process);
        user.Leave();
    }

    public void SyncDirectory(string path)
    {
        user.Enter(DiskOperation.SyncDirectory, path);
        if (disk.Find(path) is not { IsDirectory: true } directory)
            throw FileErrorClass.Failure("cannot sync", path, FileErrorClass.NotFound);
        if (disk.Mutant != Mutant.SpoolSyncForgotten)
            directory.SyncNames();
        user.Leave();
    }

    public (long Available, long Total)? SpaceOf(string directory)
    {
        user.Enter(DiskOperation.Space, directory);
        watch.Settled("");
        return (user.Faults.Free, DiskFaults.TotalSpace);
    }

    // The first two files change their places.
    private void SwapFiles(string directory)
    {
        if (disk.Find(directory)?.Names.Keys.Where(static name => name.EndsWith(".seg", StringComparison.Ordinal)).Take(2).ToArray() is not [var first, var second])
            return;
        var digits = first.IndexOf('-', StringComparison.Ordinal);
        var (firstPlace, secondPlace) = (first[..digits], second[..digits]);
        disk.Move($"{directory}/{first}", $"{directory}/swapped");
        disk.Move($"{directory}/{second}", $"{directory}/{firstPlace}{second[digits..]}");
        disk.Move($"{directory}/swapped", $"{directory}/{secondPlace}{first[digits..]}");
    }

    // What a reader that ignores checksums would see of a damaged file: valid ones, and another byte.
    private static byte[] WithOtherByte(byte[] content)
    {
        if (SegmentFile.ReadHeader(content) is not { } header)
            return content;
        var categories = new CategoryTable();
        var (bytes, slots) = SegmentFile.ReadRecords(content, header, categories.Add);
        if (slots.Length == 0)
            return content;
        bytes[^2] ^= 1;
        var image = SegmentFile.Encode(slots, bytes, header.WireId, categories);
        return [.. image.Head, .. image.Bytes.Span];
    }
}
