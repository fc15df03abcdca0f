using System.Globalization;

namespace AsyncLog;

/// <summary>The directory of one spool: its lock, the files in it, and what could not be deleted. Under the spool's lock of files. Failures are
/// <see cref="LogSinkException"/>.</summary>
/// <param name="parent">The directory of all spools: <see cref="SinkOptions.SpoolPath"/>.</param>
/// <param name="adopted">Reports the records of an earlier process that were found in a directory.</param>
internal sealed class SpoolDirectory(InstanceState instance, SpoolIndex index, string parent, ISpoolFiles disk, Action<string, long> adopted)
{
    private const string LockName = ".lock";
    private const string ForeignName = "foreign";
    private const string RejectedName = "rejected";
    private const int MaxProcesses = 100;

    // Free space that is left to others: a twentieth of the file system, at most 100 MB.
    private const int FreeSpaceDivisor = 20;
    private const long MaxFreeSpace = 100 << 20;

    private readonly string _name = $"{instance.Type}-{instance.ShortName}";
    private readonly List<string> _undeleted = [];
    private IDisposable? _lock;

    /// <summary>The directory; null before it is opened and after it is left.</summary>
    public string? FullPath { get; private set; }

    /// <summary>Takes a directory, the records in it, and those that other processes left behind. Another process may have the first one: a number is added then.</summary>
    public void Open()
    {
        disk.CreateDirectory(parent);
        for (var number = 0; number < MaxProcesses; number++)
        {
            var directory = Path.Combine(parent, number == 0 ? _name : string.Create(CultureInfo.InvariantCulture, $"{_name}~{number}"));
            disk.CreateDirectory(directory);
            if (TryLock(directory) is not { } held)
                continue;
            try
            {
                Adopt(directory, isOwn: true);
            }
            catch (Exception)
            {
                held.Dispose();
                throw;
            }

            (FullPath, _lock) = (directory, held);
            AdoptOthers();
            return;
        }

        throw new LogSinkException("locked", $"{parent} has {MaxProcesses} directories of {_name}, and other processes use them all");
    }

    /// <summary>Takes the records of directories that a process left behind.</summary>
    public void AdoptOthers()
    {
        foreach (var name in disk.List(parent).Where(name => name == _name || name.StartsWith(_name + "~", StringComparison.Ordinal)).Order(StringComparer.Ordinal))
        {
            var directory = Path.Combine(parent, name);
            if (directory == FullPath)
                continue;
            disk.CreateDirectory(directory);
            using var held = TryLock(directory);
            if (held is not null)
                Adopt(directory, isOwn: false);
        }
    }

    /// <summary>Leaves the directory to the next process.</summary>
    public void Leave()
    {
        // Once more: the next process would send what is in them.
        foreach (var path in _undeleted.ToArray())
            DeleteOrRemember(path);
        // From here on a file of that name is the next process's.
        _undeleted.Clear();
        _lock?.Dispose();
        FullPath = null;
    }

    /// <summary>The path of a file.</summary>
    public string PathOf(SpooledFile file) => Path.Combine(FullPath!, file.OnDisk);

    /// <summary>The content of a file; empty when there is none.</summary>
    public byte[] Read(SpooledFile file) => disk.Read(PathOf(file)) ?? [];

    /// <summary>Writes a file. What is left of a failed write is deleted: the records stay in memory, and the next process would send them once more.</summary>
    public SpooledFile Write(SegmentImage image, long sequence)
    {
        var file = new SpooledFile(new SegmentFileName(sequence, image.Levels, image.Length)) { FirstTicks = image.FirstTicks, LastTicks = image.LastTicks };
        var (path, toDisk) = (PathOf(file), instance.Options.SpoolDurability == WriteDurability.FlushToDisk);
        try
        {
            WriteWhole(path, image, toDisk);
            if (toDisk)
                disk.SyncDirectory(FullPath!);
            return file;
        }
        catch (LogSinkException)
        {
            DeleteOrRemember(path + SegmentFileName.Unfinished);
            DeleteOrRemember(path);
            throw;
        }
    }

    /// <summary>Throws if less than the minimum would be free after so many bytes more.</summary>
    public void RequireFreeSpace(long length)
    {
        if (disk.SpaceOf(FullPath!) is { } space && space.Available - length < Math.Min(MaxFreeSpace, space.Total / FreeSpaceDivisor))
            throw new LogSinkException("no_space", $"the file system of {FullPath} is nearly full: free some space");
    }

    /// <summary>Deletes a file.</summary>
    public void Delete(SpooledFile file) => disk.Delete(PathOf(file));

    /// <summary>Deletes a file whose records are settled, now or later: the next process would send them again.</summary>
    public void DeleteSettled(SpooledFile file) => DeleteOrRemember(PathOf(file));

    /// <summary>Remembers a file that could not be deleted.</summary>
    public void DeleteLater(SpooledFile file) => _undeleted.Add(PathOf(file));

    /// <summary>Deletes what could not be deleted before.</summary>
    public void DeleteLeftovers()
    {
        foreach (var path in _undeleted.ToArray())
        {
            disk.Delete(path);
            _undeleted.Remove(path);
        }
    }

    /// <summary>Moves a file where no process sends it.</summary>
    /// <returns>The directory that it is in now.</returns>
    public string Quarantine(SpooledFile file)
    {
        var directory = Path.Combine(FullPath!, ForeignName);
        disk.CreateDirectory(directory);
        disk.Rename(PathOf(file), Path.Combine(directory, file.OnDisk));
        return directory;
    }

    /// <summary>Keeps rejected records in a directory of their own, at most <see cref="SinkOptions.SpoolSizeLimit"/> bytes: the oldest files go.</summary>
    public void KeepRejected(SpooledFile file, SegmentImage rejected)
    {
        var directory = Path.Combine(FullPath!, RejectedName);
        disk.CreateDirectory(directory);
        var names = disk.List(directory);
        // Of writes that failed or were interrupted.
        foreach (var name in names.Where(static name => name.EndsWith(SegmentFileName.Unfinished, StringComparison.Ordinal)))
            disk.Delete(Path.Combine(directory, name));
        var kept = names.Select(SegmentFileName.Parse).OfType<SegmentFileName>().OrderBy(static name => name.Sequence).ToList();
        var size = kept.Sum(static name => name.Length) + rejected.Length;
        foreach (var name in kept)
        {
            if (size <= instance.Options.SpoolSizeLimit)
                break;
            disk.Delete(Path.Combine(directory, name.ToString()));
            size -= name.Length;
        }

        // A file that was offered twice: the later outcome counts.
        var path = Path.Combine(directory, new SegmentFileName(file.Name.Sequence, rejected.Levels, rejected.Length).ToString());
        disk.Delete(path);
        WriteWhole(path, rejected, toDisk: false);
    }

    private IDisposable? TryLock(string directory) => disk.TryLock(Path.Combine(directory, LockName));

    private void WriteWhole(string path, SegmentImage image, bool toDisk)
    {
        disk.Write(path + SegmentFileName.Unfinished, image, toDisk);
        disk.Rename(path + SegmentFileName.Unfinished, path);
    }

    private void Adopt(string directory, bool isOwn)
    {
        var names = disk.List(directory);
        // Places of files that are set aside are not given again: their names would be taken.
        if (isOwn)
            index.SkipTo(names.Where(static name => name is ForeignName or RejectedName).SelectMany(name => disk.List(Path.Combine(directory, name))).Max(static name => SegmentFileName.Parse(name)?.Sequence) ?? 0);
        var found = new List<SegmentFileName>();
        foreach (var name in names)
        {
            var whole = name.EndsWith(SegmentFileName.Unfinished, StringComparison.Ordinal) ? name[..^SegmentFileName.Unfinished.Length] : name;
            if (SegmentFileName.Parse(whole) is { } file && (whole == name || Finish(Path.Combine(directory, whole), file)))
                found.Add(file);
        }

        found.Sort(static (left, right) => left.Sequence.CompareTo(right.Sequence));
        foreach (var name in found)
        {
            var file = new SpooledFile(isOwn ? name : name with { Sequence = index.NextSequence() });
            if (!isOwn)
                disk.Rename(Path.Combine(directory, name.ToString()), PathOf(file));
            index.Adopt(file);
        }

        if (found.Count > 0)
            adopted(directory, found.Sum(static file => file.Records));
    }

    // A file that a process was writing when it was killed, or could not delete: whole, or of no use. Of the latter no record left the memory of that process,
    // which delivered them, or lost them with all others there.
    private bool Finish(string path, SegmentFileName name)
    {
        var unfinished = path + SegmentFileName.Unfinished;
        var content = disk.Read(unfinished) ?? [];
        if (SegmentFile.ReadHeader(content) is { } header && content.Length == name.Length
            && SegmentFile.ReadRecords(content, header, static _ => 0).Slots.Length == name.Records)
        {
            disk.Rename(unfinished, path);
            return true;
        }

        disk.Delete(unfinished);
        return false;
    }

    private void DeleteOrRemember(string path)
    {
        try
        {
            disk.Delete(path);
        }
        catch (LogSinkException exception)
        {
            instance.Metrics.CountError(exception.ErrorType);
            _undeleted.Add(path);
        }
    }
}
