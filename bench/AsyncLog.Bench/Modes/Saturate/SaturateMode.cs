using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>saturate</c>: as many records as go through, nothing lost, until the last byte is written and the file closed.</summary>
internal sealed class SaturateMode : IMode
{
    private const string Ours = "asynclog-text";
    private const string Fresh = "fresh file";
    private const int Few = 1;
    private const int Many = 16;
    private const string Existing = "existing pages";

    private static readonly string[] NLog = ["nlog-100000", "nlog-default", "nlog-grow"];
    private static readonly string[] NLogSynchronous = ["nlog-keep-open"];
    private static readonly string[] Libraries = [Ours, .. NLog, .. NLogSynchronous, "serilog-100000", "serilog-default", "console-100000", .. Peers.ZLogger];

    public string Name => "saturate";

    public MethodText Method { get; } =
        new MethodText().Always("As fast as possible from 1, 2, 4 and 16 threads. Callers wait when the queue is full. *records/s* counts until the last byte is in the file; after the last call, a thread reads the length of the file every millisecond. *closed* is the time until the library has closed everything. CPU is that of the process until closed. Lines and the sum of their order numbers are verified.")
        .Where(["nlog"], "NLog is flushed before it is closed. Otherwise its asynchronous target waits up to a second for its own timer before it writes the rest.")
        .Where(["nlog-grow"], "*nlog-grow* is *nlog-100000* with `overflowAction=\"Grow\"`: its callers never wait, and unwritten records stay in memory.")
        .Where([Fresh], "*fresh file*: the file does not exist before. It is on the disk of the log directory.")
        .Where([Existing], "*existing pages*: an empty file on tmpfs, with pages that were allocated beforehand beyond its end (fallocate, keep size). The same "
        + "appending write then finds existing pages, so that the kernel's page allocation, which one thread does for all, is not measured.")
        .Always(WarmUp.Method + " Then 200,000 calls go as fast as possible.");

    public IReadOnlyList<Figure> Figures { get; } = [Bench.Figures.RecordsPerSecond, Bench.Figures.CpuPerRecord, Bench.Figures.Seconds, Bench.Figures.ClosedSeconds, Bench.Figures.ProducerSeconds, WarmUp.Calls];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Throughput(Few, NLog, 2.5, 4), Throughput(Few, NLogSynchronous, 2.5, 4),
        Throughput(Many, [.. NLog, .. NLogSynchronous], 5, 8),
        Cpu([.. NLog, .. NLogSynchronous], 0.33, 0.22),
        Scaling(2, 1.0, 1.3), Scaling(4, 1.0, 1.3), Scaling(Many, 0.9, 1.1),
    ];

    public static string LoadOf(int threads, bool existingPages)
        => string.Create(CultureInfo.InvariantCulture, $"{threads} {(threads == 1 ? "thread" : "threads")}, {(existingPages ? Existing : Fresh)}");

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var threads = arguments.Numbers("threads", "1,2,4,16");
        var fresh = arguments.Has("gates") ? [.. threads.Where(static number => number is Few or Many)] : threads;
        var count = arguments.Number("count", arguments.Quick(1_000_000, 100_000));
        return
        [
            .. arguments.Choose(Libraries).Select(library => Child(library, fresh, count, existingPages: false, arguments)),
            .. arguments.Choose([Ours]).Select(library => Child(library, threads, count, existingPages: true, arguments)),
        ];
    }

    private static ChildRun Child(string library, IReadOnlyList<int> threads, int count, bool existingPages, BenchArguments arguments) => new(
        SaturateRun.Command,
        library,
        [
            "--threads", string.Join(',', threads.Select(static number => number.ToString(CultureInfo.InvariantCulture))),
            "--count", count.ToString(CultureInfo.InvariantCulture), .. existingPages ? ["--existing-pages"] : Array.Empty<string>(),
        ],
        arguments,
        WarmUp.Seconds(1) + 1 + threads.Count * count / 800_000.0);

    private static Gate Throughput(int threads, string[] peers, double must, double goal)
        => Gate(LoadOf(threads, existingPages: false), peers, must, goal) with { AtLeast = true };

    private static Gate Cpu(string[] peers, double must, double goal)
        => Gate(LoadOf(Few, existingPages: false), peers, must, goal) with { Figure = Bench.Figures.CpuPerRecord };

    private static Gate Scaling(int threads, double must, double goal)
        => Gate(LoadOf(threads, existingPages: true), [Ours], must, goal) with { AtLeast = true, PeerLoad = LoadOf(Few, existingPages: true) };

    private static Gate Gate(string load, string[] peers, double must, double goal)
        => new() { Mode = "saturate", Load = load, Figure = Bench.Figures.RecordsPerSecond, Library = Ours, Peers = peers, Must = must, Goal = goal };
}
