using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>In the harness itself: no library is involved.</summary>
internal sealed class SanityRun : IRun
{
    private static long _shared;

    public string Title => "sanity";

    public string Library => "none";

    public double Seconds => 2;

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        var load = double.Parse(File.ReadAllText("/proc/loadavg").Split(' ')[0], CultureInfo.InvariantCulture);
        var values = new Dictionary<string, double>
        {
            [SanityMode.Clock.Key] = Mean(1_000_000, static () => TimeProvider.System.GetUtcNow()),
            [SanityMode.Atomic.Key] = Mean(1_000_000, static () => Interlocked.Increment(ref _shared)),
            [SanityMode.Wake.Key] = WakeSleeper(),
            [SanityMode.Append.Key] = Append(directory),
            [SanityMode.Sleep.Key] = Mean(200, static () => Thread.Sleep(1)),
            [SanityMode.SleepShare.Key] = SleepProcessorShare(),
            [SanityMode.Gap.Key] = Enumerable.Range(0, 30).Select(static _ => LongestGap()).Order().ElementAt(26),
            [SanityMode.Load.Key] = load,
        };
        return [new BenchResult("sanity", "machine", Library, round, values)];
    }

    private static double Mean(int count, Action action)
    {
        for (var n = 0; n < count / 10; n++)
            action();
        var start = Stopwatch.GetTimestamp();
        for (var n = 0; n < count; n++)
            action();
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / count;
    }

    private static double WakeSleeper()
    {
        using var signal = new SemaphoreSlim(0);
        var stop = false;
        var sleeper = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
                signal.Wait();
        });
        sleeper.Start();
        var ticks = 0L;
        const int wakes = 200;
        for (var n = 0; n < wakes; n++)
        {
            Thread.Sleep(1);
            var start = Stopwatch.GetTimestamp();
            signal.Release();
            ticks += Stopwatch.GetTimestamp() - start;
        }

        Volatile.Write(ref stop, true);
        signal.Release();
        sleeper.Join();
        return ticks * 1e9 / Stopwatch.Frequency / wakes;
    }

    private static double Append(string directory)
    {
        var path = Path.Combine(directory, "sanity");
        using var file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, options: FileOptions.DeleteOnClose);
        var block = new byte[64 << 10];
        var offset = 0L;
        return Mean(200, () =>
        {
            RandomAccess.Write(file, block, offset);
            offset += block.Length;
        });
    }

    private static double SleepProcessorShare()
    {
        var before = Environment.CpuUsage.TotalTime;
        var start = Stopwatch.GetTimestamp();
        for (var n = 0; n < 500; n++)
            Thread.Sleep(1);
        return (Environment.CpuUsage.TotalTime - before) / Stopwatch.GetElapsedTime(start);
    }

    // Nanoseconds.
    private static long LongestGap()
    {
        Thread.Sleep(15);
        var (start, longest) = (Stopwatch.GetTimestamp(), 0L);
        var end = start + Stopwatch.Frequency / 500;
        for (var before = start; before < end;)
        {
            var now = Stopwatch.GetTimestamp();
            longest = Math.Max(longest, now - before);
            before = now;
        }

        return (long)(longest * (1e9 / Stopwatch.Frequency));
    }
}
