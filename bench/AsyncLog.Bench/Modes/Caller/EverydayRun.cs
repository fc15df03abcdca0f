namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: the calls of a service in turn, inside requests.</summary>
internal static class EverydayRun
{
    public const string Command = "everyday-run";

    public static int Run(BenchArguments arguments)
    {
        var name = arguments.Text("library", "no-op");
        var setup = new LibrarySetup(arguments.Text("directory", "."), Drops: true);
        var (calls, rate) = (arguments.Number("calls", 1_200), arguments.Number("rate", 50_000));
        var warmUpCalls = WarmUp.WithService(name, setup, arguments, static async (load, slice) => (await load.Everyday(slice, WarmUp.Rate).ConfigureAwait(false)).Typical);
        using var library = LibraryCatalogue.Create(name, setup);
        var each = new LatencyHistogram();
        CallCost cost;
        int made;
        using (var host = new LoggerHost(library, isService: true))
        {
            (cost, made) = TwoThreads.Run(async threads =>
            {
                var load = new ServiceLoad(host, threads);
                await load.Everyday(Math.Min(calls, CallerRun.FirstCalls), rate).ConfigureAwait(false);
                var together = await load.Everyday(calls, rate).ConfigureAwait(false);
                await load.Everyday(Math.Min(calls, CallerRun.FirstCalls), rate, each).ConfigureAwait(false);
                return (together, load.Calls);
            });
        }

        library.Verify(new WrittenLines(made, 0));
        ChildRun.Leave(setup.Directory, [CallerRun.Result(arguments, CallerMode.Everyday, cost, each, warmUpCalls)]);
        return 0;
    }
}
