using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>Calls one library from one thread and measures the calls only.</summary>
internal sealed class CallMeter(LoggerHost host)
{
    private long _calls;

    /// <summary>What the library must have written.</summary>
    public WrittenLines Expected { get; private set; }

    /// <summary>Calls that go on at a given pace, a few at a time, so that the library's worker runs beside them.</summary>
    /// <param name="style">How it calls.</param>
    /// <param name="calls">How often.</param>
    /// <param name="rate">Calls per second, below what the library can write; 0 is as fast as it goes.</param>
    /// <param name="group">Calls between two looks at the clock.</param>
    /// <param name="each">Takes the time of each call; null: the calls of a group are timed together.</param>
    public CallCost Sustained(CallStyle style, int calls, int rate, int group, LatencyHistogram? each = null)
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
            ticks += Time(style, Math.Min(calls - done, group), stretches, each);
        }

        var cost = Cost(calls, ticks, GC.GetTotalAllocatedBytes(precise: true) - before, stretches);
        host.Drain();
        return cost;
    }

    private static CallCost Cost(int calls, long ticks, long bytes, List<double> stretches)
        => new(Nanoseconds(ticks, calls), Spread.Of(stretches).Median, (double)bytes / calls);

    private void TimeEach(Action<ILogger, int> call, long first, int calls, LatencyHistogram each)
    {
        var logger = host.Logger;
        var before = Stopwatch.GetTimestamp();
        for (var n = first; n < first + calls; n++)
        {
            call(logger, OrderNumbers.At(n));
            var after = Stopwatch.GetTimestamp();
            each.Record((long)((after - before) * (1e9 / Stopwatch.Frequency)));
            before = after;
        }
    }

    private static double Nanoseconds(long ticks, int calls) => ticks * 1e9 / Stopwatch.Frequency / calls;

    private long Time(CallStyle style, int calls, List<double> stretches, LatencyHistogram? each = null)
    {
        var logger = host.Logger;
        var call = style.Call;
        var first = _calls;
        var start = Stopwatch.GetTimestamp();
        if (each is null)
        {
            for (var n = first; n < first + calls; n++)
                call(logger, OrderNumbers.At(n));
        }
        else
        {
            TimeEach(call, first, calls, each);
        }

        var ticks = Stopwatch.GetTimestamp() - start;

        stretches.Add(Nanoseconds(ticks, calls));
        _calls += calls;
        if (style.Writes)
            Expected = Expected.Plus(WrittenLines.Of(first, calls));
        return ticks;
    }
}

/// <summary>The mean cost of one call.</summary>
/// <param name="Nanoseconds">Time in the call.</param>
/// <param name="Typical">The same of the median stretch between two looks at the clock: without what preemption and wake-ups add now and then.</param>
/// <param name="Bytes">Bytes allocated per call in the whole process, worker included.</param>
internal readonly record struct CallCost(double Nanoseconds, double Typical, double Bytes);
