using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>files</c>: a fixed number of messages into a file, one thread: opened per message, kept open, asynchronous.</summary>
internal sealed class FilesMode : IMode
{
    private const string Ours = "asynclog-text";
    private const string OpenPerMessage = "nlog-open-per-message";
    private static readonly string[] Peers = ["nlog-keep-open", "nlog-1000", "nlog-100000", "nlog-default", "nlog-grow"];
    private static readonly string[] Libraries = [OpenPerMessage, .. Peers, Ours];

    public string Name => "files";

    public MethodText Method { get; } =
        "The file benchmark that NLog publishes: 100,000 and 1,000,000 messages from one thread, the time until the last byte is in the file, measured as in `saturate`, and until the file is closed. *nlog-open-per-message* is `keepFileOpen=false`, "
        + "*nlog-keep-open* writes on the caller's thread, *nlog-1000* and *nlog-100000* are asynchronous with a queue of that length, *nlog-default* as `async=\"true\"` makes it, *nlog-grow* with a queue that grows and callers that never wait. AsyncLog keeps its file open and is always asynchronous. " + WarmUp.Method + " Then 200,000 calls go as fast as possible.";

    public IReadOnlyList<Figure> Figures { get; } = [Bench.Figures.Seconds, Bench.Figures.ClosedSeconds, Bench.Figures.ProducerSeconds, Bench.Figures.RecordsPerSecond, Bench.Figures.CpuPerRecord, WarmUp.Calls];

    public IReadOnlyList<Gate> Gates { get; } = [.. ((int[])[100_000, 1_000_000]).Select(Gate)];

    public static string LoadOf(int count) => string.Create(CultureInfo.InvariantCulture, $"{count:N0} messages");

    public IReadOnlyList<IRun> Plan(BenchArguments arguments) =>
    [
        .. from count in arguments.Numbers("counts", arguments.Has("quick") ? "10000" : "100000,1000000")
           from library in arguments.Choose(Libraries)
           select new ChildRun(FilesRun.Command, library, ["--count", count.ToString(CultureInfo.InvariantCulture)], arguments, WarmUp.Seconds(1) + 1.2 + count / (library == OpenPerMessage ? 60_000.0 : 1_000_000)),
    ];

    private static Gate Gate(int count)
        => new() { Mode = "files", Load = LoadOf(count), Figure = Bench.Figures.Seconds, Library = Ours, Peers = Peers, Must = 0.40, Goal = 0.25 };
}
