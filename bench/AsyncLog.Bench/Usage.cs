namespace AsyncLog.Bench;

internal static class Usage
{
    public static int Print()
    {
        Console.Error.WriteLine(
            """
            usage: dotnet run -c Release --project bench/AsyncLog.Bench -- <mode> [options]

              caller    ns and bytes of one Log call, one thread, queue never full, worker running
                --rounds N       interleaved rounds (10)
                --calls N        measured calls per round, library and style (204800)
                --burst N        calls before the queue is drained, where it has that much room (4096)
                --libraries A,B  only these (all): no-op, asynclog-text, asynclog-json, asynclog-two, nlog-100000, nlog-1000, serilog, console
                --directory D    where the log files go (a new folder below the temporary one)
                --json FILE      appends one JSON line per round, library and style
                --server-gc      measures with server GC
            """);
        return 2;
    }
}
