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
        "One thread logs as fast as possible to a syslog sink over UDP on loopback. Callers wait when the queue is full, and the time ends when everything is sent. *sendto* is a bare loop of that call in C over a datagram that "
        + "AsyncLog created from the same record. The receiving socket is bound but never read. The system counts every datagram, and a run with a missing datagram does not count. "
        + "*sendto-connected* is a loop of send over a connected socket, which is what the sink does; *sendto-sendmmsg* sends 32 datagrams per call over such a socket. These loops need no warm-up. " + WarmUp.Method;

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
