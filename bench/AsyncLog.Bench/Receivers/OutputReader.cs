using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>How the standard output of an application is read.</summary>
internal enum OutputReaderKind
{
    /// <summary>As fast as it can.</summary>
    Reading,

    /// <summary>Not for 200 ms in every second.</summary>
    Stopping,

    /// <summary>Not before the end; the pipe stays open.</summary>
    Never,
}

/// <summary>Reads the standard output of an application from a pipe, on a thread of its own, and counts the lines.</summary>
internal sealed class OutputReader : IDisposable
{
    private const byte LineEnd = (byte)'\n';

    private static readonly TimeSpan ReadTime = TimeSpan.FromMilliseconds(800);
    private static readonly TimeSpan StopTime = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan LongestRest = TimeSpan.FromSeconds(30);

    private readonly Stream _pipe;
    private readonly OutputReaderKind _kind;
    private readonly ManualResetEventSlim _readsOn = new();
    private readonly Thread _thread;

    // the thread's, until it has ended
    private long _lines;

    /// <param name="pipe">The end that is read; disposed with the reader.</param>
    /// <param name="kind">How.</param>
    public OutputReader(Stream pipe, OutputReaderKind kind)
    {
        _pipe = pipe;
        _kind = kind;
        _thread = new Thread(Read) { Name = "output reader", IsBackground = true };
        _thread.Start();
    }

    /// <summary>From now on it reads as fast as it can.</summary>
    public void ReadOn() => _readsOn.Set();

    /// <summary>Reads the rest of what an application wrote that has ended.</summary>
    /// <returns>All lines.</returns>
    /// <exception cref="InvalidOperationException">Another process holds the pipe open.</exception>
    public long ReadToEnd()
    {
        ReadOn();
        return _thread.Join(LongestRest) ? _lines : throw new InvalidOperationException("the output of the application does not end");
    }

    public void Dispose()
    {
        ReadToEnd();
        _pipe.Dispose();
        _readsOn.Dispose();
    }

    private void Read()
    {
        if (_kind == OutputReaderKind.Never)
            _readsOn.Wait();
        // as much as a pipe of Linux holds
        var buffer = new byte[65_536];
        var start = Stopwatch.GetTimestamp();
        int count;
        while ((count = _pipe.Read(buffer)) > 0)
        {
            _lines += buffer.AsSpan(0, count).Count(LineEnd);
            if (_kind == OutputReaderKind.Stopping && Stopwatch.GetElapsedTime(start) >= ReadTime)
            {
                _readsOn.Wait(StopTime);
                start = Stopwatch.GetTimestamp();
            }
        }
    }
}
