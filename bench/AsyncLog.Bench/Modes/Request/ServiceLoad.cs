using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>Calls one library as a service does, inside requests whose records come from two threads, and measures the calls only.</summary>
/// <param name="host">The library.</param>
/// <param name="threads">On which the calls are made.</param>
internal sealed class ServiceLoad(LoggerHost host, TwoThreads threads)
{
    /// <summary>Calls of a request of <c>everyday</c>: every place once.</summary>
    public const int EverydayCalls = 120;

    /// <summary>Calls between two looks at the pace, and calls of a request of <c>request</c>.</summary>
    public const int Group = 10;

    // Calls until the first change of thread in a group, between the two, and after the second.
    private static readonly int[] Stretches = [4, 3, 3];

    // Ticks of each call of a stretch, where they are wanted one by one.
    private readonly long[] _times = new long[Group];
    private double _bytes;
    private int _calls;

    /// <summary>Calls so far.</summary>
    public int Calls => _calls;

    /// <summary>Calls of all places in turn, a request per turn.</summary>
    /// <param name="calls">How often.</param>
    /// <param name="rate">Calls per second; 0 is as fast as it goes.</param>
    /// <param name="each">Takes the time of each call; null: calls are timed together, up to a change of thread.</param>
    public async Task<CallCost> Everyday(int calls, int rate, LatencyHistogram? each = null)
    {
        var groups = new List<double>(calls / Group);
        var total = 0L;
        _bytes = 0;
        var pace = new Pace(rate);
        for (var done = 0; done < calls; done += EverydayCalls)
        {
            using var request = ServiceRequest.Begin(host.Logger, _calls);
            for (var group = 0; group < EverydayCalls; group += Group)
            {
                pace.Wait(done + group);
                var ticks = Call(ServiceCalls.Next, Stretches[0], each);
                await threads;
                ticks += Call(ServiceCalls.Next, Stretches[1], each);
                await threads;
                ticks += Call(ServiceCalls.Next, Stretches[2], each);
                groups.Add(Nanoseconds(ticks) / Group);
                total += ticks;
            }
        }

        var made = groups.Count * Group;
        host.Drain();
        return new CallCost(Nanoseconds(total) / made, Spread.Of(groups).Median, _bytes / made);
    }

    /// <summary>Requests of ten records, in turn inside a request and outside of any.</summary>
    /// <returns>What was measured inside, and outside.</returns>
    public async Task<(RequestCost Inside, RequestCost Outside)> Requests(int requests, int rate)
    {
        var (inside, outside) = (new RequestCost(), new RequestCost());
        var pace = new Pace(rate);
        for (var request = 0; request < requests; request++)
        {
            pace.Wait(2 * request * Group);
            using (ServiceRequest.Begin(host.Logger, request, hasOwnScope: true))
                await Ten(inside).ConfigureAwait(false);
            pace.Wait((2 * request + 1) * Group);
            await Ten(outside).ConfigureAwait(false);
        }

        host.Drain();
        return (inside, outside);
    }

    private static double Nanoseconds(long ticks) => ticks * (1e9 / Stopwatch.Frequency);

    private async Task Ten(RequestCost cost)
    {
        cost.Begin();
        for (var stretch = 0; stretch < Stretches.Length; stretch++)
        {
            if (stretch > 0)
                await threads;
            if (stretch == 1)
                _bytes = 0;
            Call(OrderLog.Generated, Stretches[stretch], _times);
            cost.Add(_times.AsSpan(0, Stretches[stretch]), stretch > 0);
        }

        cost.End(_bytes / (Group - Stretches[0]));
    }

    private long Call(Action<Microsoft.Extensions.Logging.ILogger, int> call, int count, LatencyHistogram? each)
    {
        if (each is null)
            return CallTogether(call, count);
        Call(call, count, _times);
        var total = 0L;
        foreach (var time in _times.AsSpan(0, count))
        {
            each.Record((long)Nanoseconds(time));
            total += time;
        }

        return total;
    }

    private long CallTogether(Action<Microsoft.Extensions.Logging.ILogger, int> call, int count)
    {
        var logger = host.Logger;
        var before = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        for (var end = _calls + count; _calls < end; _calls++)
            call(logger, OrderNumbers.At(_calls));
        var ticks = Stopwatch.GetTimestamp() - start;
        _bytes += GC.GetAllocatedBytesForCurrentThread() - before;
        return ticks;
    }

    private void Call(Action<Microsoft.Extensions.Logging.ILogger, int> call, int count, long[] times)
    {
        var logger = host.Logger;
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var before = Stopwatch.GetTimestamp();
        for (var n = 0; n < count; n++)
        {
            call(logger, OrderNumbers.At(_calls++));
            var after = Stopwatch.GetTimestamp();
            times[n] = after - before;
            before = after;
        }

        _bytes += GC.GetAllocatedBytesForCurrentThread() - bytes;
    }

    private readonly struct Pace(int rate)
    {
        private readonly long _start = Stopwatch.GetTimestamp();
        private readonly double _pause = rate == 0 ? 0 : (double)Stopwatch.Frequency / rate;

        public void Wait(int calls)
        {
            while (Stopwatch.GetTimestamp() - _start < calls * _pause)
                Thread.SpinWait(1);
        }
    }
}

/// <summary>The nanoseconds of the records of many requests, by what came before them; a look at the clock is in each.</summary>
internal sealed class RequestCost
{
    private readonly List<double> _first = [];
    private readonly List<double> _hopped = [];
    private readonly List<double> _later = [];
    private readonly List<double> _sums = [];
    private readonly List<double> _bytes = [];

    public void Begin() => _sums.Add(0);

    /// <summary>Takes the ticks of calls from one thread.</summary>
    public void Add(ReadOnlySpan<long> ticks, bool isHop)
    {
        for (var n = 0; n < ticks.Length; n++)
        {
            var time = ticks[n] * (1e9 / Stopwatch.Frequency);
            (n > 0 ? _later : isHop ? _hopped : _first).Add(time);
            _sums[^1] += time;
        }
    }

    /// <summary>Takes the bytes per record after the first change of thread: MEL makes its scope of the activity at the first record.</summary>
    public void End(double bytes) => _bytes.Add(bytes);

    public Dictionary<string, double> Values() => new()
    {
        [RequestMode.Later.Key] = Spread.Of(_later).Median,
        [RequestMode.First.Key] = Spread.Of(_first).Median,
        [RequestMode.Hopped.Key] = Spread.Of(_hopped).Median,
        [RequestMode.Ten.Key] = Spread.Of(_sums).Median,
        [RequestMode.Bytes.Key] = Spread.Of(_bytes).Median,
    };
}
