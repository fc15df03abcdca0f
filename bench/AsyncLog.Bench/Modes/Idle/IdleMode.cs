using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>idle</c>: what a logger costs that has nothing to do, and how soon the first record after silence is in the file.</summary>
internal sealed class IdleMode : IMode
{
    public const string Silence = "silence";
    public const string FirstRecord = "first record";
    private const string Ours = "asynclog-text";
    private const string NoOp = "no-op";
    private static readonly string[] Libraries = [NoOp, Ours, .. Peers.MelConsole, "nlog-100000", "nlog-default"];

    public static readonly Figure Visible = new("visible", "record to file, us", "F0", 1_000) { HasRange = true };
    public static readonly Figure VisibleMax = new("visibleMax", "longest, us", "F0", 1_000);
    public static readonly Figure IdleShare = new("idleShare", "idle CPU %", "F3", 0.01) { HasRange = true };

    public string Name => "idle";

    public MethodText Method { get; } =
        new MethodText().Where([Silence], "*silence*: processor time of the whole process while nothing is logged, beginning 2 s after the last record. "
        + "Tiered compilation is off, because the runtime compiles in the background during the first half minute, which is not part of the cost of silence.")
        .Where([FirstRecord], "*first record*: the time from the start of one `Log` call after 1.5 s of silence to the first byte in the file, the median of several. The thread that logged reads the length of the file repeatedly and yields its processor in between. NLog's fast configuration flushes the file once per second, its default configuration after each batch. "
        + "It is measured after at least 400,000 calls, as in `caller`.");

    public IReadOnlyList<Figure> Figures { get; } = [IdleShare, Visible, VisibleMax];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        new() { Mode = "idle", Load = Silence, Figure = IdleShare, Library = Ours, Peers = [NoOp], Kind = GateKind.Difference, Must = 0.05, Goal = 0 },
        new() { Mode = "idle", Load = FirstRecord, Figure = Visible, Library = Ours, Peers = Bench.Peers.MelConsole, Must = 1.5, Goal = 1.0 },
    ];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var libraries = arguments.Choose(Libraries);
        string[] silence = ["--load", Silence, "--seconds", Text(arguments.Number("seconds", arguments.Quick(5, 2)))];
        string[] first = ["--load", FirstRecord, "--probes", Text(arguments.Number("probes", arguments.Quick(5, 2)))];
        return
        [
            .. libraries.Select(library => new ChildRun(IdleRun.Command, library, silence, arguments, 11) { IsSettled = true }),
            .. libraries.Where(static library => library != NoOp).Select(library => new ChildRun(IdleRun.Command, library, first, arguments, 15)),
        ];
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
