namespace AsyncLog.Tests.Reporting;

public sealed class GateHistoryTests
{
    private static readonly GateEntry First = new("cost", "aaaa", "2026-11-20 10:00Z", "i1", 0.4, 0.3, 0.5, 0.5, AtLeast: false, "ok");

    [Fact]
    public void An_entry_has_the_gate_s_figures_and_the_commit()
    {
        var gate = new Gate { Mode = "m", Load = "l", Figure = new Figure("v", "ns", "F0"), Library = "ours", Peers = ["theirs"], Must = 0.5, Goal = 0.2 };
        var invocation = new BenchResult(Invocation.Line, "i1", "", 0, new Dictionary<string, double>())
        {
            Invocation = "i1",
            Facts = new Dictionary<string, string> { [Invocation.Commit] = "aaaa", [Invocation.Started] = "2026-11-20 10:00Z" },
        };
        Assert.Equal([First with { Gate = "m, l: ns of ours to theirs" }], GateHistory.Of(invocation, [new GateOutcome(gate, "theirs", new Spread(0.4, 0.3, 0.5))]));
    }

    [Fact]
    public void A_gate_is_entered_once_per_invocation()
    {
        var again = First with { Invocation = "i2" };
        Assert.Equal([again], GateHistory.Missing([First], [First, again]));
    }

    [Fact]
    public void The_trend_goes_from_the_oldest_to_the_newest()
    {
        GateEntry[] history = [First with { Median = 0.6 }, First, First with { Median = 0.3, Commit = "bbbb, sources differ", Verdict = "goal" }];
        Assert.Equal("| cost | goal | aaaa, bbbb | 0.4 → 0.3 | ≤ 0.5 | -25.0 % |", GateHistory.Trend(history, last: 2).Last());
    }

    [Theory]
    [InlineData(false, 0.456, "+14.0 %")]
    [InlineData(false, 0.464, "+16.0 % WORSE")]
    [InlineData(false, 0.3, "-25.0 %")]
    [InlineData(true, 0.48, "+20.0 %")]
    [InlineData(true, 0.344, "-14.0 %")]
    [InlineData(true, 0.336, "-16.0 % WORSE")]
    public void A_change_for_the_worse_beyond_15_percent_is_marked(bool atLeast, double median, string change)
        => Assert.EndsWith($"| {change} |", GateHistory.Trend([First with { AtLeast = atLeast }, First with { AtLeast = atLeast, Median = median }], last: 5).Last(), StringComparison.Ordinal);

    [Fact]
    public void What_is_appended_is_read_again()
    {
        var file = Path.GetTempFileName();
        try
        {
            GateHistory.Append(file, [First]);
            GateHistory.Append(file, [First with { Invocation = "i2" }]);
            Assert.Equal([First, First with { Invocation = "i2" }], GateHistory.Read(file));
        }
        finally
        {
            File.Delete(file);
        }
    }
}
