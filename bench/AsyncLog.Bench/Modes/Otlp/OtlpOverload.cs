using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>More records than go through, from one thread, for a time: what arrives meanwhile. A library may drop the rest.</summary>
internal sealed class OtlpOverload(LoggerHost host, OtlpCollector collector)
{
    // About a million a second where nothing else runs; the pause leaves the exporter and the receiver a core each.
    private const int Step = 2_000;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);

    private long _calls;

    public Dictionary<string, double> Run(TimeSpan warmUp, TimeSpan time)
    {
        Log(warmUp);
        var before = collector.Seen();
        var start = Stopwatch.GetTimestamp();
        Log(time);
        var seen = collector.Seen();
        var elapsed = Stopwatch.GetElapsedTime(start);
        if (seen.Count > _calls)
            throw new InvalidOperationException("more records arrived than were logged");
        return new Dictionary<string, double> { [Figures.RecordsPerSecond.Key] = (seen.Count - before.Count) / elapsed.TotalSeconds };
    }

    private void Log(TimeSpan time)
    {
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time; Thread.Sleep(Pause))
        {
            for (var last = _calls + Step; _calls < last; _calls++)
                OrderLog.Generated(host.Logger, OrderNumbers.At(_calls));
        }
    }
}
