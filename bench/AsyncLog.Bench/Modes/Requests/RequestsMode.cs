using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>Mode <c>requests</c>: what <c>UseAsyncLogRequestLogging</c> adds to a request.</summary>
internal sealed class RequestsMode : IMode
{
    public const string Synchronous = "synchronous";
    public const string Asynchronous = "asynchronous";
    private const string Ours = "asynclog-text";

    public static readonly Figure Nanoseconds = new("nanoseconds", "ns added per request", "F1") { HasRange = true };
    public static readonly Figure Bytes = new("bytes", "bytes added per request", "F2");
    public static readonly Figure Without = new("without", "ns without it", "F1");

    public string Name => "requests";

    public MethodText Method { get; } =
        "Requests through a pipeline without a server: `UseAsyncLogRequestLogging()` and an endpoint, in turn with a middleware that only calls the next one and the same endpoint, in batches of 500; *added* is the difference. After each batch everything is written, outside the clock. "
        + "*synchronous*: the endpoint has ended when it returns. *asynchronous*: it ends later, and a middleware that does something then needs a task. As many requests come before as are measured.";

    public IReadOnlyList<Figure> Figures { get; } = [Nanoseconds, Bytes, Without];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        new() { Mode = "requests", Load = Synchronous, Figure = Nanoseconds, Library = Ours, Kind = GateKind.Value, Must = 1_500, Goal = 500 },
        new() { Mode = "requests", Load = Synchronous, Figure = Bytes, Library = Ours, Kind = GateKind.Value, Must = 0.5, Goal = 0 },
        new() { Mode = "requests", Load = Asynchronous, Figure = Nanoseconds, Library = Ours, Kind = GateKind.Value, Must = 1_500, Goal = 500 },
    ];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var requests = arguments.Number("requests", arguments.Quick(200_000, 2_000));
        return [new RequestsRun(Synchronous, requests), new RequestsRun(Asynchronous, requests)];
    }

    /// <summary>Both pipelines in the harness itself, batch by batch in turn.</summary>
    private sealed record RequestsRun(string Load, int Requests) : IRun
    {
        private const int Batch = 500;

        public string Title => $"requests {Load}";

        public string Library => Ours;

        public double Seconds => 5;

        public IReadOnlyList<BenchResult> Execute(string directory, int round)
        {
            var library = new AsyncLogLibrary(new LibrarySetup(directory, Drops: true), "Text", instances: 1);
            using var services = new ServiceCollection().AddLogging(logging => library.AddTo(logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning))).BuildServiceProvider();
            var isLate = Load == Asynchronous;
            var noOp = new RequestPipeline(services, static app => app.Use(static next => context => next(context)), isLate);
            var ours = new RequestPipeline(services, static app => app.UseAsyncLogRequestLogging(), isLate);
            for (var isWarm = 0; isWarm < 2; isWarm++)
            {
                (noOp.Cost, ours.Cost) = (default, default);
                for (var done = 0; done < Requests; done += Batch)
                {
                    foreach (var pipeline in (RequestPipeline[])[noOp, ours])
                    {
                        pipeline.Send(Batch);
                        library.Drain(services);
                    }
                }
            }

            services.Dispose();
            var lines = File.ReadLines(library.Files[0]).Count();
            if (lines != 2 * Requests)
                throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{lines} lines of {2 * Requests} requests"));
            var values = new Dictionary<string, double>
            {
                [Nanoseconds.Key] = (ours.Cost.Nanoseconds - noOp.Cost.Nanoseconds) / Requests,
                [Bytes.Key] = (double)(ours.Cost.Bytes - noOp.Cost.Bytes) / Requests,
                [Without.Key] = noOp.Cost.Nanoseconds / Requests,
            };
            return [new BenchResult("requests", Load, Library, round, values)];
        }
    }
}
