using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>One library in a process that has done nothing before.</summary>
internal static class ColdRun
{
    public const string Command = "cold-run";

    private const int Group = 10;

    /// <summary>Where the stretches end whose means are figures.</summary>
    private static readonly int[] Ends = [1_000, 10_000, 100_000];

    public static int Run(BenchArguments arguments)
    {
        var start = Stopwatch.GetTimestamp();
        var setup = new LibrarySetup(arguments.Text("directory", "."), Drops: false);
        var name = arguments.Text("library", "asynclog-text");
        using var library = LibraryCatalogue.Create(name, setup);
        var calls = arguments.Has("one") ? 1 : Ends[^1];
        var groups = new long[calls / Group];
        long setUp, first;
        using (var host = new LoggerHost(library))
        {
            setUp = Stopwatch.GetTimestamp() - start;
            first = Time(host, 0, 1);
            for (var group = 0; group < groups.Length; group++)
                groups[group] = group == 0 ? first + Time(host, 1, Group - 1) : PacedGroup(host, group * Group, start + setUp, arguments.Number("rate", 50_000));
        }

        library.Verify(WrittenLines.Of(0, calls));
        if (calls > 1)
            ChildRun.Leave(setup.Directory, [new BenchResult("cold", ColdMode.Calls, name, arguments.Number("round", 0), Values(setUp, first, groups))]);
        return 0;
    }

    /// <summary>The figures of a process.</summary>
    /// <param name="setUp">Nanoseconds until there was a logger.</param>
    /// <param name="first">Those of the first call.</param>
    /// <param name="groups">Those of each ten calls.</param>
    internal static Dictionary<string, double> Values(long setUp, long first, long[] groups) => new()
    {
        [ColdMode.SetUp.Key] = setUp,
        [ColdMode.FirstCall.Key] = first,
        [ColdMode.FirstThousand.Key] = Mean(groups, 0, Ends[0]),
        [ColdMode.FirstTenThousand.Key] = Mean(groups, Ends[0], Ends[1]),
        [ColdMode.FirstHundredThousand.Key] = Mean(groups, Ends[1], Ends[2]),
    };

    // nanoseconds per call of the calls after "from" up to "to"
    private static double Mean(long[] groups, int from, int to) => groups[(from / Group)..(to / Group)].Sum() / (double)(to - from);

    private static long PacedGroup(LoggerHost host, int first, long start, int rate)
    {
        while (rate > 0 && (Stopwatch.GetTimestamp() - start) * (long)rate < first * Stopwatch.Frequency)
            Thread.SpinWait(1);
        return Time(host, first, Group);
    }

    private static long Time(LoggerHost host, int first, int count)
    {
        var start = Stopwatch.GetTimestamp();
        for (var n = first; n < first + count; n++)
            OrderLog.Generated(host.Logger, OrderNumbers.At(n));
        return Stopwatch.GetTimestamp() - start;
    }
}
