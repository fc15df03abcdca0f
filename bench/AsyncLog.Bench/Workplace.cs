using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>The folder that the log files of all runs go to, deleted at the end.</summary>
internal sealed class Workplace : IDisposable
{
    private readonly string _root;

    public Workplace(BenchArguments arguments)
    {
        _root = Path.Combine(arguments.Text("directory", Path.GetTempPath()), "asynclog-bench-" + Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
        Directory.CreateDirectory(_root);
    }

    /// <summary>Runs all rounds of some modes.</summary>
    /// <param name="modes">In the order of a round.</param>
    /// <param name="arguments">What of them.</param>
    /// <param name="jsonFile">Where results are appended; null: nowhere.</param>
    public Rounds Measure(IReadOnlyList<IMode> modes, BenchArguments arguments, string? jsonFile)
    {
        var rounds = new Rounds(_root, jsonFile, Invocation.Begin(_root, arguments));
        rounds.Run([.. modes.SelectMany(mode => Plan(mode, arguments))], arguments);
        return rounds;
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>Says how long each mode takes, and measures nothing.</summary>
    public static IEnumerable<string> Lengths(IReadOnlyList<IMode> modes, BenchArguments arguments)
    {
        var lengths = modes.Select(mode => (mode.Name, Length: new PlanLength(Plan(mode, arguments).Sum(static run => run.Seconds)))).ToList();
        var all = new PlanLength(lengths.Sum(static mode => mode.Length.RoundSeconds));
        return [.. lengths.Select(mode => $"{mode.Name}: {mode.Length.Text(all.Rounds(arguments))}"), "together: " + all.Text(all.Rounds(arguments))];
    }

    // with --gates only libraries that a gate compares
    private static IEnumerable<IRun> Plan(IMode mode, BenchArguments arguments)
    {
        var judged = mode.Gates.SelectMany(static gate => gate.Peers.Append(gate.Library)).ToHashSet(StringComparer.Ordinal);
        return mode.Plan(arguments).Where(run => !arguments.Has("gates") || judged.Count == 0 || judged.Contains(run.Library));
    }
}
