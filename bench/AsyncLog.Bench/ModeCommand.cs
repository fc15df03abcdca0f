using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Runs modes and prints what they found.</summary>
internal static class ModeCommand
{
    /// <returns>0 when every gate that was measured holds and no run failed.</returns>
    public static int Run(IReadOnlyList<IMode> modes, BenchArguments arguments)
    {
        var measured = Measure(modes, arguments);
        foreach (var report in modes.Select(mode => new ModeReport(mode, measured.Results)))
        {
            Print(report.Table());
            Print(report.GateTable());
        }

        return Judge(modes, measured);
    }

    private static int Judge(IReadOnlyList<IMode> modes, Rounds measured)
    {
        Print(measured.Failures);
        var missed = modes.Any(mode => new ModeReport(mode, measured.Results).Outcomes.Any(static outcome => outcome.Verdict == GateVerdict.Missed));
        return missed || measured.Failures.Count > 0 ? 1 : 0;
    }

    private static Rounds Measure(IReadOnlyList<IMode> modes, BenchArguments arguments)
    {
        var root = arguments.Text("directory", Path.Combine(Path.GetTempPath(), "asynclog-bench-" + Environment.ProcessId.ToString(CultureInfo.InvariantCulture)));
        Directory.CreateDirectory(root);
        Console.WriteLine(Machine.Describe(root, arguments.Has("server-gc")));
        Console.WriteLine(Sanity.Measure(root));
        var rounds = new Rounds(root, arguments.Has("json") ? arguments.Text("json", "bench.jsonl") : null);
        rounds.Run([.. modes.Select(mode => (mode, mode.Plan(arguments)))], arguments.Number("rounds", arguments.Quick(10, 2)));
        Directory.Delete(root, recursive: true);
        return rounds;
    }

    private static void Print(IEnumerable<string> lines)
    {
        Console.WriteLine();
        foreach (var line in lines)
            Console.WriteLine(line);
    }
}
