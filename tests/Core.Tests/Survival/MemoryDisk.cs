using System.Collections.Concurrent;

namespace AsyncLog.Tests.Survival;

/// <summary>A disk in memory: fails or dies at an operation of the test's choice, and is shared by the processes of a test.</summary>
internal sealed class MemoryDisk : ISpoolFiles
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, byte[]> _files = new(StringComparer.Ordinal);
    private readonly HashSet<string> _locks = new(StringComparer.Ordinal);
    private int _operations;

    /// <summary>Called with the name of each operation and its file before it happens; may throw.</summary>
    public Action<string, string>? Before { get; set; }

    /// <summary>The number of the operation at which the process dies: it and all later ones do nothing. Default never.</summary>
    public int DiesAt { get; set; } = int.MaxValue;

    /// <summary>The bytes of a write that is interrupted by the death which get to the disk.</summary>
    public int TornBytes { get; set; }

    public (long Available, long Total)? Space { get; set; } = (1L << 40, 1L << 40);

    /// <summary>Operations so far, reads and looks included.</summary>
    public ConcurrentQueue<string> Operations { get; } = new();

    public bool IsDead => _operations > DiesAt;

    public IReadOnlyDictionary<string, byte[]> Files
    {
        get
        {
            lock (_gate)
                return new SortedDictionary<string, byte[]>(_files, StringComparer.Ordinal);
        }
    }

    /// <summary>What the next process finds: the files, without locks.</summary>
    public MemoryDisk Restart()
    {
        var next = new MemoryDisk { Space = Space };
        foreach (var (path, content) in Files)
            next._files[path] = [.. content];
        return next;
    }

    public void Put(string path, byte[] content)
    {
        lock (_gate)
            _files[Unix(path)] = content;
    }

    public void CreateDirectory(string path) => Run("mkdir", path, static () => 0);

    public IDisposable? TryLock(string path) => Run("lock", path, () => _locks.Add(Unix(path)) ? new Held(this, Unix(path)) : null);

    public IReadOnlyList<string> List(string directory) => Run("list", directory, () => (IReadOnlyList<string>)[.. _files.Keys
        .Where(path => path.StartsWith(Unix(directory) + "/", StringComparison.Ordinal))
        .Select(path => path[(directory.Length + 1)..].Split('/')[0]).Distinct()]);

    public void Write(string path, SegmentImage image, bool toDisk)
    {
        byte[] content = [.. image.Head, .. image.Bytes.Span];
        Run("write", path, () => _files.TryAdd(Unix(path), content) ? 0 : throw new LogSinkException("exists", path), () => _files[Unix(path)] = content[..Math.Min(TornBytes, content.Length)]);
    }

    public byte[]? Read(string path) => Run("read", path, () => _files.GetValueOrDefault(Unix(path)));

    public void Rename(string from, string to) => Run("rename", from, () =>
    {
        if (!_files.Remove(Unix(from), out var content))
            throw new LogSinkException("missing", from);
        return _files.TryAdd(Unix(to), content) ? 0 : throw new LogSinkException("exists", to);
    });

    public void Delete(string path) => Run("delete", path, () => _files.Remove(Unix(path)) ? 0 : 0);

    public void SyncDirectory(string path) => Run("sync", path, static () => 0);

    public (long Available, long Total)? SpaceOf(string directory) => Space;

    // Windows separates names with backslashes.
    private static string Unix(string path) => OperatingSystem.IsWindows() ? path.Replace('\\', '/') : path;

    private T Run<T>(string operation, string path, Func<T> action, Action? torn = null)
    {
        Before?.Invoke(operation, path);
        lock (_gate)
        {
            Operations.Enqueue($"{operation} {Path.GetFileName(path)}");
            if (_operations++ >= DiesAt)
            {
                if (_operations == DiesAt + 1)
                    torn?.Invoke();
                throw new LogSinkException("dead", "the process is dead");
            }

            return action();
        }
    }

    private sealed class Held(MemoryDisk disk, string path) : IDisposable
    {
        public void Dispose()
        {
            lock (disk._gate)
                disk._locks.Remove(path);
        }
    }
}
