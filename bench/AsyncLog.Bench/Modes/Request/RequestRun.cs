namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: requests of ten records, in turn with the same calls outside.</summary>
internal static class RequestRun
{
    public const string Command = "request-run";

    public static int Run(BenchArguments arguments)
    {
        var name = arguments.Text("library", "no-op");
        var setup = new LibrarySetup(arguments.Text("directory", "."), Drops: true) { HasScopes = true };
        var requests = arguments.Number("requests", 100);
        var warmUpCalls = WarmUp.WithService(name, setup, arguments, static (load, calls) => Typical(load, calls));
        using var library = LibraryCatalogue.Create(name, setup);
        (RequestCost Inside, RequestCost Outside) cost;
        int calls;
        using (var host = new LoggerHost(library, isService: true))
        {
            (cost, calls) = TwoThreads.Run(async threads =>
            {
                var load = new ServiceLoad(host, threads);
                // the instance has just been made
                await load.Requests(requests / 10, RequestMode.Rate).ConfigureAwait(false);
                return (await load.Requests(requests, RequestMode.Rate).ConfigureAwait(false), load.Calls);
            });
        }

        library.Verify(WrittenLines.Of(0, calls));
        ChildRun.Leave(setup.Directory, [Result(RequestMode.Inside, cost.Inside), Result(RequestMode.Outside, cost.Outside)]);
        return 0;

        BenchResult Result(string load, RequestCost found) => new(
            "request", load, name, arguments.Number("round", 0), new Dictionary<string, double>(found.Values()) { [WarmUp.Calls.Key] = warmUpCalls });
    }

    private static async Task<double> Typical(ServiceLoad load, int calls)
        => (await load.Requests(calls / (2 * ServiceLoad.Group), WarmUp.Rate).ConfigureAwait(false)).Inside.Values()[RequestMode.Ten.Key];
}
