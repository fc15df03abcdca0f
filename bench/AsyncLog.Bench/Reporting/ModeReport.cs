namespace AsyncLog.Bench;

/// <summary>The rounds of one mode as tables: medians, ratios, gates.</summary>
internal sealed class ModeReport(IMode mode, IReadOnlyList<BenchResult> allResults)
{
    private readonly List<BenchResult> _results = [.. allResults.Where(result => result.Mode == mode.Name)];

    public IReadOnlyList<GateOutcome> Outcomes { get; } = [.. mode.Gates.Select(gate => GateOutcome.Of(gate, allResults)).Where(static outcome => outcome.Verdict != GateVerdict.NotMeasured)];

    /// <summary>One row per load and library: the first figure with its range, medians of the others.</summary>
    public IEnumerable<string> Table()
    {
        var figures = mode.Figures.Where(figure => _results.Exists(result => result.Values.ContainsKey(figure.Key))).ToList();
        var rows = _results
            .GroupBy(static result => (result.Load, result.Library))
            .GroupBy(static group => group.Key.Load)
            .SelectMany(static load => load)
            .Select(group => (IReadOnlyList<string>)[group.Key.Load, group.Key.Library, .. figures.Select((figure, column) => Cell(group, figure, column == 0))])
            .ToList();
        return TableText.Lines(["load", "library", .. figures.Select(static (figure, column) => column == 0 ? figure.Heading + ": median (min to max)" : figure.Heading)], rows, words: 2);
    }

    /// <summary>What had to be shown, and what came out.</summary>
    public IEnumerable<string> GateTable()
    {
        var rows = Outcomes
            .Select(static outcome => (IReadOnlyList<string>)[Word(outcome.Verdict), outcome.Gate.Load, outcome.Gate.Figure.Heading, outcome.Gate.Library, Against(outcome), outcome.Values.ToString("0.###"), Bound(outcome.Gate, outcome.Gate.Must), Bound(outcome.Gate, outcome.Gate.Goal)])
            .ToList();
        return rows.Count == 0 ? [] : TableText.Lines(["gate", "load", "figure", "of", "against", "median (min to max)", "must", "goal"], rows, words: 5);
    }

    public static string Word(GateVerdict verdict) => verdict switch
    {
        GateVerdict.Goal => "goal",
        GateVerdict.Ok => "ok",
        GateVerdict.Missed => "MISSED",
        _ => "-",
    };

    private static string Cell(IEnumerable<BenchResult> group, Figure figure, bool withRange)
    {
        var spread = Spread.Of(group.Where(result => result.Values.ContainsKey(figure.Key)).Select(result => result.Values[figure.Key] / figure.Scale));
        return withRange ? spread.ToString(figure.Format) : Spread.Text(spread.Median, figure.Format);
    }

    private static string Against(GateOutcome outcome) => outcome.Gate.Kind switch
    {
        GateKind.Value => "itself",
        GateKind.Difference => "minus " + outcome.Peer,
        _ => outcome.Gate.PeerLoad is { } load ? $"{outcome.Peer}, {load}" : outcome.Peer,
    };

    private static string Bound(Gate gate, double bound) => (gate.AtLeast ? "≥ " : "≤ ") + Spread.Text(bound, "0.###");
}
