using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: what a call costs by its position in a group of calls that follows a pause or other work, and the slowest call of a burst.</summary>
internal static class PositionRun
{
    public const string Command = "position-run";

    /// <summary>Calls of a group.</summary>
    public const int GroupCalls = 20;

    /// <summary>Calls of a burst.</summary>
    public const int BurstCalls = 5_000;

    // Groups before the measurement of a load: the instance has just been made.
    private const int FirstGroups = 50;
    private const int FirstBursts = 3;

    // Bytes of a cache line.
    private const int Line = 64;

    private static readonly TimeSpan BurstPause = TimeSpan.FromMilliseconds(15);

    public static int Run(BenchArguments arguments)
    {
        var name = arguments.Text("library", "no-op");
        var setup = new LibrarySetup(arguments.Text("directory", "."), Drops: true);
        var warmUpCalls = WarmUp.With(name, setup, arguments, CallStyle.Generated);
        using var library = LibraryCatalogue.Create(name, setup);
        var calls = 0;
        var results = new List<BenchResult>();
        using (var host = new LoggerHost(library))
        {
            foreach (var load in CallerMode.Groups)
            {
                Measure(host, library.Room, load, FirstGroups, ref calls);
                results.Add(Result(arguments, CallerMode.LoadOf(load.Name, CallStyle.Generated), Measure(host, library.Room, load, arguments.Number("groups", 1_000), ref calls), warmUpCalls));
            }

            if (library.Room >= BurstCalls)
            {
                Bursts(host, FirstBursts, ref calls);
                var bursts = Bursts(host, arguments.Number("bursts", 30), ref calls);
                var values = new Dictionary<string, double> { [CallerMode.Slowest.Key] = NineOfTen(bursts.Select(static burst => burst.Max())), [CallerMode.SlowestPosition.Key] = SlowestPosition(bursts) };
                results.Add(Result(arguments, CallerMode.LoadOf(CallerMode.Burst, CallStyle.Generated), values, warmUpCalls));
            }
        }

        library.Verify(WrittenLines.Of(0, calls));
        ChildRun.Leave(setup.Directory, results);
        return 0;
    }

    /// <summary>The time that nine of ten times do not exceed.</summary>
    internal static double NineOfTen(IEnumerable<long> times)
    {
        var sorted = times.Order().ToList();
        return sorted[(int)Math.Ceiling(sorted.Count * 0.9) - 1];
    }

    /// <summary>The largest median over the bursts of a position in them: a call that is slow in each burst, and not one that the machine interrupted.</summary>
    internal static double SlowestPosition(IReadOnlyList<long[]> bursts)
        => Enumerable.Range(0, bursts[0].Length).Max(position => Spread.Of(bursts.Select(burst => (double)burst[position])).Median);

    private static BenchResult Result(BenchArguments arguments, string load, Dictionary<string, double> values, int warmUpCalls)
    {
        values[WarmUp.Calls.Key] = warmUpCalls;
        return new BenchResult("caller", load, arguments.Text("library", ""), arguments.Number("round", 0), values);
    }

    private static Dictionary<string, double> Measure(LoggerHost host, int room, GroupLoad load, int groups, ref int calls)
    {
        var times = new long[GroupCalls];
        var (first, second, rest) = (new List<double>(groups), new List<double>(groups), new List<double>(groups * GroupCalls));
        var memory = new byte[load.Bytes];
        var waiting = 0;
        for (var group = 0; group < groups; group++)
        {
            if ((waiting += GroupCalls) > room)
            {
                host.Drain();
                waiting = GroupCalls;
            }

            if (load.Pause > TimeSpan.Zero)
                Thread.Sleep(load.Pause);
            for (var at = 0; at < memory.Length; at += Line)
                memory[at]++;
            Time(host, times, ref calls);
            first.Add(times[0]);
            second.Add(times[1]);
            rest.AddRange(times.Skip(2).Select(static time => (double)time));
        }

        host.Drain();
        return new Dictionary<string, double>
        {
            [CallerMode.First.Key] = Spread.Of(first).Median,
            [CallerMode.Second.Key] = Spread.Of(second).Median,
            [CallerMode.Later.Key] = Spread.Of(rest).Median,
        };
    }

    // The times of the calls of each burst. A single call between two pauses comes before it, so that a worker that adapts to the rate is at rest.
    private static List<long[]> Bursts(LoggerHost host, int bursts, ref int calls)
    {
        var (single, all) = (new long[1], new List<long[]>(bursts));
        for (var burst = 0; burst < bursts; burst++)
        {
            host.Drain();
            Thread.Sleep(BurstPause);
            Time(host, single, ref calls);
            var times = new long[BurstCalls];
            Array.Fill(times, 1);
            Thread.Sleep(BurstPause);
            Time(host, times, ref calls);
            all.Add(times);
        }

        host.Drain();
        return all;
    }

    // Nanoseconds of each call, with what it costs to read the clock.
    private static void Time(LoggerHost host, long[] times, ref int calls)
    {
        var logger = host.Logger;
        var call = CallStyle.Generated.Call;
        var before = Stopwatch.GetTimestamp();
        for (var n = 0; n < times.Length; n++)
        {
            call(logger, OrderNumbers.At(calls++));
            var after = Stopwatch.GetTimestamp();
            times[n] = (long)((after - before) * (1e9 / Stopwatch.Frequency));
            before = after;
        }
    }
}

/// <summary>What comes before a group of calls.</summary>
/// <param name="Name">In tables and results.</param>
/// <param name="Pause">How long the thread sleeps.</param>
/// <param name="Bytes">How much memory it writes to.</param>
internal sealed record GroupLoad(string Name, TimeSpan Pause, int Bytes);
