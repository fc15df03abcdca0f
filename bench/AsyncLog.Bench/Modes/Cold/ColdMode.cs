namespace AsyncLog.Bench;

/// <summary>Mode <c>cold</c>: the first calls of a fresh process, and its first line.</summary>
internal sealed class ColdMode : IMode
{
    public const string Calls = "first calls";
    public const string FirstLine = "first line";

    private const string Ours = "asynclog-text";
    private const string Rate = "50000";

    public static readonly Figure FirstThousand = new("calls1000", "ns per call, 1 to 1,000", "F0") { HasRange = true };
    public static readonly Figure FirstTenThousand = new("calls10000", "1,001 to 10,000", "F0") { HasRange = true };
    public static readonly Figure FirstHundredThousand = new("calls100000", "10,001 to 100,000", "F0") { HasRange = true };
    public static readonly Figure FirstCall = new("firstCall", "first call us", "F0", 1_000);
    public static readonly Figure SetUp = new("setUp", "set-up ms", "F0", 1e6);
    public static readonly Figure Visible = new("firstLine", "start to first line ms", "F0", 1e6) { HasRange = true };

    // what writes each line soon; those that keep the first ones in a buffer would show its length
    private static readonly string[] Prompt = [Ours, "asynclog-json", "nlog-default", "serilog-default", .. Peers.MelConsole];

    public string Name => "cold";

    public MethodText Method { get; } =
        new MethodText().Always("A new process each time, without earlier calls. AsyncLog and Microsoft.Extensions.Logging run the ReadyToRun code of their packages; the packages of NLog, Serilog and OpenTelemetry contain none.").Where([Calls], "*first calls*: means of the calls 1 to 1,000, 1,001 to 10,000 and 10,001 to 100,000, at 50,000/s and ten at a time as in `caller`. Callers wait when the queue is full. The *first call* is in the first mean. *set-up* is the time from the start of "
        + "the library's configuration to its logger.")
        .Where([FirstLine], "*first line*: one record, and the time from the start of the process to the first byte in the file. The harness reads the length of the file every millisecond. Only configurations that write "
        + "each line soon are measured. The time includes the start of .NET, which is the same for all.");

    public IReadOnlyList<Figure> Figures { get; } = [FirstThousand, FirstTenThousand, FirstHundredThousand, FirstCall, SetUp, Visible];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        new() { Mode = "cold", Load = Calls, Figure = FirstTenThousand, Library = Ours, Peers = Bench.Peers.NLog, Must = 1.0, Goal = 0.5 },
        new() { Mode = "cold", Load = FirstLine, Figure = Visible, Library = Ours, Peers = Bench.Peers.MelConsole, Must = 1.2, Goal = 1.0 },
        new() { Mode = "cold", Load = FirstLine, Figure = Visible, Library = Ours, Peers = ["nlog-default"], Must = 1.1, Goal = 1.0 },
    ];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments) =>
    [
        .. arguments.Choose([.. CallerMode.Libraries]).Select(library => new ChildRun(ColdRun.Command, library, ["--rate", arguments.Text("rate", Rate)], arguments, 3)),
        .. arguments.Choose(Prompt).Select(static library => new FirstLineRun(library)),
    ];
}
