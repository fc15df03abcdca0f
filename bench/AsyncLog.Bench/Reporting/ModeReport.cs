namespace AsyncLog.Bench;

/// <summary>The rounds of one mode as tables: medians, ratios, gates.</summary>
internal sealed class ModeReport(IMode mode, IReadOnlyList<BenchResult> allResults)
{
    private readonly List<BenchResult> _results = [.. allResults.Where(result => result.Mode == mode.Name && result.IsMeasured)];

    /// <summary>The invocations that measured it.</summary>
    public IReadOnlyList<string> Invocations => [.. _results.Select(static result => result.Invocation).Distinct()];

    /// <summary>What was measured and how, of the rows that are there.</summary>
    public string Method => mode.Method.Of(_results.Select(static result => (result.Load, result.Library)).Distinct());

    /// <summary>Rounds of the row that has the fewest and of the one that has the most.</summary>
    public string Rounds
    {
        get
        {
            var counts = _results.GroupBy(static result => (result.Load, result.Library)).Select(static row => row.Count()).DefaultIfEmpty().ToList();
            return counts.Min() == counts.Max() ? Spread.Text(counts.Max(), "F0") : $"{Spread.Text(counts.Min(), "F0")} to {Spread.Text(counts.Max(), "F0")}";
        }
    }

    public IReadOnlyList<GateOutcome> Outcomes { get; } = [.. mode.Gates.Select(gate => GateOutcome.Of(gate, allResults)).Where(static outcome => outcome.Verdict != GateVerdict.NotMeasured)];

    /// <summary>One row per load and library, a median per figure, with the range where it says most; and which invocation where there are several.</summary>
    public IEnumerable<string> Table()
    {
        var figures = mode.Figures.Where(figure => _results.Exists(result => result.Values.ContainsKey(figure.Key))).ToList();
        var several = Invocations.Count > 1;
        var rows = _results
            .GroupBy(static result => result.Load)
            .SelectMany(static load => load.GroupBy(static result => (result.Load, result.Library)))
            .Select(row => (IReadOnlyList<string>)[row.Key.Load, row.Key.Library, .. several ? [InvocationsOf(row)] : Array.Empty<string>(), .. figures.Select((figure, column) => Cell(row, figure, column == 0 || figure.HasRange))])
            .ToList();
        return TableText.Lines(
            ["load", "library", .. several ? ["invocation"] : Array.Empty<string>(), .. figures.Select(static (figure, column) => column == 0 || figure.HasRange ? figure.Heading + ": median (min to max)" : figure.Heading)],
            rows,
            words: several ? 3 : 2);
    }

    /// <summary>Bars of the first figure as a block of text, which README shows; nothing where the mode has no chart or no results for it.</summary>
    public IEnumerable<string> Chart()
    {
        var figure = mode.Figures[0];
        var rows = mode.Chart
            .Select(row => (row.Label, Medians: row.Libraries.Select(library => MedianOf(figure, mode.ChartLoad, library)).Where(static median => !double.IsNaN(median)).ToList()))
            .Where(static row => row.Medians.Count > 0)
            .Select(static row => (row.Label, Value: row.Medians.Min()))
            .ToList();
        if (rows.Count == 0)
            return [];
        var labels = rows.Max(static row => row.Label.Length);
        var scale = 40 / rows.Max(static row => row.Value);
        return
        [
            $"Chart: {mode.ChartLoad}, {figure.Heading}, each library in its best configuration.", "", "```text",
            .. rows.Select(row => $"{row.Label.PadRight(labels)}  {Spread.Text(row.Value, "F0"),6}  {new string('█', Math.Max(1, (int)Math.Round(row.Value * scale)))}"),
            "```", "",
        ];
    }

    /// <summary>What had to be shown, and what came out.</summary>
    public IEnumerable<string> GateTable()
    {
        var rows = Outcomes
            .Select(static outcome => (IReadOnlyList<string>)[outcome.Word, outcome.Gate.Load, outcome.Gate.Figure.Heading, outcome.Gate.Library, Against(outcome), outcome.Values.ToString("0.###"), Bound(outcome.Gate, outcome.Gate.Must), Bound(outcome.Gate, outcome.Gate.Goal)])
            .ToList();
        return rows.Count == 0 ? [] : TableText.Lines(["gate", "load", "figure", "of", "against", "median (min to max)", "must", "goal"], rows, words: 5);
    }

    private double MedianOf(Figure figure, string load, string library)
        => Spread.Of(_results.Where(result => result.Load == load && result.Library == library && result.Values.ContainsKey(figure.Key)).Select(result => result.Values[figure.Key] / figure.Scale)).Median;

    private static string InvocationsOf(IEnumerable<BenchResult> row) => string.Join(", ", row.Select(static result => result.Invocation).Distinct());

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
