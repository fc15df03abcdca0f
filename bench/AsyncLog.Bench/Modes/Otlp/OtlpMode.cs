using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>otlp</c>: the same records as OpenTelemetry log records to a receiver.</summary>
internal sealed class OtlpMode : IMode
{
    private const string Ours = "asynclog-otlp";
    private const string Theirs = "opentelemetry-otlp";
    private const string WithMessage = "-message";
    private const string WithDefaults = "-defaults";
    private const string SmallBatches = Theirs + WithMessage + "-512";
    private const int FarAway = 10;
    private const string AtOnce = "answers at once";
    private static readonly string[] Libraries = [Ours, Theirs, Ours + WithMessage, Theirs + WithMessage, SmallBatches, Ours + WithDefaults, Theirs + WithDefaults];

    public static readonly Figure CallerBytes = new("callerBytes", "caller bytes per record", "F2");
    public static readonly Figure Bytes = new("bytes", "process bytes per record", "F1");

    public string Name => "otlp";

    public MethodText Method { get; } =
        new MethodText().Always("OTLP over HTTP/protobuf to a receiver of plain sockets in its own process. It answers at once or after some milliseconds, counts the records, and adds up their order numbers. A run that lost a record does not count. "
        + "*ns per call*: calls at 50,000/s, ten at a time, while the exporter runs. The other columns: as many records as possible from one thread, in portions of 200,000 that fit the queue of the other library, each flushed before "
        + "the next, until the last answer. CPU is that of the process that logs. The bytes of the caller are those of the median portion. Tuned, both libraries send requests of up to 8,192 records one at a time, every 100 ms or when full, without scopes. Body is the template. OpenTelemetry .NET drops when its queue of 262,144 records is full, AsyncLog waits at its default of 16 MB, a tenth of which is the limit of a request.")
        .Where([WithMessage], "With `-message` the body is the formatted message.")
        .Where([SmallBatches], "`opentelemetry-otlp-message-512` sends 512 records at a time, so that its pool of 2,048 records is large enough. Only its calls are measured.")
        .Where([WithDefaults], "With `-defaults` both have their default options, and more is logged than they can send. The records that arrive in a fixed time count, after 2 s of the same load. Both drop the rest.")
        .Always(WarmUp.Method);

    public IReadOnlyList<Figure> Figures { get; } = [CallerMode.Nanoseconds, CallerMode.Typical, CallerBytes, Bench.Figures.RecordsPerSecond, Bench.Figures.CpuPerRecord, Bytes, WarmUp.Calls];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        .. ((string[])["", WithMessage]).SelectMany(static body => (IEnumerable<Gate>)[
            Gate(body, 0, Bench.Figures.CpuPerRecord, 0.5, 0.3),
            Gate(body, 0, Bench.Figures.RecordsPerSecond, 2, 3) with { AtLeast = true },
            Gate(body, 0, CallerBytes, 0, 0) with { Peers = [], Kind = GateKind.Value },
        ]),
        Gate(WithDefaults, FarAway, Bench.Figures.RecordsPerSecond, 3, 5) with { AtLeast = true },
        // with the template as body the peer renders nothing: it copies the attributes of the state to a list
        Gate(WithMessage, 0, CallerMode.Nanoseconds, 0.85, 0.6) with { Peers = [Theirs + WithMessage, SmallBatches] },
    ];

    /// <summary>Returns true for a library with its default options: of it only the rate under overload is measured.</summary>
    public static bool HasDefaults(string library) => library.EndsWith(WithDefaults, StringComparison.Ordinal);

    /// <summary>Returns true for a library that differs from another one in the cost of a call: only that is measured.</summary>
    public static bool HasOnlyCalls(string library) => library == SmallBatches;

    public static string LoadOf(int delay) => delay == 0 ? AtOnce : string.Create(CultureInfo.InvariantCulture, $"answers after {delay} ms");

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var calls = arguments.Number("calls", arguments.Quick(102_400, 10_240)).ToString(CultureInfo.InvariantCulture);
        var count = arguments.Number("count", arguments.Quick(1_000_000, 100_000)).ToString(CultureInfo.InvariantCulture);
        var seconds = arguments.Number("seconds", arguments.Quick(5, 1));
        return
        [
            .. from delay in arguments.Numbers("delays", "0,10")
               from library in arguments.Choose(Libraries)
               where !arguments.Has("gates") || Gates.Any(gate => gate.Load == LoadOf(delay) && (gate.Library == library || gate.Peers.Contains(library)))
               select new ChildRun(
                   OtlpRun.Command,
                   library,
                   ["--delay", delay.ToString(CultureInfo.InvariantCulture), "--calls", calls, "--count", count, "--seconds", seconds.ToString(CultureInfo.InvariantCulture)],
                   arguments,
                   HasDefaults(library) ? seconds + 5 : WarmUp.Seconds(1) + (HasOnlyCalls(library) ? 5 : 7)),
        ];
    }

    private static Gate Gate(string body, int delay, Figure figure, double must, double goal)
        => new() { Mode = "otlp", Load = LoadOf(delay), Figure = figure, Library = Ours + body, Peers = [Theirs + body], Must = must, Goal = goal };
}
