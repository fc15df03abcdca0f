using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>caller</c>: what one call costs the thread that logs.</summary>
internal sealed class CallerMode : IMode
{
    public const string Sustained = "sustained";
    public const string Quiet = "quiet batches";
    public const string Burst = "burst of 5,000";

    /// <summary>The calls of a service, and the load of the chart.</summary>
    public const string Everyday = "everyday";

    private const string Ours = "asynclog-text";
    private const string NoOp = "no-op";
    private const string Rate = "50000";
    private const string Group = "10";
    private const string Batch = "500";

    public static readonly Figure Nanoseconds = new("nanoseconds", "ns per call", "F1");
    public static readonly Figure Typical = new("typical", "median stretch", "F1");
    public static readonly Figure Bytes = new("bytes", "bytes per call", "F2");
    public static readonly Figure P999 = new("p999", "p99.9, ns", "F0") { HasRange = true };
    public static readonly Figure First = new("first", "call 1, ns", "F0") { HasRange = true };
    public static readonly Figure Second = new("second", "call 2, ns", "F0");
    public static readonly Figure Later = new("later", "calls 3 to 20, ns", "F0");
    public static readonly Figure Slowest = new("slowest", "slowest call, us", "F1", 1_000) { HasRange = true };
    public static readonly Figure SlowestPosition = new("slowestPosition", "slowest position, us", "F1", 1_000) { HasRange = true };


    private static readonly string[] EverydayNLog = ["nlog-100000", "nlog-sleep10", "nlog-keep-open"];
    private static readonly string[] EverydaySerilog = ["serilog-100000", "serilog-sync"];
    private static readonly string[] EverydayText = [Ours, .. EverydayNLog, .. EverydaySerilog, "console-100000", "zlogger-text"];
    private static readonly string[] EverydayJson = ["asynclog-json", "nlog-json", "serilog-json", "console-json", "zlogger-json"];
    private static readonly string[] Synchronous = ["nlog-keep-open", "serilog-sync"];
    private static readonly string[] Positions = [NoOp, Ours, "nlog-100000", "nlog-sleep10", "nlog-keep-open", "serilog-100000", "serilog-sync", "console-100000", "opentelemetry"];
    private static readonly string[] Native = ["reference", "spdlog-sync", "spdlog-8192", "spdlog-131072", "log4j2-8192", "log4j2-262144"];

    /// <summary>Every library that a call is measured of.</summary>
    public static IReadOnlyList<string> Libraries { get; } =
        [NoOp, Ours, "asynclog-json", "asynclog-two", "asynclog-crash", "asynclog-watched", .. Peers.NLog, .. Peers.Serilog, .. Peers.MelConsole, .. Peers.OpenTelemetry];

    /// <summary>What comes before a group of calls whose cost is measured by position.</summary>
    public static IReadOnlyList<GroupLoad> Groups { get; } =
        [new("20 after 1 ms of sleep", TimeSpan.FromMilliseconds(1), 0), new("20 after 1 MB", TimeSpan.Zero, 1 << 20), new("20 after 8 MB", TimeSpan.Zero, 8 << 20)];

    public string Name => "caller";

    public MethodText Method { get; } =
        new MethodText().Always("Mean time of one `Log` call from one thread. *sustained*: calls at 50,000/s, ten at a time as a request logs them, while the worker of the library runs.")
        .Where([Everyday], "*everyday*: the calls of a service, 120 places in turn, a request per turn, with an activity and the scopes of ASP.NET Core (connection, hosting, activity). 36 messages have no values, 48 one to three (int, string, Guid, double, TimeSpan), 12 text that is not ASCII, "
        + "6 a null, 12 a format or a width, 4 seven values, and 2 are built for the call. Before two of each ten calls the thread changes. Lines of text have no scopes; JSON has the values, the ids and the scopes. The *bytes* are those of the calling thread.")
        .Where([Sustained, Everyday], "*p99.9* is of calls that were timed one by one, with one look at the clock in each.")
        .Where([Quiet], "*quiet batches*: 500 calls at full speed, then everything is written, and the thread sleeps for 5 ms, which is not measured, so that the worker is idle.")
        .Always("Every library with a queue drops records when the queue is full. Every line arrived, so no queue was ever full. The *median stretch* is that of ten calls, or of a batch. The gates are judged on *sustained*.")
        .Where(["asynclog-two"], "`asynclog-two` is two instances with one layout.")
        .Where(["asynclog-crash"], "`asynclog-crash` has `CrashBuffer: true`, in `/dev/shm`.")
        .Where(["asynclog-watched"], "`asynclog-watched` has listeners to the meter and the EventSource. Once per second it also requests the status and the metrics of the page over HTTP and the health check, in the same process.")
        .Where(["nlog-sleep10"], "`nlog-sleep10` is `nlog-100000` with `timeToSleepBetweenBatches=\"10\"` instead of `0`: a call that finds an empty queue starts a timer and does not wake the worker.")
        .Where(Synchronous, "`nlog-keep-open` and `serilog-sync` have no queue: they write on the caller's thread, into a buffer of the open file.")
        .Where(["opentelemetry"], "`opentelemetry` is the batch processor with an exporter that only counts: a queue of 262,144 records, exported every 100 ms or when it contains 8,192.")
        .Where(["opentelemetry-512"], "`opentelemetry-512` exports 512 at a time, so that its pool of 2,048 records is large enough.")
        .Where(["opentelemetry-default"], "`opentelemetry-default` is the processor with default options: a queue of 2,048 records, exported every 5 s or when it contains 512.")
        .Where(["native"], "C++ and Java programs are called through their own interface, without Microsoft.Extensions.Logging, under *sustained, native*. The warm-up has as many calls as the measurement (Java: a million more).")
        .Where(["20 after"], "*20 after*: groups of 20 calls, each after a sleep or after the thread wrote to one byte of each 64 of that much other memory. The cost of a call depends on its position in the group. The medians contain one look at the clock per call. The rows `no-op` contain the same.")
        .Where([Burst], "*burst of 5,000*: 5,000 calls at full speed after a pause of 15 ms, which follows a single call. *slowest call*: the slowest call of a burst, which nine of ten bursts do not exceed. It contains what the machine interrupts: `sanity` shows the longest gap between two looks at the clock in 2 ms. *slowest position*: the largest of the medians over all bursts of call 1, call 2, to call 5,000. It is the slowest call that is slow in each burst.")
        .Always("The rows with `{@Order}` log an object of 205 bytes as JSON. Those with *JsonSerializer* serialize the same object with the same options to a buffer that is reused, and then log a call with a number and a text of that length.")
        .Always(WarmUp.Method);

    public IReadOnlyList<Figure> Figures => [Nanoseconds, Typical, Bytes, P999, First, Second, Later, Slowest, SlowestPosition, WarmUp.Calls];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Gate(CallStyle.Generated, [NoOp], 190, 120) with { Kind = GateKind.Difference },
        Gate(CallStyle.Generated, Peers.NLog, 0.40, 0.28),
        Gate(CallStyle.Generated, Peers.Serilog, 0.25, 0.15),
        Gate(CallStyle.Generated, Peers.MelConsole, 0.25, 0.15),
        Gate(CallStyle.Generated, Peers.OpenTelemetry, 0.90, 0.65),
        Gate(CallStyle.Template, [NoOp], 200, 140) with { Kind = GateKind.Difference },
        Gate(CallStyle.Disabled, [NoOp], 1.10, 1.00),
        Gate(CallStyle.Generated, [Ours], 1.20, 1.12) with { Library = "asynclog-two" },
        Gate(CallStyle.Generated, [Ours], 1.02, 1.00) with { Library = "asynclog-crash" },
        Gate(CallStyle.Generated, [Ours], 1.03, 1.01) with { Library = "asynclog-watched" },
        Gate(CallStyle.Generated, [Ours], 1.8, 1.4) with { Library = "asynclog-json" },
        Gate(CallStyle.Generated, Peers.NLog, 0.40, 0.28) with { Load = LoadOf(Groups[1].Name, CallStyle.Generated), Figure = First },
        Gate(CallStyle.Generated, [], 20, 10) with { Load = LoadOf(Burst, CallStyle.Generated), Figure = SlowestPosition, Kind = GateKind.Value },
        EverydayGate(Ours, EverydayNLog, 0.35),
        EverydayGate(Ours, EverydaySerilog, 0.2),
        EverydayGate(Ours, ["console-100000"], 0.25),
        EverydayGate(Ours, ["opentelemetry"], 0.9),
        EverydayGate("asynclog-json", ["nlog-json"], 0.35),
        EverydayGate("asynclog-json", ["serilog-json"], 0.2),
        EverydayGate(Ours, [Ours], 1.5) with { PeerLoad = LoadOf(Sustained, CallStyle.Generated) },
        EverydayGate("asynclog-json", [Ours], 2.2) with { PeerLoad = LoadOf(Sustained, CallStyle.Generated) },
        Gate(CallStyle.Object, [Ours], 1.3, 1.1) with { PeerLoad = LoadOf(Sustained, CallStyle.Serialized) },
    ];

    public IReadOnlyList<(string Label, IReadOnlyList<string> Libraries)> Chart { get; } =
    [
        ("AsyncLog", [Ours]), ("OpenTelemetry, no export", ["opentelemetry"]), ("NLog", EverydayNLog), ("Serilog", EverydaySerilog), (".NET console", ["console-100000"]),
    ];

    public string ChartLoad => Everyday;

    public static string LoadOf(string kind, CallStyle style) => $"{kind}, {style.Name}";

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var calls = arguments.Number("calls", arguments.Quick(102_400, 10_240));
        string[] loads = arguments.Has("sustained") || arguments.Has("gates") ? [Sustained] : [Sustained, Quiet];
        string[] options =
        [
            "--calls", calls.ToString(CultureInfo.InvariantCulture),
            "--burst", arguments.Text("burst", Batch), "--rate", arguments.Text("rate", Rate), "--group", arguments.Text("group", Group),
            "--loads", string.Join(',', loads),
        ];
        var peers = new NativePeers();
        if (arguments.Has("by-position"))
            return ByPosition(arguments);
        if (arguments.Has("everyday"))
            return ByService(arguments, options);
        return
        [
            .. arguments.Choose(Libraries).Select(library => Child(library, [.. CallStyle.All.Where(style => !arguments.Has("gates") || IsJudged(library, style))], loads.Length * (calls + CallerRun.FirstCalls), options, arguments)),
            .. arguments.Choose([Ours]).Select(library => Child(library, CallStyle.Objects, loads.Length * (calls + CallerRun.FirstCalls), options, arguments)),
            .. ByPosition(arguments),
            .. ByService(arguments, options),
            .. peers.Available(arguments.Choose(Native)).Select(library => Program(peers, library, calls, arguments)),
        ];
    }

    private static ChildRun Child(string library, IReadOnlyList<CallStyle> styles, int calls, IReadOnlyList<string> options, BenchArguments arguments) => new(
        CallerRun.Command,
        library,
        [.. options, "--styles", string.Join(',', styles.Select(static style => style.Name))],
        arguments,
        WarmUp.Seconds(CallStyle.All.Count(static style => style.Writes)) + styles.Count(static style => style.Writes) * calls / 50_000.0 + 1);

    private IReadOnlyList<IRun> ByPosition(BenchArguments arguments)
    {
        var (groups, bursts) = (arguments.Number("groups", arguments.Quick(1_000, 20)), arguments.Number("bursts", arguments.Quick(30, 2)));
        string[] options = ["--groups", groups.ToString(CultureInfo.InvariantCulture), "--bursts", bursts.ToString(CultureInfo.InvariantCulture)];
        var libraries = arguments.Choose(Positions).Where(library => !arguments.Has("gates") || Gates.Any(gate => (gate.Figure == First || gate.Figure == SlowestPosition) && (gate.Library == library || gate.Peers.Contains(library))));
        return [.. libraries.Select(library => new ChildRun(PositionRun.Command, library, options, arguments, WarmUp.Seconds(styles: 1) + groups * 3e-3 + bursts * 0.04 + 1))];
    }

    private static IReadOnlyList<IRun> ByService(BenchArguments arguments, IReadOnlyList<string> options) =>
    [
        .. arguments.Choose([NoOp, .. EverydayText, .. EverydayJson, "opentelemetry"])
            .Select(library => new ChildRun(EverydayRun.Command, library, options, arguments, WarmUp.Seconds(styles: 1) + (arguments.Number("calls", 102_400) + 2 * CallerRun.FirstCalls) / 50_000.0 + 1)),
    ];

    private bool IsJudged(string library, CallStyle style)
        => Gates.Any(gate => gate.Load == LoadOf(Sustained, style) && (gate.Library == library || gate.Peers.Contains(library)));

    private static NativeRun Program(NativePeers peers, string library, int calls, BenchArguments arguments) => new(
        peers,
        library,
        ["--count", calls.ToString(CultureInfo.InvariantCulture), "--rate", arguments.Text("rate", Rate), "--group", arguments.Text("group", Group)],
        "caller",
        $"{Sustained}, native",
        static printed => new Dictionary<string, double> { [Nanoseconds.Key] = printed["nanoseconds"] },
        Seconds: 2 * calls / 50_000.0);

    private static Gate EverydayGate(string library, string[] peers, double must)
        => new() { Mode = "caller", Load = Everyday, Figure = Nanoseconds, Library = library, Peers = peers, Must = must, Goal = must };

    private static Gate Gate(CallStyle style, string[] peers, double must, double goal)
        => new() { Mode = "caller", Load = LoadOf(Sustained, style), Figure = Nanoseconds, Library = Ours, Peers = peers, Must = must, Goal = goal };
}
