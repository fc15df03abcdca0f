using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>What one request does: works a while, and logs.</summary>
/// <param name="records">Records per request.</param>
/// <param name="work">Processor time of the work.</param>
/// <param name="timesCalls">Whether each call is timed.</param>
internal sealed class WebRequest(int records, TimeSpan work, bool timesCalls)
{
    private readonly long _work = (long)work.TotalNanoseconds;
    private ThreadLocal<LatencyHistogram> _calls = New();
    private long _requests;

    public string Answer(ILogger logger)
    {
        Work();
        var first = (Interlocked.Increment(ref _requests) - 1) * records;
        for (var n = first; n < first + records; n++)
        {
            if (timesCalls)
                Time(logger, n);
            else
                OrderLog.Generated(logger, OrderNumbers.At(n));
        }

        return "done";
    }

    /// <summary>Forgets the times so far.</summary>
    public string Begin()
    {
        _calls = New();
        return "begun";
    }

    /// <summary>The measured values.</summary>
    public Dictionary<string, double> Figures()
    {
        var figures = new Dictionary<string, double> { [WebMode.Logged.Key] = _requests * records };
        if (!timesCalls)
            return figures;
        var all = new LatencyHistogram();
        foreach (var calls in _calls.Values)
            all.Add(calls);
        figures[WebSyslogMode.CallP50.Key] = all.Percentile(50);
        figures[WebSyslogMode.CallP999.Key] = all.Percentile(99.9);
        figures[WebSyslogMode.CallMaximum.Key] = all.Maximum;
        return figures;
    }

    private static ThreadLocal<LatencyHistogram> New() => new(static () => new LatencyHistogram(), trackAllValues: true);

    private void Time(ILogger logger, long n)
    {
        var start = Stopwatch.GetTimestamp();
        OrderLog.Generated(logger, OrderNumbers.At(n));
        _calls.Value!.Record(Stopwatch.GetTimestamp() - start);
    }

    // Processor time: while the thread waits for a core, no work is done.
    private void Work()
    {
        for (var end = CpuClock.OfThread + _work; _work > 0 && CpuClock.OfThread < end;)
            Thread.SpinWait(10);
    }
}
