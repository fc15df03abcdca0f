namespace AsyncLog.Bench;

/// <summary>Runs one mode and prints what it found.</summary>
internal static class ModeCommand
{
    /// <returns>0 when every gate that was measured holds and no run failed.</returns>
    public static int Run(IMode mode, BenchArguments arguments)
    {
        Usage.Check(arguments);
        using var place = new Workplace(arguments);
        Console.WriteLine(place.Machine);
        Console.WriteLine(place.Sanity);
        var rounds = new Rounds(place.Root, arguments.Has("json") ? arguments.Text("json", "bench.jsonl") : null);
        rounds.Run([(mode, mode.Plan(arguments))], arguments.Number("rounds", arguments.Quick(10, 2)));

        var report = new ModeReport(mode, rounds.Results);
        Print(report.Table());
        Print(report.GateTable());
        Print(rounds.Failures);
        return rounds.Failures.Count > 0 || report.Outcomes.Any(static outcome => outcome.Verdict == GateVerdict.Missed) ? 1 : 0;
    }

    private static void Print(IEnumerable<string> lines)
    {
        Console.WriteLine();
        foreach (var line in lines)
            Console.WriteLine(line);
    }
}
