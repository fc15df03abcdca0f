namespace AsyncLog.Bench;

/// <summary>One library against a receiver that takes its time, in a process of its own.</summary>
internal static class OtlpRun
{
    public const string Command = "otlp-run";
    private const int WarmUpCalls = 4_096;
    private const int Rate = 50_000;
    private const int Group = 10;
    private static readonly TimeSpan OverloadWarmUp = TimeSpan.FromSeconds(2);

    public static int Run(BenchArguments arguments)
    {
        var values = new Dictionary<string, double>();
        if (OtlpMode.HasDefaults(arguments.Text("library", "")))
        {
            MeasureOverload(arguments, values);
        }
        else
        {
            // a queue that is full must show, or must not be: two instances
            Measure(arguments, drops: true, values, MeasureCaller);
            Measure(arguments, drops: false, values, MeasureRate);
        }

        var result = new BenchResult("otlp", OtlpMode.LoadOf(arguments.Number("delay", 0)), arguments.Text("library", ""), arguments.Number("round", 0), values);
        ChildRun.Leave(arguments.Text("directory", "."), [result]);
        return 0;
    }

    private static void Measure(
        BenchArguments arguments, bool drops, Dictionary<string, double> values, Func<LoggerHost, BenchArguments, Dictionary<string, double>, WrittenLines> measure)
    {
        var directory = arguments.Text("directory", ".");
        using var collector = OtlpCollector.Start(directory, arguments.Number("delay", 0));
        using var library = LibraryCatalogue.Create(arguments.Text("library", "asynclog-otlp"), new LibrarySetup(directory, drops) { Collector = collector.Address });
        WrittenLines expected;
        using (var host = new LoggerHost(library))
            expected = measure(host, arguments, values);
        collector.Verify(expected);
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

    private static WrittenLines MeasureCaller(LoggerHost host, BenchArguments arguments, Dictionary<string, double> values)
    {
        var meter = new CallMeter(host);
        for (var round = 0; round < WarmUp.Rounds(arguments); round++)
        {
            meter.Burst(CallStyle.Generated, WarmUpCalls, WarmUpCalls);
            Thread.Sleep(WarmUp.Pause);
        }

        var cost = meter.Sustained(CallStyle.Generated, arguments.Number("calls", WarmUpCalls), Rate, Group);
        (values[CallerMode.Nanoseconds.Key], values[CallerMode.Typical.Key]) = (cost.Nanoseconds, cost.Typical);
        return meter.Expected;
    }

    private static WrittenLines MeasureRate(LoggerHost host, BenchArguments arguments, Dictionary<string, double> values)
    {
        var load = new OtlpLoad(host);
        for (var round = 0; round < WarmUp.Rounds(arguments); round++)
        {
            load.Run(WarmUpCalls);
            Thread.Sleep(WarmUp.Pause);
        }

        // queues grow to their size and stay there
        var count = arguments.Number("count", WarmUpCalls);
        load.Run(Math.Min(count, OtlpLoad.Portion));
        foreach (var (key, value) in load.Run(count))
            values[key] = value;
        return load.Expected;
    }
}
