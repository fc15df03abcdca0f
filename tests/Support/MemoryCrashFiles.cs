using System.Collections.Concurrent;

namespace AsyncLog.Tests;

/// <summary>Files of crash buffers in the memory of a test: they survive its processes, and fail as the test likes.</summary>
internal sealed unsafe class MemoryCrashFiles : ICrashFiles
{
    private readonly List<Entry> _files = [];

    // As on Windows, where the number of the user cannot be asked for.
    public string DefaultDirectory => Limitation is null ? "/memory" : throw new DllNotFoundException();

    public string? Limitation { get; set; }

    /// <summary>Called with the name of each operation and its file before it happens; may throw.</summary>
    public Action<string, string>? Before { get; set; }

    /// <summary>True if a file that is deleted after it was found is there again, as it was found: a fault.</summary>
    public bool ComesBack { get; set; }

    /// <summary>Operations so far.</summary>
    public ConcurrentQueue<string> Operations { get; } = new();

    /// <summary>Paths of the files.</summary>
    public IReadOnlyList<string> Paths
    {
        get
        {
            lock (_files)
                return [.. _files.Select(static file => file.Path)];
        }
    }

    /// <summary>What the next process finds after a kill: the files as they are now, without locks. What the killed one writes later has no effect.</summary>
    public MemoryCrashFiles Restart()
    {
        var next = new MemoryCrashFiles { ComesBack = ComesBack };
        lock (_files)
            next._files.AddRange(_files.Select(static file => new Entry(file.Path, Copy(file.Content))));
        return next;
    }

    /// <summary>The content of a file, to be read or damaged.</summary>
    public Span<byte> ContentOf(string path) => Find(path)!.Content;

    public void CreateDirectory(string path) => Run("mkdir", path);

    public IReadOnlyList<string> List(string directory)
    {
        Run("list", directory);
        return [.. Paths.Select(static path => Path.GetFileName(path))];
    }

    public ICrashFile? Create(string path, long length)
    {
        Run("create", path);
        var file = new Entry(path, GC.AllocateArray<byte>((int)length, pinned: true)) { IsLocked = true };
        lock (_files)
            _files.Add(file);
        return new Handle(this, file);
    }

    public ICrashFile? TryOpen(string path)
    {
        Run("open", path);
        lock (_files)
        {
            if (Find(path) is not { IsLocked: false } file)
                return null;
            file.IsLocked = true;
            file.Found = ComesBack ? Copy(file.Content) : null;
            return new Handle(this, file);
        }
    }

    private static byte[] Copy(byte[] content)
    {
        var copy = GC.AllocateUninitializedArray<byte>(content.Length, pinned: true);
        content.CopyTo(copy, 0);
        return copy;
    }

    private Entry? Find(string path)
    {
        lock (_files)
            return _files.Find(file => file.Path == path);
    }

    private void Run(string operation, string path)
    {
        Operations.Enqueue($"{operation} {path}");
        Before?.Invoke(operation, path);
    }

    private sealed class Entry(string path, byte[] content)
    {
        public string Path { get; set; } = path;

        public byte[] Content { get; } = content;

        public byte[]? Found { get; set; }

        public bool IsLocked { get; set; }
    }

    private sealed class Handle(MemoryCrashFiles owner, Entry file) : ICrashFile
    {
        public string Path => file.Path;

        public byte* Address => (byte*)System.Runtime.InteropServices.Marshal.UnsafeAddrOfPinnedArrayElement(file.Content, 0);

        public long Length => file.Content.Length;

        public void Delete()
        {
            owner.Run("delete", Path);
            lock (owner._files)
            {
                owner._files.Remove(file);
                if (file.Found is { } found)
                    owner._files.Add(new Entry(Path, found) { IsLocked = true });
            }
        }

        public void Rename(string path)
        {
            owner.Run("rename", Path);
            lock (owner._files)
                file.Path = path;
        }

        public void Dispose()
        {
            lock (owner._files)
                file.IsLocked = false;
        }
    }
}
