using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>saturate</c>: as many records as go through, nothing lost, until the last byte is written and the file closed.</summary>
internal sealed class SaturateMode : IMode
{
    private const string Ours = "asynclog-text";
    private const string Fresh = "fresh file";
    private const string Existing = "existing pages";

    public static readonly Figure ProducerSeconds = new("producerSeconds", "producers done s", "F3");

    private static readonly string[] NLog = ["nlog-1000", "nlog-100000"];
    private static readonly string[] Log4j = ["log4j2-8192", "log4j2-262144", "log4j2-262144-sleep"];
    private static readonly string[] SpdlogSync = ["spdlog-sync"];
    private static readonly string[] Managed = [Ours, .. NLog, "serilog-100000", "console-100000"];
    private static readonly string[] Native = ["reference", .. SpdlogSync, "spdlog-8192", "spdlog-131072", .. Log4j];

    public string Name => "saturate";

    public string Method =>
        "As fast as possible from 1, 2, 4 and 16 threads, callers wait when the queue is full, and the clock stops when everything is flushed and closed. Lines and the sum of their order numbers are verified. "
        + "*fresh file*: the file does not exist before, on the disk of the log directory. *existing pages*: an empty file on tmpfs whose pages were allocated beforehand beyond its end (fallocate, keep size), so that the same "
        + "appending write meets pages that exist and the kernel's page allocation, which one thread does for all, is out of the picture. The C++ and Java programs are called by their own interface, without MEL.";

    public IReadOnlyList<Figure> Figures { get; } = [Bench.Figures.RecordsPerSecond, Bench.Figures.CpuPerRecord, Bench.Figures.Seconds, ProducerSeconds];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Throughput(1, NLog, 4, 6), Throughput(1, SpdlogSync, 1.4, 2.0), Throughput(1, Log4j, 1.6, 2.5),
        Throughput(16, NLog, 3, 6), Throughput(16, Log4j, 1.5, 2.5), Throughput(16, SpdlogSync, 1.2, 1.6),
        Cpu(NLog, 0.30, 0.20), Cpu(Log4j, 0.45, 0.30), Cpu(SpdlogSync, 1.0, 0.7),
        Scaling(2, 1.0, 1.2), Scaling(4, 1.0, 1.2), Scaling(16, 0.8, 1.0),
    ];

    public static string LoadOf(int threads, bool existingPages)
        => string.Create(CultureInfo.InvariantCulture, $"{threads} {(threads == 1 ? "thread" : "threads")}, {(existingPages ? Existing : Fresh)}");

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var threads = arguments.Numbers("threads", "1,2,4,16");
        var count = arguments.Number("count", arguments.Quick(1_000_000, 100_000));
        var peers = new NativePeers();
        var runs = new List<IRun>();
        if (!arguments.Has("existing-pages"))
        {
            runs.AddRange(arguments.Choose(Managed).Select(library => Child(library, threads, count, existingPages: false, arguments)));
            runs.AddRange(peers.Available(arguments.Choose(Native)).SelectMany(library => threads.Select(number => Program(peers, library, number, count))));
        }

        runs.AddRange(arguments.Choose(arguments.Has("existing-pages") ? Managed : [Ours]).Select(library => Child(library, threads, count, existingPages: true, arguments)));
        return runs;
    }

    private static ChildRun Child(string library, IReadOnlyList<int> threads, int count, bool existingPages, BenchArguments arguments) => new(
        SaturateRun.Command,
        library,
        [
            "--threads", string.Join(',', threads.Select(static number => number.ToString(CultureInfo.InvariantCulture))),
            "--count", count.ToString(CultureInfo.InvariantCulture), .. existingPages ? ["--existing-pages"] : Array.Empty<string>(),
        ],
        arguments);

    private static NativeRun Program(NativePeers peers, string library, int threads, int count) => new(
        peers,
        library,
        ["--threads", threads.ToString(CultureInfo.InvariantCulture), "--count", count.ToString(CultureInfo.InvariantCulture)],
        "saturate",
        LoadOf(threads, existingPages: false),
        static printed => new Dictionary<string, double>
        {
            [Bench.Figures.RecordsPerSecond.Key] = printed["records"] / printed["seconds"],
            [Bench.Figures.CpuPerRecord.Key] = printed["cpuSeconds"] * 1e9 / printed["records"],
            [Bench.Figures.Seconds.Key] = printed["seconds"],
            [ProducerSeconds.Key] = printed["producerSeconds"],
        });

    private static Gate Throughput(int threads, string[] peers, double must, double goal)
        => Gate(LoadOf(threads, existingPages: false), peers, must, goal) with { AtLeast = true };

    private static Gate Cpu(string[] peers, double must, double goal)
        => Gate(LoadOf(1, existingPages: false), peers, must, goal) with { Figure = Bench.Figures.CpuPerRecord };

    private static Gate Scaling(int threads, double must, double goal)
        => Gate(LoadOf(threads, existingPages: true), [Ours], must, goal) with { AtLeast = true, PeerLoad = LoadOf(1, existingPages: true) };

    private static Gate Gate(string load, string[] peers, double must, double goal)
        => new() { Mode = "saturate", Load = load, Figure = Bench.Figures.RecordsPerSecond, Library = Ours, Peers = peers, Must = must, Goal = goal };
}
