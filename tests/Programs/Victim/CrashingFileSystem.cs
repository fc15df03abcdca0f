using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Victim;

/// <summary>Real files that kill the process with SIGKILL at a named point, the n-th time it is passed: <c>mid-write:3</c>. With <c>held:1000</c> nothing is
/// killed, and the first write takes 1,000 ms.</summary>
internal sealed class CrashingFileSystem : IFileSystem
{
    private readonly IFileSystem _real = FileSystems.ForThisPlatform();
    private readonly string _point;
    private int _left;

    public CrashingFileSystem(string point)
    {
        string[] parts = point.Split(':');
        _point = parts[0];
        _left = parts.Length > 1 ? int.Parse(parts[1], CultureInfo.InvariantCulture) : 1;
    }

    public string? Limitation => _real.Limitation;

    public IAppendFile Open(string path, FileOpening opening, UnixFileMode mode)
    {
        IAppendFile opened = _real.Open(path, opening, mode);
        if (path.EndsWith(".tmp", StringComparison.Ordinal))
            Pass("successor-created");
        return new CrashingAppendFile(this, opened);
    }

    public FileStat? Stat(string path) => _real.Stat(path);

    public FileMove Archive(string active, string archive)
    {
        FileMove move = _real.Archive(active, archive);
        Pass("archived");
        return move;
    }

    public FileMove Publish(string successor, string active)
    {
        FileMove move = _real.Publish(successor, active);
        Pass("published");
        return move;
    }

    public bool Delete(string path) => _real.Delete(path);

    public NewDirectories CreateDirectory(string path, UnixFileMode mode) => _real.CreateDirectory(path, mode);

    public void SyncDirectory(string path) => _real.SyncDirectory(path);

    public DiskSpace? SpaceOf(string directory) => _real.SpaceOf(directory);

    public IReadOnlyList<string> List(string directory) => _real.List(directory);

    public ReadOnlyMemory<byte>? Read(string path, WriteMark from, int maxBytes) => _real.Read(path, from, maxBytes);

    private void Hold()
    {
        if (_point == "held")
            Thread.Sleep(Interlocked.Exchange(ref _left, 0));
    }

    private void Pass(string point)
    {
        if (point == _point && --_left == 0)
            Process.GetCurrentProcess().Kill();
    }

    private sealed class CrashingAppendFile(CrashingFileSystem owner, IAppendFile real) : IAppendFile
    {
        public bool IsCreated => real.IsCreated;

        public string? Limitation => real.Limitation;

        public int Append(ReadOnlySpan<byte> bytes)
        {
            owner.Hold();
            owner.Pass("before-write");
            if (owner is { _point: "mid-write", _left: 1 } && bytes.Length > 1)
                real.Append(bytes[..(bytes.Length / 2)]);
            owner.Pass("mid-write");
            int written = real.Append(bytes);
            owner.Pass("after-write");
            return written;
        }

        public FileStat Stat() => real.Stat();

        public void Renamed(string path) => real.Renamed(path);

        public bool EndsInsideLine() => real.EndsInsideLine();

        public void Sync()
        {
            owner.Pass("before-sync");
            real.Sync();
            owner.Pass("after-sync");
        }

        public void Truncate() => real.Truncate();

        public void Close() => real.Close();

        public void Dispose() => real.Dispose();
    }
}
