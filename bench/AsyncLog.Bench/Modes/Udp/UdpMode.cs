using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Mode <c>udp</c>: records per second as datagrams, beside what the system itself takes to send them.</summary>
internal sealed class UdpMode : IMode
{
    private const string Ours = "asynclog-syslog";
    private const string Bare = "sendto";
    private const string Connected = "sendto-connected";
    private const string Batched = "sendto-sendmmsg";

    public string Name => "udp";

    public MethodText Method { get; } =
        "One thread logs as fast as it goes to a syslog sink over UDP on loopback, callers wait when the queue is full, and the clock stops when everything was sent. *sendto* is a bare loop of that call in C over a datagram that "
        + "AsyncLog made of the same record. The receiving socket is bound and never read: its system counts every datagram, and a run in which one is missing is no result. "
        + "*sendto-connected* is a loop of send over a connected socket, which is what the sink does; *sendto-sendmmsg* sends 32 datagrams a call over one; these loops begin at once, there is nothing to compile. " + WarmUp.Method;

    public IReadOnlyList<Figure> Figures { get; } = [Bench.Figures.RecordsPerSecond, Bench.Figures.CpuPerRecord, Bench.Figures.Seconds, WarmUp.Calls];

    public IReadOnlyList<Gate> Gates { get; } =
        [new Gate { Mode = "udp", Load = LoadOf(1_000_000), Figure = Bench.Figures.RecordsPerSecond, Library = Ours, Peers = [Bare, Connected], AtLeast = true, Must = 0.85, Goal = 0.95 }];

    public static string LoadOf(int count) => string.Create(CultureInfo.InvariantCulture, $"{count:N0} records");

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var count = arguments.Number("count", arguments.Quick(1_000_000, 50_000));
        var peers = new NativePeers();
        return
        [
            .. arguments.Choose([Ours]).Select(library => new ChildRun(UdpRun.Command, library, ["--count", count.ToString(CultureInfo.InvariantCulture)], arguments, WarmUp.Seconds(1) + 1 + count / 200_000.0)),
            .. peers.Available(arguments.Choose([Bare, Connected, Batched])).Select(library => new SendToRun(peers, library, count)),
        ];
    }
}
