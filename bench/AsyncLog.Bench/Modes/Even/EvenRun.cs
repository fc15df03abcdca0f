using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>One library at one rate in a process of its own.</summary>
internal static class EvenRun
{
    public const string Command = "even-run";
    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var rate = arguments.Number("rate", 1_000);
        var name = arguments.Text("library", "no-op");
        var setup = new LibrarySetup(directory, Drops: name is EvenMode.Stalled or EvenMode.Unstalled);
        var warmUpCalls = WarmUp.With(name, setup, arguments, CallStyle.Generated);
        using var library = LibraryCatalogue.Create(name, setup);
        Dictionary<string, double> values;
        WrittenLines expected;
        using (var host = new LoggerHost(library))
        {
            var load = new PacedLoad(host, rate);
            load.Run(rate / 2);
            values = Measure(load, rate * arguments.Number("seconds", 1));
            values[WarmUp.Calls.Key] = warmUpCalls;
            expected = load.Expected;
        }

        library.Verify(expected);
        ChildRun.Leave(directory, [new BenchResult("even", EvenMode.LoadOf(rate), name, arguments.Number("round", 0), values)]);
        return 0;
    }

    private static Dictionary<string, double> Measure(PacedLoad load, int calls)
    {
        var start = Stopwatch.GetTimestamp();
        var process = CpuClock.OfProcess;
        var thread = CpuClock.OfThread;
        load.Run(calls);
        thread = CpuClock.OfThread - thread;
        process = CpuClock.OfProcess - process;
        var elapsed = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        var values = new Dictionary<string, double>
        {
            [EvenMode.WorkerShare.Key] = (process - thread) / elapsed,
            [EvenMode.PacerShare.Key] = thread / elapsed,
        };
        Add(values, load.Service, EvenMode.ServiceP50, EvenMode.ServiceP99, EvenMode.ServiceP999, EvenMode.ServiceMax);
        Add(values, load.Response, EvenMode.ResponseP50, EvenMode.ResponseP99, EvenMode.ResponseP999, EvenMode.ResponseMax);
        return values;
    }

    private static void Add(Dictionary<string, double> values, LatencyHistogram times, Figure p50, Figure p99, Figure p999, Figure maximum)
    {
        values[p50.Key] = times.Percentile(50);
        values[p99.Key] = times.Percentile(99);
        values[p999.Key] = times.Percentile(99.9);
        values[maximum.Key] = times.Maximum;
    }
}
