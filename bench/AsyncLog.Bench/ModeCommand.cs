namespace AsyncLog.Bench;

/// <summary>Runs one mode and prints what it found.</summary>
internal static class ModeCommand
{
    /// <returns>0 when every gate that was measured holds and no run failed for good.</returns>
    public static int Run(IMode mode, BenchArguments arguments)
    {
        Usage.Check(arguments);
        using var place = new Workplace(arguments);
        var rounds = place.Measure([new SanityMode(), mode], arguments, arguments.Has("json") ? arguments.Text("json", "bench.jsonl") : null);
        var report = new ReportDocument([mode], rounds.Results);
        foreach (var line in report.Summary())
            Console.WriteLine(line);
        return report.IsGood ? 0 : 1;
    }
}
