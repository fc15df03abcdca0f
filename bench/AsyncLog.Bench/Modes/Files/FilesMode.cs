using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>files</c>: a fixed number of messages into a file, one thread: opened per message, kept open, asynchronous.</summary>
internal sealed class FilesMode : IMode
{
    private const string Ours = "asynclog-text";
    private const string OpenPerMessage = "nlog-open-per-message";
    private static readonly string[] Asynchronous = ["nlog-1000", "nlog-100000"];
    private static readonly string[] Libraries = [OpenPerMessage, "nlog-keep-open", .. Asynchronous, Ours];

    public string Name => "files";

    public string Method =>
        "The file benchmark that NLog publishes: 100,000 and 1,000,000 messages from one thread, the time until all are in the closed file. *nlog-open-per-message* is `keepFileOpen=false`, "
        + "*nlog-keep-open* writes on the caller's thread, *nlog-1000* and *nlog-100000* are asynchronous with a queue of that length. AsyncLog keeps its file open and is asynchronous always.";

    public IReadOnlyList<Figure> Figures { get; } = [Bench.Figures.Seconds, Bench.Figures.RecordsPerSecond, Bench.Figures.CpuPerRecord, SaturateMode.ProducerSeconds];

    public IReadOnlyList<Gate> Gates { get; } = [.. ((int[])[100_000, 1_000_000]).Select(Gate)];

    public static string LoadOf(int count) => string.Create(CultureInfo.InvariantCulture, $"{count:N0} messages");

    public IReadOnlyList<IRun> Plan(BenchArguments arguments) =>
    [
        .. from count in arguments.Numbers("counts", arguments.Has("quick") ? "10000" : "100000,1000000")
           from library in arguments.Choose(Libraries)
           select new ChildRun(FilesRun.Command, library, ["--count", count.ToString(CultureInfo.InvariantCulture)], arguments),
    ];

    private static Gate Gate(int count)
        => new() { Mode = "files", Load = LoadOf(count), Figure = Bench.Figures.Seconds, Library = Ours, Peers = Asynchronous, Must = 0.25, Goal = 0.15 };
}
