using System.Text.Json;

namespace AsyncLog.Bench;

/// <summary>Runs all modes round by round, or takes what an earlier run left, and writes the report.</summary>
internal static class ReportCommand
{
    public const string Command = "report";

    /// <returns>0 when every gate that was measured holds and no run failed.</returns>
    public static int Run(BenchArguments arguments)
    {
        Usage.Check(arguments);
        var output = arguments.Text("output", Path.Combine(Repository.Root, "docs", "performance.md"));
        var json = arguments.Text("json", Path.ChangeExtension(output, ".jsonl"));
        var wanted = arguments.Text("modes", string.Join(',', ModeCatalogue.All.Select(static mode => mode.Name))).Split(',');
        var modes = ModeCatalogue.All.Where(mode => wanted.Contains(mode.Name, StringComparer.Ordinal)).ToList();
        using var place = new Workplace(arguments);
        var rounds = new Rounds(place.Root, json);
        if (arguments.Has("from"))
        {
            rounds.Results.AddRange(File.ReadLines(arguments.Text("from", json)).Select(static line => JsonSerializer.Deserialize<BenchResult>(line)!));
        }
        else
        {
            File.Delete(json);
            rounds.Run([.. modes.Select(mode => (mode, mode.Plan(arguments)))], arguments.Number("rounds", arguments.Quick(10, 2)));
        }

        var report = new ReportDocument(modes, rounds, place, Path.GetFileName(json));
        File.WriteAllLines(output, report.Lines(ReportDocument.NotesOf(output)));
        Console.WriteLine(string.Join('\n', report.Missed));
        Console.WriteLine($"written to {output}");
        return report.IsGood ? 0 : 1;
    }
}
