namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: warms up, measures every call style, disposes, and verifies that every line arrived.</summary>
internal static class CallerRun
{
    public const string Command = "caller-run";

    /// <summary>Calls before each measurement: an instance that has just been made has yet to make its buffers, and a queue that drops is another code path than the one that was warmed up, whose callers wait.</summary>
    public const int FirstCalls = 50_000;

    private const int DisabledBatch = 4_096;

    public static int Run(BenchArguments arguments)
    {
        var name = arguments.Text("library", "no-op");
        var setup = new LibrarySetup(arguments.Text("directory", "."), Drops: true);
        var styles = arguments.Text("styles", CallStyle.Generated.Name).Split(',');
        var warmUpCalls = WarmUp.With(name, setup, arguments, CallStyle.All);
        using var library = LibraryCatalogue.Create(name, setup);
        List<BenchResult> results;
        WrittenLines expected;
        using (var host = new LoggerHost(library))
        {
            var meter = new CallMeter(host);
            results = [.. CallStyle.All.Where(style => styles.Contains(style.Name, StringComparer.Ordinal)).Select(style => Measure(meter, arguments, style, warmUpCalls))];
            expected = meter.Expected;
        }

        library.Verify(expected);
        ChildRun.Leave(setup.Directory, results);
        return 0;
    }

    /// <summary>The result of a load.</summary>
    /// <param name="arguments">Of the run.</param>
    /// <param name="load">The load.</param>
    /// <param name="cost">What a call costs.</param>
    /// <param name="each">The times of each call; null: they were not taken.</param>
    /// <param name="warmUpCalls">Calls before.</param>
    public static BenchResult Result(BenchArguments arguments, string load, CallCost cost, LatencyHistogram? each, int warmUpCalls)
    {
        var values = new Dictionary<string, double>
        {
            [CallerMode.Nanoseconds.Key] = cost.Nanoseconds,
            [CallerMode.Typical.Key] = cost.Typical,
            [CallerMode.Bytes.Key] = cost.Bytes,
            [WarmUp.Calls.Key] = warmUpCalls,
        };
        if (each is not null)
            values[CallerMode.P999.Key] = each.Percentile(99.9);
        return new BenchResult("caller", load, arguments.Text("library", ""), arguments.Number("round", 0), values);
    }

    private static BenchResult Measure(CallMeter meter, BenchArguments arguments, CallStyle style, int warmUpCalls)
    {
        var (calls, rate, group) = (arguments.Number("calls", 4_096), arguments.Number("rate", 50_000), arguments.Number("group", ServiceLoad.Group));
        var load = CallerMode.LoadOf(CallerMode.Sustained, style);
        // a call that writes nothing has no worker to run beside
        if (!style.Writes)
            return Result(arguments, load, meter.Sustained(style, calls, rate: 0, DisabledBatch), each: null, warmUpCalls);
        var few = Math.Min(calls, FirstCalls);
        meter.Sustained(style, few, rate, group);
        var cost = meter.Sustained(style, calls, rate, group);
        var each = new LatencyHistogram();
        meter.Sustained(style, few, rate, group, each);
        return Result(arguments, load, cost, each, warmUpCalls);
    }
}
