using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>even</c>: how long calls take under open-loop load, and what the second core does meanwhile.</summary>
internal sealed class EvenMode : IMode
{
    private const string Ours = "asynclog-text";
    private const string NoOp = "no-op";
    public const string Stalled = "asynclog-stalled";
    public const string Unstalled = "asynclog-unstalled";
    private const int Fast = 50_000;
    private const int Slow = 1_000;
    private const int Crowd = 16;

    public static readonly Figure ServiceP50 = new("serviceP50", "service p50 ns", "F0");
    public static readonly Figure ServiceP99 = new("serviceP99", "service p99 ns", "F0") { HasRange = true };
    public static readonly Figure ServiceP999 = new("serviceP999", "service p99.9 ns", "F0") { HasRange = true };
    public static readonly Figure ServiceMax = new("serviceMax", "service max ns", "F0");
    public static readonly Figure ResponseP50 = new("responseP50", "response p50 ns", "F0");
    public static readonly Figure ResponseP99 = new("responseP99", "response p99 ns", "F0");
    public static readonly Figure ResponseP999 = new("responseP999", "response p99.9 ns", "F0");
    public static readonly Figure ResponseMax = new("responseMax", "response max ns", "F0");
    public static readonly Figure WorkerShare = new("workerShare", "second core %", "F2", 0.01) { HasRange = true };
    public static readonly Figure PacerShare = new("pacerShare", "pacing core %", "F1", 0.01);

    private static readonly string[][] Peers = [Bench.Peers.NLog, Bench.Peers.Serilog, Bench.Peers.MelConsole];
    private static readonly string[] AllPeers = [.. Peers.SelectMany(static peer => peer)];

    public string Name => "even";

    public MethodText Method { get; } =
        new MethodText().Always("Open loop, one thread, intended times evenly spaced. *Service time* is the call itself, *response time* counts from the intended time. The pacing thread spins until each intended time. Its own "
        + "processor time is measured and subtracted from that of the process. The rest is the second core: the worker, and for libraries that allocate, the garbage collector. Callers wait when a queue is full.")
        .Always("The loads of a library run one after the other in one process, each with its own instance and file.")
        .Where(["nlog-keep-open", "serilog-sync"], "`nlog-keep-open` and `serilog-sync` have no queue and no worker.")
        .Where(["from 16 threads"], "*from 16 threads*: each thread sleeps for a millisecond and then makes the calls that are due. Only service times are measured.")
        .Where([Stalled], "`asynclog-stalled` writes with a sink of the benchmark that stalls for 200 ms in every second, in drop mode. `asynclog-unstalled` uses the same sink without stalls.")
        .Always(WarmUp.Method);

    public IReadOnlyList<Figure> Figures { get; } =
        [ServiceP50, ServiceP99, ServiceP999, ServiceMax, ResponseP50, ResponseP99, ResponseP999, ResponseMax, WorkerShare, PacerShare, WarmUp.Calls];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Gate(Fast, ServiceP50, AllPeers, 0.60, 0.40),
        .. Peers.Select(static peer => Gate(Slow, ServiceP50, peer, 0.15, 0.08)),
        Gate(Fast, ServiceP99, [NoOp], 900, 450) with { Kind = GateKind.Difference },
        Gate(Fast, ServiceP999, [NoOp], 2_000, 1_000) with { Kind = GateKind.Difference },
        Gate(Fast, ServiceP999, [Unstalled], 1.3, 1.1) with { Library = Stalled },
        Gate(Fast, WorkerShare, [], 5, 3) with { Kind = GateKind.Value },
        Gate(Fast, ServiceP999, AllPeers, 1.0, 0.5) with { Load = LoadOf(Fast, Crowd) },
    ];

    public static string LoadOf(int rate, int threads = 1)
        => string.Create(CultureInfo.InvariantCulture, $"{rate:N0}/s") + (threads == 1 ? "" : string.Create(CultureInfo.InvariantCulture, $" from {threads} threads"));

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var rates = arguments.Numbers("rates", $"{Slow},{Fast}");
        List<(int Rate, int Threads)> loads = [.. rates.Select(static rate => (rate, 1)), .. rates.Contains(Fast) ? [(Fast, Crowd)] : Array.Empty<(int, int)>()];
        return
        [
            .. from library in arguments.Choose([NoOp, Ours, .. AllPeers])
               select Run(library, loads, arguments),
            .. from library in arguments.Choose(rates.Contains(Fast) ? [Unstalled, Stalled] : [])
               select Run(library, [(Fast, 1)], arguments),
        ];
    }

    private static ChildRun Run(string library, IReadOnlyList<(int Rate, int Threads)> loads, BenchArguments arguments)
    {
        var seconds = arguments.Number("seconds", arguments.Quick(3, 2));
        var texts = loads.Select(static load => string.Create(CultureInfo.InvariantCulture, $"{load.Rate}:{load.Threads}"));
        return new ChildRun(
            EvenRun.Command,
            library,
            ["--loads", string.Join(',', texts), "--seconds", seconds.ToString(CultureInfo.InvariantCulture)],
            arguments,
            WarmUp.Seconds(1) + (loads.Count * (seconds + 0.7)) + 1);
    }

    private static Gate Gate(int rate, Figure figure, string[] peers, double must, double goal)
        => new() { Mode = "even", Load = LoadOf(rate), Figure = figure, Library = Ours, Peers = peers, Must = must, Goal = goal };
}
