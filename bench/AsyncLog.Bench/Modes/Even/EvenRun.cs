using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>One library under its loads, one after the other, in a process of its own.</summary>
internal static class EvenRun
{
    public const string Command = "even-run";

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var name = arguments.Text("library", "no-op");
        var setup = new LibrarySetup(directory, Drops: name is EvenMode.Stalled or EvenMode.Unstalled);
        var warmUpCalls = WarmUp.With(name, setup, arguments, CallStyle.Generated);
        var results = new List<BenchResult>();
        foreach (var load in arguments.Text("loads", "1000:1").Split(','))
        {
            var parts = load.Split(':');
            var (rate, threads) = (int.Parse(parts[0], CultureInfo.InvariantCulture), int.Parse(parts[1], CultureInfo.InvariantCulture));
            var values = new Dictionary<string, double> { [WarmUp.Calls.Key] = warmUpCalls };
            Measure(LibraryCatalogue.Create(name, setup), rate, threads, arguments.Number("seconds", 1), values);
            results.Add(new BenchResult("even", EvenMode.LoadOf(rate, threads), name, arguments.Number("round", 0), values));
        }

        ChildRun.Leave(directory, results);
        return 0;
    }

    private static void Measure(ILibrary measured, int rate, int threads, int seconds, Dictionary<string, double> values)
    {
        using var library = measured;
        WrittenLines expected;
        using (var host = new LoggerHost(library))
            expected = threads == 1 ? Paced(new PacedLoad(host, rate), rate, seconds, values) : Crowd(new CrowdLoad(host, threads, rate), seconds, values);
        library.Verify(expected);
        library.RemoveFiles();
    }

    private static WrittenLines Crowd(CrowdLoad load, int seconds, Dictionary<string, double> values)
    {
        load.Run(seconds: 1);
        Add(values, load.Run(seconds), EvenMode.ServiceP50, EvenMode.ServiceP99, EvenMode.ServiceP999, EvenMode.ServiceMax);
        return load.Expected;
    }

    private static WrittenLines Paced(PacedLoad load, int rate, int seconds, Dictionary<string, double> values)
    {
        load.Run(rate / 2);
        var start = Stopwatch.GetTimestamp();
        var process = CpuClock.OfProcess;
        var thread = CpuClock.OfThread;
        load.Run(rate * seconds);
        thread = CpuClock.OfThread - thread;
        process = CpuClock.OfProcess - process;
        var elapsed = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        values[EvenMode.WorkerShare.Key] = (process - thread) / elapsed;
        values[EvenMode.PacerShare.Key] = thread / elapsed;
        Add(values, load.Service, EvenMode.ServiceP50, EvenMode.ServiceP99, EvenMode.ServiceP999, EvenMode.ServiceMax);
        Add(values, load.Response, EvenMode.ResponseP50, EvenMode.ResponseP99, EvenMode.ResponseP999, EvenMode.ResponseMax);
        return load.Expected;
    }

    private static void Add(Dictionary<string, double> values, LatencyHistogram times, Figure p50, Figure p99, Figure p999, Figure maximum)
    {
        values[p50.Key] = times.Percentile(50);
        values[p99.Key] = times.Percentile(99);
        values[p999.Key] = times.Percentile(99.9);
        values[maximum.Key] = times.Maximum;
    }
}
