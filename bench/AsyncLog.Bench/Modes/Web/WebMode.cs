using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>web</c>: what logging does to a service.</summary>
internal sealed class WebMode : IMode
{
    private const string Ours = "asynclog-text";
    private const string Nothing = "none";
    private static readonly string[] Libraries = [Nothing, "no-op", "console-100000", "serilog-flush", "nlog-100000", Ours];
    private static readonly int[] Connections = [100, 200];

    public static readonly Figure RequestsPerSecond = new("requestsPerSecond", "requests/s", "N0");
    public static readonly Figure P50 = new("p50", "p50 ms", "F2", 1e6);
    public static readonly Figure P99 = new("p99", "p99 ms", "F2", 1e6);
    public static readonly Figure Logged = new("logged", "records logged", "N0");
    public static readonly Figure Lost = new("lost", "records lost", "N0");

    public string Name => "web";

    public string Method =>
        "An ASP.NET Core endpoint that logs ten records per request, server GC as the web SDK sets it, in a process of its own, under wrk with two threads on the same two cores: 8 s of warm-up, then the measurement. "
        + "*none* has no provider, *no-op* one that does nothing: the rest is what the host and MEL do themselves once there is one (an activity and a scope per request). AsyncLog and NLog drop when their queue is full, the MEL console (standard output going to a file) waits, *serilog-flush* is Serilog's file sink as it comes, on the caller's thread with one flush per event. "
        + "The log is outside the content root, which the host watches. Records are counted in the file after the application has ended. wrk is a closed loop: its percentiles are for comparison, not for planning.";

    public IReadOnlyList<Figure> Figures { get; } = [RequestsPerSecond, P50, P99, Logged, Lost];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        .. Connections.Select(static connections => Gate(connections, RequestsPerSecond, 0.90) with { AtLeast = true }),
        .. Connections.Select(static connections => Gate(connections, P99, 1.15)),
        .. Connections.Select(static connections => Gate(connections, Lost, 0) with { Peers = [], Kind = GateKind.Value }),
    ];

    public static string LoadOf(int connections) => string.Create(CultureInfo.InvariantCulture, $"{connections} connections");

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        if (!Wrk.IsInstalled)
        {
            Console.Error.WriteLine("web is left out: wrk is not installed");
            return [];
        }

        var seconds = arguments.Number("seconds", arguments.Quick(5, 2));
        return
        [
            .. from connections in arguments.Numbers("connections", string.Join(',', Connections))
               from library in arguments.Choose(Libraries)
               select new WebRun(library, connections, WarmUp.WebSeconds(arguments), seconds),
        ];
    }

    private static Gate Gate(int connections, Figure figure, double must)
        => new() { Mode = "web", Load = LoadOf(connections), Figure = figure, Library = Ours, Peers = [Nothing], Must = must, Goal = must };
}
