namespace AsyncLog.Bench;

/// <summary>Runs all modes round by round, or takes what earlier invocations left, and writes the report.</summary>
internal static class ReportCommand
{
    public const string Command = "report";
    private const string Minutes = "40";

    /// <returns>0 when every gate that was measured holds and no run failed for good.</returns>
    public static int Run(BenchArguments arguments)
    {
        Usage.Check(arguments);
        var output = arguments.Text("output", Path.Combine(Repository.Root, "docs", "performance-tables.md"));
        var json = arguments.Text("json", arguments.Has("output") ? Path.ChangeExtension(output, ".jsonl") : Path.Combine(Repository.Root, "docs", "performance.jsonl"));
        if (!arguments.Has("rounds") && !arguments.Has("quick"))
            arguments.Otherwise("minutes", Minutes);
        var modes = ModeCatalogue.Choose(arguments.Text("modes", ""));
        if (arguments.Has("plan"))
        {
            foreach (var line in Workplace.Lengths(modes, arguments))
                Console.WriteLine(line);
            return 0;
        }

        var report = new ReportDocument(modes, arguments.Has("from") ? Earlier(arguments.Text("from", json)) : Measure(modes, arguments, json));
        File.WriteAllLines(output, report.Lines(Path.GetFileName(json), ReportDocument.NotesOf(output)));
        foreach (var line in report.Missed)
            Console.WriteLine(line);
        Console.WriteLine($"written to {output}");
        return report.IsGood ? 0 : 1;
    }

    private static IReadOnlyList<BenchResult> Measure(IReadOnlyList<IMode> modes, BenchArguments arguments, string json)
    {
        File.Delete(json);
        using var place = new Workplace(arguments);
        return place.Measure(modes, arguments, json).Results;
    }

    private static IReadOnlyList<BenchResult> Earlier(string files) => [.. files.Split(',').SelectMany(BenchResult.Read)];
}
