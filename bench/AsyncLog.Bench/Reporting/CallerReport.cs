using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Turns the rounds into medians, ratios of the same round, and the gates.</summary>
internal sealed class CallerReport(IReadOnlyList<CallerResult> results)
{
    private const string Ours = "asynclog-text";
    private const string Floor = "no-op";

    private static readonly CallerGate[] Gates =
    [
        .. ((string[])["nlog-100000", "nlog-1000", "serilog", "console"]).Select(static peer => CallerGate.Ratio(CallStyle.Generated, Ours, peer, 0.18, 0.12)),
        CallerGate.Difference(CallStyle.Generated, Ours, Floor, 190, 120),
        .. ((string[])["nlog-100000", "nlog-1000", "console"]).Select(static peer => CallerGate.Ratio(CallStyle.Template, Ours, peer, 0.20, 0.13)),
        CallerGate.Ratio(CallStyle.Template, Ours, "serilog", 0.40, 0.28),
        CallerGate.Ratio(CallStyle.Disabled, Ours, Floor, 1.05, 1.00),
        CallerGate.Ratio(CallStyle.Generated, "asynclog-two", Ours, 1.20, 1.12),
        CallerGate.Ratio(CallStyle.Generated, "asynclog-json", Ours, 2.0, 1.4),
    ];

    public void PrintCosts(TextWriter output)
    {
        output.WriteLine();
        output.WriteLine("library         style              ns per call: median (min to max)    above no-op, ns    bytes per call");
        foreach (var group in results.GroupBy(static result => (result.Style, result.Library)))
        {
            var above = Spread.Of(Pairs(group.Key.Style, group.Key.Library, Floor).Select(static pair => pair.Mine - pair.Theirs));
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{group.Key.Library,-15} {group.Key.Style,-16} {Spread.Of(group.Select(static result => result.Nanoseconds)).ToString("F1"),34} {above.Median,18:F1} {Spread.Of(group.Select(static result => result.Bytes)).Median,17:F2}"));
        }
    }

    public void PrintRatios(TextWriter output)
    {
        output.WriteLine();
        output.WriteLine("asynclog-text to     style              ratio of the same round: median (min to max)");
        foreach (var style in CallStyle.All)
        {
            foreach (var peer in results.Select(static result => result.Library).Distinct().Where(static library => library != Ours))
            {
                var ratios = Pairs(style.Name, Ours, peer).Select(static pair => pair.Mine / pair.Theirs).ToList();
                if (ratios.Count > 0)
                    output.WriteLine($"{peer,-20} {style.Name,-16} {Spread.Of(ratios).ToString("F3"),30}");
            }
        }
    }

    /// <summary>Prints what had to be shown.</summary>
    /// <returns>Whether every gate that was measured holds.</returns>
    public bool PrintGates(TextWriter output)
    {
        var all = true;
        output.WriteLine();
        foreach (var gate in Gates)
        {
            var values = Pairs(gate.Style.Name, gate.Library, gate.Peer).Select(pair => gate.Value(pair.Mine, pair.Theirs)).ToList();
            if (values.Count == 0)
                continue;
            var median = Spread.Of(values).Median;
            var verdict = median <= gate.Goal ? "goal" : median <= gate.Must ? "ok" : "MISSED";
            all &= median <= gate.Must;
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{verdict,-7} {gate.Style.Name,-16} {gate.Library} {gate.Word} {gate.Peer}: {median:F3} (must {gate.Must:0.##}, goal {gate.Goal:0.##})"));
        }

        return all;
    }

    private IEnumerable<(double Mine, double Theirs)> Pairs(string style, string library, string peer)
        => from mine in results
           where mine.Style == style && mine.Library == library
           join theirs in results.Where(result => result.Style == style && result.Library == peer) on mine.Round equals theirs.Round
           select (mine.Nanoseconds, theirs.Nanoseconds);
}
