namespace AsyncLog.Bench;

/// <summary>The syslog sink over UDP, in a process of its own.</summary>
internal static class UdpRun
{
    public const string Command = "udp-run";

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var name = arguments.Text("library", "asynclog-syslog");
        var count = arguments.Number("count", 1_000);
        int warmUpCalls;
        using (var warm = new UnreadDatagrams())
            warmUpCalls = WarmUp.With(name, Setup(directory, warm), arguments, CallStyle.Generated);
        using var receiver = new UnreadDatagrams();
        using var library = LibraryCatalogue.Create(name, Setup(directory, receiver));
        var values = FileLoad.Run(library, threads: 1, count);
        receiver.Verify(count);
        values[WarmUp.Calls.Key] = warmUpCalls;
        ChildRun.Leave(directory, [new BenchResult("udp", UdpMode.LoadOf(count), name, arguments.Number("round", 0), values)]);
        return 0;
    }

    public static LibrarySetup Setup(string directory, UnreadDatagrams receiver) => new(directory, Drops: false, receiver.Endpoint);
}
