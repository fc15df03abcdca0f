namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: warms up, calls it with each type in turn, disposes, and verifies that every line arrived.</summary>
internal static class ValuesRun
{
    public const string Command = "values-run";

    // Fewer than fit the queue.
    private const int Calls = 10_000;
    private const int FewestCalls = 100_000;
    private const int MostCalls = 200_000;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(40);

    public static int Run(BenchArguments arguments)
    {
        var name = arguments.Text("library", "asynclog-text");
        var setup = new LibrarySetup(arguments.Text("directory", "."), Drops: true);
        using var library = LibraryCatalogue.Create(name, setup);
        var costs = ValueStyles.All.ToDictionary(static style => style, static _ => new List<double>());
        WrittenLines expected;
        using (var host = new LoggerHost(library))
        {
            var meter = new CallMeter(host);
            WarmUp.UntilSteady(
                ValueStyles.All, style => meter.Quiet(style, Calls, Calls).Typical, static () => Thread.Sleep(Pause), Calls, arguments.Quick(FewestCalls, Calls), arguments.Quick(MostCalls, Calls));
            for (var turn = arguments.Number("turns", 1); turn > 0; turn--)
            {
                foreach (var (style, values) in costs)
                    values.Add(meter.Quiet(style, Calls, Calls).Typical);
            }

            expected = meter.Expected;
        }

        library.Verify(expected);
        var number = costs[ValueStyles.All[0]].Min();
        ChildRun.Leave(setup.Directory, costs.Select(cost => Result(arguments, cost.Key.Name, cost.Value.Min(), number)));
        return 0;
    }

    private static BenchResult Result(BenchArguments arguments, string load, double nanoseconds, double number) => new(
        "values",
        load,
        arguments.Text("library", ""),
        arguments.Number("round", 0),
        new Dictionary<string, double> { [ValuesMode.Nanoseconds.Key] = nanoseconds, [ValuesMode.More.Key] = nanoseconds - number });
}
