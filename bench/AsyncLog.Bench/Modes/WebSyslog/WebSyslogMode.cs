using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>web-syslog</c>: what a syslog receiver, good or bad, does to a service.</summary>
internal sealed class WebSyslogMode : IMode
{
    /// <summary>The baseline.</summary>
    public const string Synchronous = "syslog-sync";

    private const string Ours = "asynclog-syslog";
    private const string Nothing = "none";
    private const string NoReceiver = "no receiver";
    private const int UsualConnections = 200;

    private static readonly ReceiverKind[] All = Enum.GetValues<ReceiverKind>();

    // where a provider that waits for its socket shows what it does
    private static readonly ReceiverKind[] OfBaseline = [ReceiverKind.Healthy, ReceiverKind.Slow, ReceiverKind.Stalled];

    public static readonly Figure CallP50 = new("callP50", "call p50 us", "F2", 1e3);
    public static readonly Figure CallP999 = new("callP999", "call p99.9 us", "F1", 1e3);
    public static readonly Figure CallMaximum = new("callMaximum", "longest call ms", "F1", 1e6);
    public static readonly Figure TimedOut = new("timedOut", "timed out", "N0");

    public string Name => "web-syslog";

    public MethodText Method { get; } =
        new MethodText().Always("An ASP.NET Core endpoint that works for 1 ms of processor time and logs five records to a syslog receiver over TCP, server GC, in its own process, under wrk with two threads and 200 connections on the same two cores: 8 s of "
        + "warm-up, then the measurement. The receiver is in the harness, with a receive buffer of 16 KB.")
        .Where(["healthy"], "*healthy* reads.")
        .Where(["slow"], "*slow* takes 50 ms per record.")
        .Where(["stalled"], "*stalled* accepts and never reads.")
        .Where(["absent"], "*absent* refuses.")
        .Where(["resetting"], "*resetting* resets each connection after a second.")
        .Where(["talking"], "*talking* reads, and continuously sends garbage.")
        .Where(["unresolved"], "*unresolved* is a name that does not resolve.")
        .Where([Synchronous], "*syslog-sync* is the baseline: it sends inside the call under a lock, with a send buffer of 64 KB, so that the effect shows within seconds instead of minutes.")
        .Always("*none* has no provider. Requests without an answer within 2 s are *timed out*. "
        + "The times of calls are the service times of every `Log` call in the measurement. Lost records are counted only if the receiver reads everything: logged records minus records that it read.");

    public IReadOnlyList<Figure> Figures { get; } =
        [WebMode.RequestsPerSecond, WebMode.P50, WebMode.P99, CallP50, CallP999, CallMaximum, TimedOut, WebMode.Logged, WebMode.Lost];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Gate(ReceiverKind.Slow, WebMode.RequestsPerSecond, 0.95) with { AtLeast = true },
        Gate(ReceiverKind.Slow, WebMode.P99, 1.10),
        Gate(ReceiverKind.Healthy, WebMode.RequestsPerSecond, 0.85) with { AtLeast = true },
        Gate(ReceiverKind.Healthy, WebMode.Lost, 0) with { Peers = [], PeerLoad = null, Kind = GateKind.Value },
        .. All.Where(static kind => kind != ReceiverKind.Healthy).Select(static kind =>
            Gate(kind, CallP999, 2) with { Peers = [Ours], PeerLoad = LoadOf(ReceiverKind.Healthy, UsualConnections) }),
        // the baseline has to collapse, else the load shows nothing
        Gate(ReceiverKind.Slow, WebMode.RequestsPerSecond, 0.5) with { Library = Synchronous },
    ];

    public static string LoadOf(ReceiverKind? kind, int connections)
        => string.Create(CultureInfo.InvariantCulture, $"{(kind is { } named ? NameOf(named) + " receiver" : NoReceiver)}, {connections} connections");

    public bool NeedsWrk => true;

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var seconds = arguments.Number("seconds", arguments.Quick(5, 2));
        var warmUp = WarmUp.WebSeconds(arguments);
        return [.. arguments.Numbers("connections", UsualConnections.ToString(CultureInfo.InvariantCulture)).SelectMany(connections => Plan(arguments, connections, warmUp, seconds))];
    }

    private static IEnumerable<IRun> Plan(BenchArguments arguments, int connections, int warmUp, int seconds)
    {
        var kinds = KindsOf(arguments.Text("receivers", ""));
        return
        [
            .. arguments.Choose([Nothing]).Select(library => new WebSyslogRun(library, null, connections, warmUp, seconds)),
            .. kinds.SelectMany(kind => arguments.Choose(OfBaseline.Contains(kind) ? [Ours, Synchronous] : [Ours]).Select(library => new WebSyslogRun(library, kind, connections, warmUp, seconds))),
        ];
    }

    private static IReadOnlyList<ReceiverKind> KindsOf(string names) => names.Length == 0 ? All : [.. names.Split(',').Select(KindOf)];

    private static ReceiverKind KindOf(string name)
        => All.Any(kind => NameOf(kind) == name) ? All.First(kind => NameOf(kind) == name) : throw new ArgumentException($"no receiver '{name}'; there are: {string.Join(", ", All.Select(NameOf))}");

    private static string NameOf(ReceiverKind kind) => kind.ToString().ToLowerInvariant();

    private static Gate Gate(ReceiverKind kind, Figure figure, double must) => new()
    {
        Mode = "web-syslog",
        Load = LoadOf(kind, UsualConnections),
        Figure = figure,
        Library = Ours,
        Peers = [Nothing],
        PeerLoad = LoadOf(null, UsualConnections),
        Must = must,
        Goal = must,
    };
}
