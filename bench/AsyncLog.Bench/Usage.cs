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

          caller     ns and bytes of one Log call from one thread at a time: one place in the code, and 120 places in turn inside requests
            --sustained        only the one place
            --everyday         only the 120 places
            --rate N           calls per second (50000); 0 is as fast as it goes
            --group N          calls of the one place between two looks at the clock (10)
            --calls N          measured calls per style and load (102400)
          request    ns of the first and of later records of a request of ASP.NET Core with a scope of the application, and of the same calls outside
            --requests N       requests of ten records (10000)
          saturate   records per second until flushed and closed, nothing lost
            --threads A,B      (1,2,4,16)
            --count N          records per run (1000000)
          otlp       OpenTelemetry log records over HTTP/protobuf to a receiver in a process of its own: the call, and what goes through
            --delays A,B       milliseconds until the receiver answers (0,10)
            --calls N          measured calls at 50000 per second (102400)
            --count N          records as fast as they go (1000000)
            --seconds N        measured seconds of overload, with the default options of both (5)
          cold       a fresh process: its calls 1 to 1000, 1001 to 10000, 10001 to 100000, and its start to the first line
            --rate N           calls per second (50000); 0 is as fast as it goes
          sanity     costs that every library pays: clock, atomic addition, waking a thread, append, sleep

        options of all modes
            --rounds N         interleaved rounds (10; of a report as many as fit into 40 minutes); how long they take is printed before the first
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
