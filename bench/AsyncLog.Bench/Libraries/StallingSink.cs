using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog.Bench;

/// <summary>Appends each batch with one write; the first write of each second may take 200 ms longer.</summary>
internal sealed class StallingSink(string path, bool stalls) : ILogSink
{
    private static readonly TimeSpan Stall = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private readonly SafeFileHandle _file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write);
    private long _length;
    private long _lastStall = Stopwatch.GetTimestamp();

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        if (stalls && Stopwatch.GetElapsedTime(_lastStall) >= Period)
        {
            _lastStall = Stopwatch.GetTimestamp();
            Thread.Sleep(Stall);
        }

        RandomAccess.Write(_file, batch.Bytes.Span, _length);
        _length += batch.Bytes.Length;
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync()
    {
        _file.Dispose();
        return ValueTask.CompletedTask;
    }
}
