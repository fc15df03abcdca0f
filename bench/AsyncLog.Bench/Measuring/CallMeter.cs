using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>Calls one library in bursts that its queue takes easily, and measures the calls only.</summary>
internal sealed class CallMeter(ILibrary library, int burst)
{
    // six digits in every record, so that all records have one length
    private const int FirstOrder = 100_000;
    private const int Orders = 900_000;

    private readonly int _burst = Math.Min(burst, library.Room);
    private int _calls;

    /// <summary>What the library must have written.</summary>
    public WrittenLines Expected { get; private set; }

    /// <summary>Calls without measuring, until the code is compiled for good.</summary>
    public void WarmUp(CallStyle style, int calls) => Measure(style, calls);

    public CallCost Measure(CallStyle style, int calls)
    {
        var ticks = 0L;
        var drained = 0L;
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var left = calls; left > 0; left -= _burst)
        {
            ticks += Burst(style, Math.Min(left, _burst));
            var own = GC.GetAllocatedBytesForCurrentThread();
            library.Drain();
            drained += GC.GetAllocatedBytesForCurrentThread() - own;
        }

        var bytes = GC.GetTotalAllocatedBytes(precise: true) - before - drained;
        return new CallCost(ticks * 1e9 / Stopwatch.Frequency / calls, (double)bytes / calls);
    }

    private long Burst(CallStyle style, int calls)
    {
        var logger = library.Logger;
        var call = style.Call;
        var first = _calls;
        var start = Stopwatch.GetTimestamp();
        for (var n = first; n < first + calls; n++)
            call(logger, FirstOrder + n % Orders);
        var ticks = Stopwatch.GetTimestamp() - start;

        _calls += calls;
        if (style.Writes)
            Expect(first, calls);
        return ticks;
    }

    private void Expect(int first, int calls)
    {
        var sum = 0L;
        for (var n = first; n < first + calls; n++)
            sum += FirstOrder + n % Orders;
        Expected = new WrittenLines(Expected.Count + calls, Expected.Sum + sum);
    }
}
