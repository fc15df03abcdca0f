using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Bench;

/// <summary>One gate at one commit; a JSON line of the history.</summary>
/// <param name="Gate">What is compared, <see cref="Bench.Gate.Subject"/>.</param>
/// <param name="Commit">What was measured.</param>
/// <param name="Started">When.</param>
/// <param name="Invocation">By which invocation.</param>
/// <param name="Median">Of the rounds.</param>
/// <param name="Minimum">Of the rounds.</param>
/// <param name="Maximum">Of the rounds.</param>
/// <param name="Must">The bound at that time.</param>
/// <param name="AtLeast">Whether more is better.</param>
/// <param name="Verdict">In a word.</param>
internal sealed record GateEntry(
    string Gate, string Commit, string Started, string Invocation, double Median, double Minimum, double Maximum, double Must, bool AtLeast, string Verdict);

/// <summary>How the gates came out from commit to commit.</summary>
internal static class GateHistory
{
    /// <summary>A change for the worse beyond this is marked.</summary>
    public const double Alarm = 0.15;

    /// <summary>The entries of one invocation.</summary>
    public static IReadOnlyList<GateEntry> Of(BenchResult invocation, IReadOnlyList<GateOutcome> outcomes) =>
    [
        .. outcomes.Select(outcome => new GateEntry(
            outcome.Gate.Subject, invocation.Facts![Invocation.Commit], invocation.Facts[Invocation.Started], invocation.Invocation,
            outcome.Values.Median, outcome.Values.Minimum, outcome.Values.Maximum, outcome.Gate.Must, outcome.Gate.AtLeast, outcome.Word)),
    ];

    /// <summary>Those of the entries that the history does not have: a gate is entered once per invocation.</summary>
    public static IReadOnlyList<GateEntry> Missing(IReadOnlyList<GateEntry> history, IEnumerable<GateEntry> entries)
    {
        var known = history.Select(static entry => (entry.Gate, entry.Invocation)).ToHashSet();
        return [.. entries.Where(entry => !known.Contains((entry.Gate, entry.Invocation)))];
    }

    /// <summary>A row per gate: its medians from the oldest to the newest of the last ones, and how the newest compares with the one before.</summary>
    /// <param name="history">In the order of time.</param>
    /// <param name="last">How many of each gate.</param>
    public static IEnumerable<string> Trend(IReadOnlyList<GateEntry> history, int last)
    {
        var rows = history
            .GroupBy(static entry => entry.Gate)
            .Select(gate => gate.TakeLast(last).ToList())
            .Select(static entries => (IReadOnlyList<string>)[
                entries[^1].Gate,
                entries[^1].Verdict,
                string.Join(", ", entries.Select(static entry => entry.Commit.Split(',')[0]).Distinct()),
                string.Join(" → ", entries.Select(static entry => Spread.Text(entry.Median, "0.###"))),
                (entries[^1].AtLeast ? "≥ " : "≤ ") + Spread.Text(entries[^1].Must, "0.###"),
                Change(entries),
            ])
            .ToList();
        return TableText.Lines(["gate", "now", "commits", "median", "must", "change"], rows, words: 3);
    }

    public static IReadOnlyList<GateEntry> Read(string file)
        => File.Exists(file) ? [.. File.ReadLines(file).Select(static line => JsonSerializer.Deserialize<GateEntry>(line)!)] : [];

    public static void Append(string file, IEnumerable<GateEntry> entries) => File.AppendAllLines(file, entries.Select(static entry => JsonSerializer.Serialize(entry)));

    private static string Change(List<GateEntry> entries)
    {
        // a difference or a value that was nothing has no ratio to itself
        if (entries.Count < 2 || entries[^2].Median == 0)
            return "";
        var change = (entries[^1].Median - entries[^2].Median) / Math.Abs(entries[^2].Median);
        var worse = entries[^1].AtLeast ? -change : change;
        return change.ToString("+0.0 %;-0.0 %;0.0 %", CultureInfo.InvariantCulture) + (worse > Alarm ? " WORSE" : "");
    }
}
