using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>idle</c>: what a logger costs that has nothing to do, and how soon the first record after silence is in the file.</summary>
internal sealed class IdleMode : IMode
{
    public const string Load = "silence";
    private const string Ours = "asynclog-text";
    private const string Floor = "no-op";
    private static readonly string[] MelConsole = ["console-100000"];
    private static readonly string[] Libraries = [Floor, Ours, .. MelConsole, "nlog-100000"];

    public static readonly Figure Visible = new("visible", "record to file, us", "F0", 1_000);
    public static readonly Figure VisibleMax = new("visibleMax", "longest, us", "F0", 1_000);
    public static readonly Figure IdleShare = new("idleShare", "idle CPU %", "F3", 0.01);

    public string Name => "idle";

    public string Method =>
        "Processor time of the whole process while nothing is logged, from 2 s after the last record on; then the time from the begin of one `Log` call after 1.5 s of silence to the first byte in the file, "
        + "the median of several. The file's length is asked for again and again by the thread that logged. NLog's fast configuration flushes the file once per second, which shows.";

    public IReadOnlyList<Figure> Figures { get; } = [IdleShare, Visible, VisibleMax];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        new() { Mode = "idle", Load = Load, Figure = IdleShare, Library = Ours, Peers = [Floor], Kind = GateKind.Difference, Must = 0.1, Goal = 0 },
        new() { Mode = "idle", Load = Load, Figure = Visible, Library = Ours, Peers = MelConsole, Must = 2.0, Goal = 1.0 },
    ];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        string[] options =
        [
            "--seconds", arguments.Number("seconds", arguments.Quick(5, 2)).ToString(CultureInfo.InvariantCulture),
            "--probes", arguments.Number("probes", arguments.Quick(5, 2)).ToString(CultureInfo.InvariantCulture),
        ];
        return [.. arguments.Choose(Libraries).Select(library => new ChildRun(IdleRun.Command, library, options, arguments))];
    }
}
