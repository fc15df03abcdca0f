namespace AsyncLog.Bench;

/// <summary>One library against a receiver that takes its time, in a process of its own.</summary>
internal static class OtlpRun
{
    public const string Command = "otlp-run";
    private const int Rate = 50_000;
    private const int Group = 10;
    private static readonly TimeSpan OverloadWarmUp = TimeSpan.FromSeconds(2);

    public static int Run(BenchArguments arguments)
    {
        var name = arguments.Text("library", "");
        var values = new Dictionary<string, double>();
        if (OtlpMode.HasDefaults(name))
        {
            MeasureOverload(arguments, values);
        }
        else
        {
            Prepare(arguments, name, values);
            // a queue that is full must show, or must not be: two instances
            Measure(arguments, drops: true, host => MeasureCaller(host, arguments, values));
            if (!OtlpMode.HasOnlyCalls(name))
                Measure(arguments, drops: false, host => MeasureRate(host, arguments, values));
        }

        var result = new BenchResult("otlp", OtlpMode.LoadOf(arguments.Number("delay", 0)), name, arguments.Number("round", 0), values);
        ChildRun.Leave(arguments.Text("directory", "."), [result]);
        return 0;
    }

    // a receiver that takes its time would fill the peer's queue: the warm-up's answers at once
    private static void Prepare(BenchArguments arguments, string name, Dictionary<string, double> values)
    {
        var directory = arguments.Text("directory", ".");
        using var collector = OtlpCollector.Start(directory, delay: 0);
        values[WarmUp.Calls.Key] = WarmUp.With(name, new LibrarySetup(directory, Drops: false) { Collector = collector.Address }, arguments, CallStyle.Generated);
    }

    private static void MeasureOverload(BenchArguments arguments, Dictionary<string, double> values)
    {
        var directory = arguments.Text("directory", ".");
        using var collector = OtlpCollector.Start(directory, arguments.Number("delay", 0));
        using var library = LibraryCatalogue.Create(arguments.Text("library", ""), new LibrarySetup(directory, Drops: true) { Collector = collector.Address });
        using var host = new LoggerHost(library);
        foreach (var (key, value) in new OtlpOverload(host, collector).Run(OverloadWarmUp, TimeSpan.FromSeconds(arguments.Number("seconds", 1))))
            values[key] = value;
    }

    private static void Measure(BenchArguments arguments, bool drops, Func<LoggerHost, WrittenLines> measure)
    {
        var directory = arguments.Text("directory", ".");
        using var collector = OtlpCollector.Start(directory, arguments.Number("delay", 0));
        using var library = LibraryCatalogue.Create(arguments.Text("library", "asynclog-otlp"), new LibrarySetup(directory, drops) { Collector = collector.Address });
        WrittenLines expected;
        using (var host = new LoggerHost(library))
            expected = measure(host);
        collector.Verify(expected);
    }

    private static WrittenLines MeasureCaller(LoggerHost host, BenchArguments arguments, Dictionary<string, double> values)
    {
        var calls = arguments.Number("calls", 10_000);
        var meter = new CallMeter(host);
        meter.Sustained(CallStyle.Generated, Math.Min(calls, CallerRun.FirstCalls), Rate, Group);
        var cost = meter.Sustained(CallStyle.Generated, calls, Rate, Group);
        (values[CallerMode.Nanoseconds.Key], values[CallerMode.Typical.Key]) = (cost.Nanoseconds, cost.Typical);
        return meter.Expected;
    }

    private static WrittenLines MeasureRate(LoggerHost host, BenchArguments arguments, Dictionary<string, double> values)
    {
        var load = new OtlpLoad(host);
        // queues grow to their size and stay there
        var count = arguments.Number("count", 10_000);
        load.Run(Math.Min(count, OtlpLoad.Portion));
        foreach (var (key, value) in load.Run(count))
            values[key] = value;
        return load.Expected;
    }
}
