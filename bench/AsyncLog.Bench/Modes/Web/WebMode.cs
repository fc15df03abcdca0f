using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>web</c>: what logging does to a service.</summary>
internal sealed class WebMode : IMode
{
    private const string Ours = "asynclog-text";
    private const string Nothing = "none";
    private const string NoOp = "no-op";
    private const int Connections = 100;
    private static readonly string[] Others = ["nlog-1000", "nlog-100000", "nlog-default", "serilog-100000", "serilog-flush", "console-100000", "console-default"];
    private static readonly string[] Libraries = [Nothing, NoOp, .. Others, Ours];

    public static readonly Figure RequestsPerSecond = new("requestsPerSecond", "requests/s", "N0");
    public static readonly Figure P50 = new("p50", "p50 ms", "F2", 1e6);
    public static readonly Figure P99 = new("p99", "p99 ms", "F2", 1e6);
    public static readonly Figure Logged = new("logged", "records logged", "N0");
    public static readonly Figure Lost = new("lost", "records lost", "N0");

    public string Name => "web";

    public MethodText Method { get; } =
        new MethodText().Always("An ASP.NET Core endpoint that logs ten records per request, server GC as the web SDK sets it, in its own process, under wrk with two threads on the same two cores: 8 s of warm-up, then the measurement. "
        + "*none* has no provider, *no-op* one that does nothing: the difference is the work of the host and of Microsoft.Extensions.Logging with any provider (an activity and a scope per request). AsyncLog, NLog and Serilog's asynchronous sink drop records when their queue is full. *records lost* counts these.")
        .Where(["console"], "The console of Microsoft.Extensions.Logging waits. Its standard output is a file.")
        .Where(["serilog-flush"], "*serilog-flush* is Serilog's default file sink: on the caller's thread, with one flush per event.")
        .Always("*CPU ns per record* is the processor time of the application, without wrk, divided by ten times the requests that wrk counts. The cost of a library is its difference from *no-op*. "
        + "The log is outside the content root, which the host watches. Records are counted in the file after the application has ended. wrk is a closed loop of 100 connections, so its percentiles are for comparison, not for planning.");

    public IReadOnlyList<Figure> Figures { get; } = [RequestsPerSecond, Bench.Figures.CpuPerRecord, P50, P99, Logged, Lost];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Gate(RequestsPerSecond, [NoOp], 0.83, 0.90) with { AtLeast = true },
        Gate(RequestsPerSecond, Others, 1.25, 1.5) with { AtLeast = true },
        Gate(Bench.Figures.CpuPerRecord, [NoOp], 420, 280) with { Kind = GateKind.Difference },
        Gate(Lost, [], 0, 0) with { Kind = GateKind.Value },
    ];

    public static string LoadOf(int connections) => string.Create(CultureInfo.InvariantCulture, $"{connections} connections");

    public bool NeedsWrk => true;

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var seconds = arguments.Number("seconds", arguments.Quick(5, 2));
        return
        [
            .. from connections in arguments.Numbers("connections", Connections.ToString(CultureInfo.InvariantCulture))
               from library in arguments.Choose(Libraries)
               select new WebRun(library, connections, WarmUp.WebSeconds(arguments), seconds),
        ];
    }

    private static Gate Gate(Figure figure, string[] peers, double must, double goal)
        => new() { Mode = "web", Load = LoadOf(Connections), Figure = figure, Library = Ours, Peers = peers, Must = must, Goal = goal };
}
