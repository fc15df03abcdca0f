using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>console</c>: what logging to standard output does to a service, and what the reader of it does.</summary>
internal sealed class ConsoleMode : IMode
{
    /// <summary>No logging.</summary>
    public const string Nothing = "none";

    private const string Ours = "asynclog-console";
    private const string OursWithFile = "asynclog-console-and-file";
    private const string Peer = "console";
    private const string PeerWithFile = "console-and-file";
    private const int UsualConnections = 100;

    private static readonly string[] Libraries = [Peer, "console-drop", "nlog-console", "serilog-console", Ours];
    private static readonly OutputReaderKind[] All = Enum.GetValues<OutputReaderKind>();

    public static readonly Figure Written = new("written", "lines read", "N0");
    public static readonly Figure Counted = new("counted", "counted as dropped", "N0");
    public static readonly Figure LostInFile = new("lostInFile", "lost in file", "N0");

    public string Name => "console";

    public MethodText Method { get; } =
        new MethodText().Always("The endpoint of `web`, ten records per request, with standard output a pipe to the harness, under wrk with two threads and 100 connections on the same two cores: 8 s of warm-up, then the measurement.")
        .Where(["reading"], "*reading* reads the pipe as fast as it can.")
        .Where(["stopping"], "*stopping* does the same, but pauses for 200 ms in every second.")
        .Where(["never"], "*never* leaves the pipe full until the application has ended, or 5 s after it was asked to end: a provider that waits for its reader does not respond and has no times.")
        .Always("*lines read* is the number of lines from the pipe, from the warm-up to the end. *records lost* is the number of logged records minus the lines read.")
        .Where([Ours], "AsyncLog drops records when its queue is full. Its counts of records offered, written and dropped must equal the logged records and the lines exactly; otherwise the run does not count.")
        .Where([", " + Peer], "*console* is the console of Microsoft.Extensions.Logging with default options: its callers wait when 2,500 lines are queued.")
        .Where(["console-drop"], "*console-drop* is the same with `DropWrite`.")
        .Where(["nlog-console"], "*nlog-console* is NLog's console target behind its asynchronous wrapper, which drops.")
        .Where(["serilog-console"], "*serilog-console* is Serilog's console sink behind its asynchronous one, which drops.")
        .Where([Ours], "AsyncLog must lose nothing while the pipe is read. It is compared only with the console that waits, because the others drop records, and a dropped record costs no write.")
        .Where([PeerWithFile], "*-and-file* also writes each record to a file: with AsyncLog's file sink, or with Serilog's default file sink in addition to the console of Microsoft.Extensions.Logging.");

    public IReadOnlyList<Figure> Figures { get; } =
        [WebMode.RequestsPerSecond, Bench.Figures.CpuPerRecord, WebMode.P50, WebMode.P99, WebMode.Logged, Written, WebMode.Lost, Counted, LostInFile];

    public IReadOnlyList<Gate> Gates { get; } =
    [
        Gate(OutputReaderKind.Reading, WebMode.RequestsPerSecond, 1.5) with { AtLeast = true, Peers = [Peer], PeerLoad = null },
        Gate(OutputReaderKind.Reading, WebMode.Lost, 0) with { Kind = GateKind.Value, Peers = [], PeerLoad = null },
        Gate(OutputReaderKind.Stopping, WebMode.P99, 1.2),
        Gate(OutputReaderKind.Never, WebMode.RequestsPerSecond, 0.95) with { AtLeast = true },
    ];

    public static string LoadOf(OutputReaderKind reader, int connections) => string.Create(CultureInfo.InvariantCulture, $"{NameOf(reader)}, {connections} connections");

    /// <summary>Whether AsyncLog writes, which counts what it loses.</summary>
    public static bool IsOurs(string library) => library is Ours or OursWithFile;

    public bool NeedsWrk => true;

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var seconds = arguments.Number("seconds", arguments.Quick(5, 2));
        var warmUp = WarmUp.WebSeconds(arguments);
        var readers = ReadersOf(arguments.Text("readers", ""));
        return
        [
            .. from connections in arguments.Numbers("connections", UsualConnections.ToString(CultureInfo.InvariantCulture))
               from reader in readers
               from library in arguments.Choose(LibrariesOf(reader))
               select new ConsoleRun(new WebRun(library, connections, warmUp, seconds), reader),
        ];
    }

    // no logging needs no reader, and console and file are the scenario of a reader that stops
    private static string[] LibrariesOf(OutputReaderKind reader) => reader switch
    {
        OutputReaderKind.Reading => [Nothing, .. Libraries],
        OutputReaderKind.Stopping => [.. Libraries, PeerWithFile, OursWithFile],
        _ => Libraries,
    };

    private static IReadOnlyList<OutputReaderKind> ReadersOf(string names) => names.Length == 0 ? All : [.. names.Split(',').Select(ReaderOf)];

    private static OutputReaderKind ReaderOf(string name)
        => All.Any(kind => NameOf(kind) == name) ? All.First(kind => NameOf(kind) == name) : throw new ArgumentException($"no reader '{name}'; there are: {string.Join(", ", All.Select(NameOf))}");

    private static string NameOf(OutputReaderKind kind) => kind.ToString().ToLowerInvariant();

    private static Gate Gate(OutputReaderKind reader, Figure figure, double must) => new()
    {
        Mode = "console",
        Load = LoadOf(reader, UsualConnections),
        Figure = figure,
        Library = Ours,
        Peers = [Ours],
        PeerLoad = LoadOf(OutputReaderKind.Reading, UsualConnections),
        Must = must,
        Goal = must,
    };
}
