using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The bare loop in C, over a datagram of the syslog sink.</summary>
internal sealed record SendToRun(NativePeers Peers, string Library, int Count) : IRun
{
    // One whose number has all its decimals, as nine of ten have.
    private const int TypicalOrder = 123_456;

    public string Title => $"udp {Library}";

    public double Seconds => 1 + Count / 200_000.0;

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        var file = Path.Combine(directory, "datagram");
        File.WriteAllBytes(file, Datagram(directory));
        using var receiver = new UnreadDatagrams();
        var printed = NativeRun.Execute(
            [.. Peers.Command(Library, file), "--port", Number(receiver.Port), "--count", Number(Count), "--file", file], directory);
        receiver.Verify(Count);
        var values = new Dictionary<string, double>
        {
            [Figures.RecordsPerSecond.Key] = printed["records"] / printed["seconds"],
            [Figures.CpuPerRecord.Key] = printed["cpuSeconds"] * 1e9 / printed["records"],
            [Figures.Seconds.Key] = printed["seconds"],
        };
        return [new BenchResult("udp", UdpMode.LoadOf(Count), Library, round, values)];
    }

    private static byte[] Datagram(string directory)
    {
        using var receiver = new UnreadDatagrams();
        using (var library = LibraryCatalogue.Create("asynclog-syslog", UdpRun.Setup(directory, receiver)))
        using (var host = new LoggerHost(library))
        {
            OrderLog.Generated(host.Logger, TypicalOrder);
            host.Drain();
        }

        return receiver.Take();
    }

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
