using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>caller</c>: what one call costs the thread that logs.</summary>
internal sealed class CallerMode : IMode
{
    public const string Sustained = "sustained";
    public const string Burst = "burst";
    private const string Ours = "asynclog-text";
    private const string Floor = "no-op";
    private const string Rate = "50000";
    private const string Group = "10";

    public static readonly Figure Nanoseconds = new("nanoseconds", "ns per call", "F1");
    public static readonly Figure Typical = new("typical", "median of tens", "F1");
    public static readonly Figure Bytes = new("bytes", "bytes per call", "F2");

    private static readonly string[] NLog = ["nlog-1000", "nlog-100000"];
    private static readonly string[] Serilog = ["serilog-1000", "serilog-100000"];
    private static readonly string[] MelConsole = ["console-1000", "console-100000"];
    private static readonly string[] Libraries = [Floor, Ours, "asynclog-json", "asynclog-two", "asynclog-watched", .. NLog, .. Serilog, .. MelConsole, "opentelemetry"];

    private static readonly string[] Native = ["reference", "spdlog-sync", "spdlog-8192", "spdlog-131072", "log4j2-8192", "log4j2-262144"];

    public string Name => "caller";

    public string Method =>
        "Mean time of one `Log` call from one thread. *sustained*: calls go on at 50,000/s, ten at a time as a request logs them, so that the library's worker runs beside them; every library is set to drop, "
        + "and since every line arrived no queue was ever full. *burst*: 4,096 calls at full speed (half a queue where that is less), then the queue is drained outside the clock; most of "
        + "a burst is over before a worker has woken up. The gates are judged on *sustained*. `asynclog-two` is two instances with one layout, `asynclog-watched` has listeners to the meter and the EventSource, and asks for the page's status and metrics by HTTP and for the health check, each once a second, all in the same process; `opentelemetry` the batch processor with an exporter that only counts. "
        + "The C++ and Java programs are called by their own interface, without MEL, under *sustained*, native.";

    public IReadOnlyList<Figure> Figures => [Nanoseconds, Typical, Bytes];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        .. ((string[][])[NLog, Serilog, MelConsole]).Select(static peers => Gate(CallStyle.Generated, peers, 0.18, 0.12)),
        Gate(CallStyle.Generated, ["opentelemetry"], 0.60, 0.45),
        Gate(CallStyle.Generated, [Floor], 190, 120) with { Kind = GateKind.Difference },
        .. ((string[][])[NLog, MelConsole]).Select(static peers => Gate(CallStyle.Template, peers, 0.20, 0.13)),
        Gate(CallStyle.Template, Serilog, 0.40, 0.28),
        Gate(CallStyle.Disabled, [Floor], 1.05, 1.00),
        Gate(CallStyle.Generated, [Ours], 1.20, 1.12) with { Library = "asynclog-two" },
        Gate(CallStyle.Generated, [Ours], 1.03, 1.01) with { Library = "asynclog-watched" },
        Gate(CallStyle.Generated, [Ours], 2.0, 1.4) with { Library = "asynclog-json" },
    ];

    public static string LoadOf(string kind, CallStyle style) => $"{kind}, {style.Name}";

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var calls = arguments.Number("calls", arguments.Quick(102_400, 10_240));
        string[] options =
        [
            "--calls", calls.ToString(CultureInfo.InvariantCulture),
            "--burst", arguments.Text("burst", "4096"), "--rate", arguments.Text("rate", Rate), "--group", arguments.Text("group", Group),
            "--loads", arguments.Has("sustained") ? Sustained : $"{Sustained},{Burst}",
        ];
        var peers = new NativePeers();
        return
        [
            .. arguments.Choose(Libraries).Select(library => new ChildRun(CallerRun.Command, library, options, arguments)),
            .. peers.Available(arguments.Choose(Native)).Select(library => Program(peers, library, calls, arguments)),
        ];
    }

    private static NativeRun Program(NativePeers peers, string library, int calls, BenchArguments arguments) => new(
        peers,
        library,
        ["--count", calls.ToString(CultureInfo.InvariantCulture), "--rate", arguments.Text("rate", Rate), "--group", arguments.Text("group", Group)],
        "caller",
        $"{Sustained}, native",
        static printed => new Dictionary<string, double> { [Nanoseconds.Key] = printed["nanoseconds"] });

    private static Gate Gate(CallStyle style, string[] peers, double must, double goal)
        => new() { Mode = "caller", Load = LoadOf(Sustained, style), Figure = Nanoseconds, Library = Ours, Peers = peers, Must = must, Goal = goal };
}
