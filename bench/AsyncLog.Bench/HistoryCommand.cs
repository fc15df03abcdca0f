using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Enters the gates of measured invocations into the history, one JSON line per gate and invocation, and prints the trend.</summary>
internal static class HistoryCommand
{
    public const string Command = "history";

    /// <returns>0.</returns>
    public static int Run(BenchArguments arguments)
    {
        Usage.Check(arguments);
        var results = arguments.Text("from", Path.Combine(Repository.Root, "docs", "performance.jsonl"));
        var file = arguments.Text("output", Path.Combine(Repository.Root, "docs", "performance-history.jsonl"));
        var history = GateHistory.Read(file);
        var missing = GateHistory.Missing(history, Entries([.. results.Split(',').Where(File.Exists).SelectMany(BenchResult.Read)]));
        GateHistory.Append(file, missing);
        foreach (var line in GateHistory.Trend([.. history, .. missing], arguments.Number("last", 5)))
            Console.WriteLine(line);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{missing.Count} entries added to {file}"));
        return 0;
    }

    // an invocation is judged by its own rounds alone
    private static IEnumerable<GateEntry> Entries(IReadOnlyList<BenchResult> results) =>
        from invocation in results
        where invocation.Facts is not null
        let own = results.Where(result => result.Invocation == invocation.Invocation).ToList()
        from entry in GateHistory.Of(invocation, new ReportDocument(ModeCatalogue.All, own).Outcomes)
        select entry;
}
