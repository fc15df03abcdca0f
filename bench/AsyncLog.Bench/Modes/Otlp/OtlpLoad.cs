using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>As many records as go through from one thread, in portions that fit every library's queue, each flushed.</summary>
internal sealed class OtlpLoad(LoggerHost host)
{
    public const int Portion = 200_000;

    private long _calls;

    /// <summary>What the receiver must have got.</summary>
    public WrittenLines Expected => WrittenLines.Of(0, _calls);

    public Dictionary<string, double> Run(int count)
    {
        // By portion: a queue that grows once more is no cost of a record.
        List<double> callerBytes = [];
        var bytes = GC.GetTotalAllocatedBytes(precise: true);
        var cpu = CpuClock.OfProcess;
        var start = Stopwatch.GetTimestamp();
        for (var left = count; left > 0; left -= Portion)
        {
            var portion = Math.Min(left, Portion);
            callerBytes.Add((double)Log(portion) / portion);
            host.Drain();
        }

        var elapsed = Stopwatch.GetElapsedTime(start);
        cpu = CpuClock.OfProcess - cpu;
        bytes = GC.GetTotalAllocatedBytes(precise: true) - bytes;
        return new Dictionary<string, double>
        {
            [OtlpMode.CallerBytes.Key] = Spread.Of(callerBytes).Median,
            [Figures.RecordsPerSecond.Key] = count / elapsed.TotalSeconds,
            [Figures.CpuPerRecord.Key] = (double)cpu / count,
            [OtlpMode.Bytes.Key] = (double)bytes / count,
        };
    }

    private long Log(int count)
    {
        var logger = host.Logger;
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var last = _calls + count; _calls < last; _calls++)
            OrderLog.Generated(logger, OrderNumbers.At(_calls));
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
