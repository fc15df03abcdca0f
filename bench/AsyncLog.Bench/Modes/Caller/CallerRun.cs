namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: warms up, measures every call style under every load, disposes, and verifies that every line arrived.</summary>
internal static class CallerRun
{
    public const string Command = "caller-run";

    private const int WarmUpCalls = 4_096;

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        using var library = LibraryCatalogue.Create(arguments.Text("library", "no-op"), new LibrarySetup(directory, Drops: true));
        List<BenchResult> results;
        WrittenLines expected;
        using (var host = new LoggerHost(library))
        {
            var meter = new CallMeter(host);
            var burst = Math.Min(arguments.Number("burst", 4_096), library.Room);
            CallUnmeasured(meter, burst, WarmUp.Rounds(arguments));
            results =
            [
                .. from load in arguments.Text("loads", CallerMode.Sustained).Split(',')
                   from style in CallStyle.All
                   select Result(arguments, load, style, Measure(meter, arguments, load, style, burst)),
            ];
            expected = meter.Expected;
        }

        library.Verify(expected);
        ChildRun.Leave(directory, results);
        return 0;
    }

    private static CallCost Measure(CallMeter meter, BenchArguments arguments, string load, CallStyle style, int burst)
    {
        var calls = arguments.Number("calls", 4_096);
        // a call that writes nothing has no worker to run beside
        return load == CallerMode.Burst || !style.Writes
            ? meter.Burst(style, calls, burst)
            : meter.Sustained(style, calls, arguments.Number("rate", 50_000), arguments.Number("group", 10));
    }

    private static void CallUnmeasured(CallMeter meter, int burst, int rounds)
    {
        for (var round = 0; round < rounds; round++)
        {
            foreach (var style in CallStyle.All)
                meter.Burst(style, WarmUpCalls, burst);
            Thread.Sleep(WarmUp.Pause);
        }
    }

    private static BenchResult Result(BenchArguments arguments, string load, CallStyle style, CallCost cost) => new(
        "caller",
        CallerMode.LoadOf(load, style),
        arguments.Text("library", ""),
        arguments.Number("round", 0),
        new Dictionary<string, double> { [CallerMode.Nanoseconds.Key] = cost.Nanoseconds, [CallerMode.Typical.Key] = cost.Typical, [CallerMode.Bytes.Key] = cost.Bytes });
}
