namespace AsyncLog.Bench;

internal static class Usage
{
    private const string Text =
        """
        usage: dotnet run -c Release --project bench/AsyncLog.Bench -- <mode> [options]

          report     all modes, round by round; writes docs/performance-tables.md and docs/performance.jsonl
            --modes A,B        only these
            --output FILE      another report; the chapter "Notes" of an existing one is kept
            --plan             measures nothing: says how long it would take, mode by mode
            --from A,B         measures nothing: makes the report of the JSON lines in these files
          history    enters the gates of docs/performance.jsonl into docs/performance-history.jsonl, a JSON line per gate and invocation, and prints the trend
            --from A,B         JSON lines of other files
            --output FILE      another history
            --last N           invocations in the trend (5)
          sanity     costs that every library pays: clock, atomic addition, waking a thread, append, sleep

          caller     ns and bytes of one Log call from one thread: sustained (worker running), in quiet batches (worker at rest), and by position in a group
            --sustained        only sustained
            --everyday         only the calls of a service: 120 places in turn inside requests
            --by-position      only the cost by position in a group of 20 calls after a pause or other work, and the slowest call of a burst
            --groups N         groups per load (1000)
            --bursts N         bursts (30)
            --rate N           calls per second of sustained (50000); 0 is as fast as it goes
            --group N          calls between two looks at the clock (10)
            --burst N          calls of a quiet batch, where the queue has that much room (500)
            --calls N          measured calls per style and load (102400)
          request    ns of the first and of later records of a request of ASP.NET Core with a scope of the application, and of the same calls outside
            --requests N       requests of ten records (10000)
          values     ns of one call with a value of each type, and how many more than with an int
            --turns N          turns of 10000 calls per type (40)
          cold       a fresh process: its calls 1 to 1000, 1001 to 10000, 10001 to 100000, and its start to the first line
            --rate N           calls per second (50000); 0 is as fast as it goes
          even       open loop: service and response time, the second core
            --rates A,B        calls per second (1000,50000)
            --seconds N        measured seconds (3)
          saturate   records per second until flushed and closed, nothing lost; managed and native peers
            --threads A,B      (1,2,4,16)
            --count N          records per run (1000000)
            --existing-pages   only into existing pages, all managed libraries
          files      seconds for a number of messages: opened per message, kept open, asynchronous
            --counts A,B       (100000,1000000)
          idle       CPU in silence; from one record after it to its byte in the file
            --seconds N        measured silence (5)
            --probes N         single records (5)
          web        an ASP.NET Core endpoint that logs ten records per request, under wrk
            --connections A,B  (100)
            --seconds N        measured seconds (5)
          otlp       OpenTelemetry log records over HTTP/protobuf to a receiver in a process of its own: the call, and what goes through
            --delays A,B       milliseconds until the receiver answers (0,10)
            --calls N          measured calls at 50000 per second (102400)
            --count N          records as fast as they go (1000000)
            --seconds N        measured seconds of overload, with the default options of both (5)
          udp        datagrams per second of the syslog sink, and of a bare sendto loop in C with the same datagrams
            --count N          records per run (1000000)
          web-syslog an endpoint that works 1 ms and logs five records to a syslog receiver over TCP, under wrk
            --receivers A,B    healthy, slow, stalled, absent, resetting, talking, unresolved (all)
            --connections A,B  (200)
            --seconds N        measured seconds (5)
          console    an endpoint that logs ten records to standard output, a pipe that is read well, badly or not at all, under wrk
            --readers A,B      reading, stopping, never (all)
            --connections A,B  (100)
            --seconds N        measured seconds (5)
          acknowledge  a call that waits until its record is written: tmpfs, disk, disk with a sync
            --calls N          calls per load (10000; a tenth with a sync)
          requests   what UseAsyncLogRequestLogging() adds to a request, in turn with a middleware that does nothing
            --requests N       requests per middleware (200000)

        options of all modes
            --rounds N         interleaved rounds (10); how long they take is printed before the first
            --minutes N        fewer rounds, so that they end within this time: at least one
            --gates            only libraries and loads that a gate compares
            --quick            small counts, short warm-up, two rounds: shows that it works, measures nothing
            --libraries A,B    only these
            --directory D      where the log files go, below it in a folder of their own (the temporary folder)
            --json FILE        appends one JSON line per result
            --server-gc        runs the libraries with server GC
        """;

    /// <summary>Throws for an option that is not in the text: a misspelt one would be measured without.</summary>
    /// <exception cref="ArgumentException">There is one.</exception>
    public static void Check(BenchArguments arguments)
    {
        foreach (var name in arguments.Names.Where(static name => !Text.Contains($"--{name} ", StringComparison.Ordinal)))
            throw new ArgumentException($"no option '--{name}'; without a mode the options are printed");
    }

    public static int Print()
    {
        Console.Error.WriteLine(Text);
        return 2;
    }
}
