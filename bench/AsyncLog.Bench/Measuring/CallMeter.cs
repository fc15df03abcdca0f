using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>Calls one library from one thread and measures the calls only.</summary>
internal sealed class CallMeter(LoggerHost host)
{
    private long _calls;

    /// <summary>What the library must have written.</summary>
    public WrittenLines Expected { get; private set; }

    /// <summary>Calls at full speed, drained before the queue can be full: mostly over before the library's worker has begun.</summary>
    public CallCost Burst(CallStyle style, int calls, int burst)
    {
        var stretches = new List<double>(calls / burst + 1);
        var ticks = 0L;
        var drained = 0L;
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var left = calls; left > 0; left -= burst)
        {
            ticks += Time(style, Math.Min(left, burst), stretches);
            var own = GC.GetAllocatedBytesForCurrentThread();
            host.Drain();
            drained += GC.GetAllocatedBytesForCurrentThread() - own;
        }

        return Cost(calls, ticks, GC.GetTotalAllocatedBytes(precise: true) - before - drained, stretches);
    }

    /// <summary>Calls that go on at a given pace, a few at a time, so that the library's worker runs beside them.</summary>
    /// <param name="style">How it calls.</param>
    /// <param name="calls">How often.</param>
    /// <param name="rate">Calls per second, below what the library can write; 0 is as fast as it goes.</param>
    /// <param name="group">Calls between two looks at the clock.</param>
    public CallCost Sustained(CallStyle style, int calls, int rate, int group)
    {
        var stretches = new List<double>(calls / group + 1);
        var pause = rate == 0 ? 0 : (double)Stopwatch.Frequency / rate;
        var ticks = 0L;
        var before = GC.GetTotalAllocatedBytes(precise: true);
        var start = Stopwatch.GetTimestamp();
        for (var done = 0; done < calls; done += group)
        {
            while (Stopwatch.GetTimestamp() - start < done * pause)
                Thread.SpinWait(1);
            ticks += Time(style, Math.Min(calls - done, group), stretches);
        }

        var cost = Cost(calls, ticks, GC.GetTotalAllocatedBytes(precise: true) - before, stretches);
        host.Drain();
        return cost;
    }

    private static CallCost Cost(int calls, long ticks, long bytes, List<double> stretches)
        => new(Nanoseconds(ticks, calls), Spread.Of(stretches).Median, (double)bytes / calls);

    private static double Nanoseconds(long ticks, int calls) => ticks * 1e9 / Stopwatch.Frequency / calls;

    private long Time(CallStyle style, int calls, List<double> stretches)
    {
        var logger = host.Logger;
        var call = style.Call;
        var first = _calls;
        var start = Stopwatch.GetTimestamp();
        for (var n = first; n < first + calls; n++)
            call(logger, OrderNumbers.At(n));
        var ticks = Stopwatch.GetTimestamp() - start;

        stretches.Add(Nanoseconds(ticks, calls));
        _calls += calls;
        if (style.Writes)
            Expected = Expected.Plus(WrittenLines.Of(first, calls));
        return ticks;
    }
}
