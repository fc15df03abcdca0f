using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>Calls of many threads, each of which sleeps between them: how long a call takes while others log too.</summary>
/// <param name="host">The library.</param>
/// <param name="threads">How many.</param>
/// <param name="rate">Calls per second of all together.</param>
internal sealed class CrowdLoad(LoggerHost host, int threads, int rate)
{
    private static readonly TimeSpan Sleep = TimeSpan.FromMilliseconds(1);

    private long _calls;

    /// <summary>What the library must have written.</summary>
    public WrittenLines Expected => WrittenLines.Of(0, _calls);

    /// <returns>End minus start of every call.</returns>
    public LatencyHistogram Run(int seconds)
    {
        var share = rate / threads * seconds;
        var histograms = Enumerable.Range(0, threads).Select(static _ => new LatencyHistogram()).ToList();
        var producers = histograms.Select((histogram, number) => new Thread(() => Call(histogram, _calls + (long)number * share, share))).ToList();
        producers.ForEach(static producer => producer.Start());
        producers.ForEach(static producer => producer.Join());
        _calls += (long)threads * share;
        var all = new LatencyHistogram();
        histograms.ForEach(all.Add);
        return all;
    }

    // as many calls after each sleep as the time since the begin asks for
    private void Call(LatencyHistogram histogram, long first, int share)
    {
        var begin = Stopwatch.GetTimestamp();
        for (var done = 0; done < share; Thread.Sleep(Sleep))
        {
            var due = Math.Min(share, (int)(Stopwatch.GetElapsedTime(begin).TotalSeconds * rate / threads));
            for (; done < due; done++)
            {
                var start = Stopwatch.GetTimestamp();
                OrderLog.Generated(host.Logger, OrderNumbers.At(first + done));
                histogram.Record(Stopwatch.GetTimestamp() - start);
            }
        }
    }
}
