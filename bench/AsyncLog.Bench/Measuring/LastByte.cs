using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>Finds when the last byte of some files was written, while their library is being closed: a thread asks for their length every millisecond.</summary>
/// <remarks>Closing can take longer than writing.</remarks>
internal sealed class LastByte
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(1);
    private readonly IReadOnlyList<string> _files;
    private readonly Thread _thread;
    private volatile bool _isClosed;
    private long _length;
    private long _seen = Stopwatch.GetTimestamp();
    private long _processorTime;

    private LastByte(IReadOnlyList<string> files)
    {
        _files = files;
        _thread = new Thread(Watch) { IsBackground = true, Name = "last byte" };
        _thread.Start();
    }

    /// <summary>What the watch itself cost, in nanoseconds of processor time; known after <see cref="End"/>.</summary>
    public long ProcessorTime => _processorTime;

    public static LastByte Watch(IReadOnlyList<string> files) => new(files);

    /// <summary>Ends the watch; everything is written and closed.</summary>
    /// <param name="closed">When that was.</param>
    /// <returns>When the files reached their length, as a timestamp; at most <paramref name="closed"/>.</returns>
    public long End(long closed)
    {
        _isClosed = true;
        _thread.Join();
        // grown between the last look and the end, or no file at all
        return _files.Count > 0 && Length() == _length ? Math.Min(_seen, closed) : closed;
    }

    private void Watch()
    {
        _length = Length();
        while (!_isClosed)
        {
            Thread.Sleep(Interval);
            var now = Stopwatch.GetTimestamp();
            var length = Length();
            if (length != _length && !_isClosed)
                (_length, _seen) = (length, now);
        }

        _processorTime = CpuClock.OfThread;
    }

    private long Length() => _files.Sum(static file => new FileInfo(file) is { Exists: true } info ? info.Length : 0);
}
