namespace AsyncLog.Tests.Disk;

/// <summary>Real files that fail as told. Each hook answers with an error class, or null to go on.</summary>
internal sealed class FaultyFileSystem : IFileSystem
{
    private readonly IFileSystem _real = FileSystems.ForThisPlatform();

    public string? Limitation => _real.Limitation;

    public Func<string, string?>? OnOpen { get; set; }

    public Func<string, string?>? OnDelete { get; set; }

    public Func<string, string?>? OnArchive { get; set; }

    public Func<string, string?>? OnPublish { get; set; }

    public Func<string, string?>? OnStat { get; set; }

    /// <summary>Called after a path was looked at, with the path.</summary>
    public Action<string>? AfterStat { get; set; }

    /// <summary>Asked when an open file is looked at, for its path.</summary>
    public Func<string, string?>? OnStatOpen { get; set; }

    public Func<string, string?>? OnList { get; set; }

    /// <summary>Asked when a file is closed, for its path.</summary>
    public Func<string, string?>? OnClose { get; set; }

    /// <summary>What is not as asked for of a file, by its path; null: what is true.</summary>
    public Func<string, string?>? OnLimitation { get; set; }

    /// <summary>Asked for the path of the file that is synced, or of the directory.</summary>
    public Func<string, string?>? OnSync { get; set; }

    /// <summary>The room of the file system; null: what is true.</summary>
    public Func<DiskSpace?>? OnSpace { get; set; }

    /// <summary>What was synced, in order.</summary>
    public List<string> Synced { get; } = [];

    /// <summary>How many of so many bytes are written: 0 or less fails with the class of <see cref="WriteError"/>.</summary>
    public Func<int, int>? OnAppend { get; set; }

    /// <summary>What a failing write says.</summary>
    public string WriteError { get; set; } = FileErrorClass.NoSpace;

    /// <summary>How many writes were tried.</summary>
    public int Appends { get; private set; }

    /// <summary>How many files were opened and not closed.</summary>
    public int OpenFiles { get; private set; }

    public IAppendFile Open(string path, FileOpening opening, UnixFileMode mode)
    {
        Ask(OnOpen, path);
        IAppendFile real = _real.Open(path, opening, mode);
        OpenFiles++;
        return new FaultyAppendFile(this, real, path);
    }

    public FileStat? Stat(string path)
    {
        Ask(OnStat, path);
        FileStat? stat = _real.Stat(path);
        AfterStat?.Invoke(path);
        return stat;
    }

    public FileMove Archive(string active, string archive)
    {
        Ask(OnArchive, archive);
        return _real.Archive(active, archive);
    }

    public FileMove Publish(string successor, string active)
    {
        Ask(OnPublish, successor);
        return _real.Publish(successor, active);
    }

    public bool Delete(string path)
    {
        Ask(OnDelete, path);
        return _real.Delete(path);
    }

    public NewDirectories CreateDirectory(string path, UnixFileMode mode) => _real.CreateDirectory(path, mode);

    public void SyncDirectory(string path)
    {
        Ask(OnSync, path);
        Synced.Add(path);
        _real.SyncDirectory(path);
    }

    public DiskSpace? SpaceOf(string directory) => OnSpace is { } space ? space() : _real.SpaceOf(directory);

    public IReadOnlyList<string> List(string directory)
    {
        Ask(OnList, directory);
        return _real.List(directory);
    }

    public ReadOnlyMemory<byte>? Read(string path, WriteMark from, int maxBytes) => _real.Read(path, from, maxBytes);

    private static void Ask(Func<string, string?>? hook, string path)
    {
        if (hook?.Invoke(path) is { } errorType)
            throw FileErrorClass.Failure("made to fail:", path, errorType);
    }

    private sealed class FaultyAppendFile(FaultyFileSystem owner, IAppendFile real, string path) : IAppendFile
    {
        private string _path = path;
        private bool _isClosed;

        public bool IsCreated => real.IsCreated;

        public string? Limitation => owner.OnLimitation?.Invoke(_path) ?? real.Limitation;

        public int Append(ReadOnlySpan<byte> bytes)
        {
            owner.Appends++;
            int count = owner.OnAppend?.Invoke(bytes.Length) ?? bytes.Length;
            return count > 0 ? real.Append(bytes[..Math.Min(count, bytes.Length)]) : throw FileErrorClass.Failure("cannot write", "the file", owner.WriteError);
        }

        public FileStat Stat()
        {
            Ask(owner.OnStatOpen, _path);
            return real.Stat();
        }

        public void Renamed(string path)
        {
            _path = path;
            real.Renamed(path);
        }

        public void Sync()
        {
            Ask(owner.OnSync, _path);
            owner.Synced.Add(_path);
            real.Sync();
        }

        public bool EndsInsideLine() => real.EndsInsideLine();

        public void Truncate() => real.Truncate();

        public void Close()
        {
            CountClosed();
            real.Close();
            Ask(owner.OnClose, _path);
        }

        public void Dispose()
        {
            CountClosed();
            real.Dispose();
        }

        private void CountClosed()
        {
            if (!_isClosed)
                owner.OpenFiles--;
            _isClosed = true;
        }
    }
}
