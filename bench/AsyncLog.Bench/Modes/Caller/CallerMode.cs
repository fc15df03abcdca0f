using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>caller</c>: what one call costs the thread that logs.</summary>
internal sealed class CallerMode : IMode
{
    public const string Sustained = "sustained";

    /// <summary>The calls of a service, and the load of the chart.</summary>
    public const string Everyday = "everyday";

    private const string Ours = "asynclog-text";
    private const string OurJson = "asynclog-json";
    private const string NoOp = "no-op";
    private const int Rate = 50_000;

    public static readonly Figure Nanoseconds = new("nanoseconds", "ns per call", "F1");
    public static readonly Figure Typical = new("typical", "median stretch", "F1");
    public static readonly Figure Bytes = new("bytes", "bytes per call", "F2");
    public static readonly Figure P999 = new("p999", "p99.9, ns", "F0") { HasRange = true };

    private static readonly string[] EverydayNLog = [.. Peers.NLog.SkipLast(1)];
    private static readonly string[] EverydaySerilog = [.. Peers.Serilog.SkipLast(1)];
    private static readonly string[] EverydayLibraries =
        [NoOp, Ours, .. EverydayNLog, .. EverydaySerilog, Peers.MelConsole[0], .. Peers.ZLogger, OurJson, .. Peers.Json, Peers.OpenTelemetry[0]];

    /// <summary>Every library that a call is measured of.</summary>
    public static IReadOnlyList<string> Libraries { get; } =
        [NoOp, Ours, OurJson, "asynclog-two", "asynclog-crash", .. Peers.NLog, .. Peers.Serilog, .. Peers.MelConsole, .. Peers.ZLogger, .. Peers.OpenTelemetry];

    public string Name => "caller";

    public MethodText Method { get; } =
        new MethodText().Always("Mean time of one `Log` call from one thread at a time.")
        .Where([Sustained], "*sustained*: one place in the code, at 50,000/s, ten calls at a time as a request logs them, while the worker of the library runs.")
        .Where([Everyday], "*everyday*: the calls of a service at the same pace: 120 places in turn, a request per turn, with an activity and the scopes of ASP.NET Core (connection, hosting, activity). 36 messages have no values, "
        + "48 one to three (int, string, Guid, double, TimeSpan), 12 text that is not ASCII, 6 a null, 12 a format or a width, 4 seven values, and 2 are built for the call. Before two of each ten calls the thread changes. "
        + "Lines of text have no scopes; JSON has the values, the ids and the scopes. The *bytes* are those of the calling thread.")
        .Always("Every library with a queue drops records when the queue is full. Every line arrived, so no queue was ever full. The *median stretch* is that of ten calls. *p99.9* is of calls that were timed one by one, with one look at the clock in each.")
        .Where(["asynclog-two"], "`asynclog-two` is two instances with one layout.")
        .Where(["asynclog-crash"], "`asynclog-crash` has `CrashBuffer: true`, in `/dev/shm`.")
        .Where(["nlog-sleep10"], "`nlog-sleep10` is `nlog-100000` with `timeToSleepBetweenBatches=\"10\"` instead of `0`: a call that finds an empty queue starts a timer and does not wake the worker.")
        .Where(["nlog-keep-open", "serilog-sync"], "`nlog-keep-open` and `serilog-sync` have no queue: they write on the caller's thread, into a buffer of the open file.")
        .Where(["zlogger"], "ZLogger's queue has no limit. It is called through Microsoft.Extensions.Logging, as all others.")
        .Where(["opentelemetry"], "`opentelemetry` is the batch processor with an exporter that only counts: a queue of 262,144 records, exported every 100 ms or when it contains 8,192.")
        .Where(["opentelemetry-default"], "`opentelemetry-default` is the processor with default options: a queue of 2,048 records, exported every 5 s or when it contains 512.")
        .Always(WarmUp.Method);

    public IReadOnlyList<Figure> Figures => [Nanoseconds, Typical, Bytes, P999, WarmUp.Calls];

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
        Gate(CallStyle.Generated, [Ours], 1.8, 1.4) with { Library = OurJson },
        EverydayGate(Ours, EverydayNLog, 0.35),
        EverydayGate(Ours, EverydaySerilog, 0.2),
        EverydayGate(Ours, [Peers.MelConsole[0]], 0.25),
        EverydayGate(Ours, [Peers.OpenTelemetry[0]], 0.9),
        EverydayGate(OurJson, ["nlog-json"], 0.35),
        EverydayGate(OurJson, ["serilog-json"], 0.2),
        EverydayGate(Ours, [Ours], 1.5) with { PeerLoad = LoadOf(Sustained, CallStyle.Generated) },
        EverydayGate(OurJson, [Ours], 2.2) with { PeerLoad = LoadOf(Sustained, CallStyle.Generated) },
    ];

    public IReadOnlyList<(string Label, IReadOnlyList<string> Libraries)> Chart { get; } =
    [
        ("AsyncLog", [Ours]), ("OpenTelemetry, no export", [Peers.OpenTelemetry[0]]), ("NLog", EverydayNLog), ("Serilog", EverydaySerilog), (".NET console", [Peers.MelConsole[0]]),
    ];

    public string ChartLoad => Everyday;

    public static string LoadOf(string kind, CallStyle style) => $"{kind}, {style.Name}";

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var calls = arguments.Number("calls", arguments.Quick(102_400, 10_240));
        string[] options = ["--calls", Text(calls), "--rate", Text(arguments.Number("rate", Rate)), "--group", Text(arguments.Number("group", ServiceLoad.Group))];
        return
        [
            .. arguments.Choose(arguments.Has("everyday") ? [] : Libraries).Select(library => OneStyle(library, calls, options, arguments)),
            .. arguments.Choose(arguments.Has("sustained") ? [] : EverydayLibraries).Select(library => new ChildRun(EverydayRun.Command, library, options, arguments, WarmUp.Seconds(styles: 1) + SecondsOf(calls))),
        ];
    }

    private ChildRun OneStyle(string library, int calls, IReadOnlyList<string> options, BenchArguments arguments)
    {
        CallStyle[] styles = [.. CallStyle.All.Where(style => !arguments.Has("gates") || IsJudged(library, style))];
        return new ChildRun(
            CallerRun.Command,
            library,
            [.. options, "--styles", string.Join(',', styles.Select(static style => style.Name))],
            arguments,
            WarmUp.Seconds(CallStyle.All.Count(static style => style.Writes)) + styles.Count(static style => style.Writes) * SecondsOf(calls));
    }

    // the measured calls, those before them, and those that are timed one by one
    private static double SecondsOf(int calls) => (calls + 2.0 * CallerRun.FirstCalls) / Rate + 0.5;

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static Gate EverydayGate(string library, string[] peers, double must)
        => new() { Mode = "caller", Load = Everyday, Figure = Nanoseconds, Library = library, Peers = peers, Must = must, Goal = must };

    private static Gate Gate(CallStyle style, string[] peers, double must, double goal)
        => new() { Mode = "caller", Load = LoadOf(Sustained, style), Figure = Nanoseconds, Library = Ours, Peers = peers, Must = must, Goal = goal };

    private bool IsJudged(string library, CallStyle style)
        => Gates.Any(gate => gate.Load == LoadOf(Sustained, style) && (gate.Library == library || gate.Peers.Contains(library)));
}
