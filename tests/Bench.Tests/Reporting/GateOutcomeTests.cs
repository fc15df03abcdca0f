namespace AsyncLog.Tests.Reporting;

public sealed class GateOutcomeTests
{
    private static readonly Figure Cost = new("cost", "cost us", "F1", Scale: 1_000);

    private static readonly Gate CostGate = new()
    {
        Mode = "m",
        Load = "l",
        Figure = Cost,
        Library = "ours",
        Peers = ["small", "large"],
        Must = 0.5,
        Goal = 0.25,
    };

    [Theory]
    [InlineData(2_000, GateVerdict.Goal)]
    [InlineData(4_000, GateVerdict.Ok)]
    [InlineData(4_040, GateVerdict.Missed)]
    public void A_ratio_is_judged_by_must_and_goal(double ours, object verdict)
        => Assert.Equal(verdict, GateOutcome.Of(CostGate, [Result("ours", 1, ours), Result("small", 1, 8_000)]).Verdict);

    [Fact]
    public void The_better_configuration_of_the_peer_counts()
    {
        var outcome = GateOutcome.Of(CostGate, [Result("ours", 1, 4_000), Result("small", 1, 20_000), Result("large", 1, 8_000)]);

        Assert.Equal("large", outcome.Peer);
        Assert.Equal(0.5, outcome.Values.Median);
    }

    [Fact]
    public void Where_more_is_better_the_highest_peer_counts_and_less_is_missed()
    {
        var outcome = GateOutcome.Of(
            CostGate with { AtLeast = true, Must = 2, Goal = 4 },
            [Result("ours", 1, 30), Result("small", 1, 10), Result("large", 1, 20)]);

        Assert.Equal(("large", GateVerdict.Missed), (outcome.Peer, outcome.Verdict));
    }

    [Fact]
    public void Rounds_are_compared_with_themselves_and_the_median_counts()
    {
        var outcome = GateOutcome.Of(
            CostGate,
            [Result("ours", 1, 1), Result("ours", 2, 25), Result("ours", 3, 900), Result("small", 1, 8), Result("small", 2, 100), Result("small", 3, 1_000), Result("small", 4, 1)]);

        Assert.Equal(new Spread(0.25, 0.125, 0.9), outcome.Values);
    }

    [Fact]
    public void Rounds_of_different_invocations_are_not_compared_with_each_other()
    {
        var outcome = GateOutcome.Of(
            CostGate,
            [Result("ours", 1, 10), Result("small", 1, 20), Result("ours", 1, 30) with { Invocation = "b" }, Result("small", 1, 40) with { Invocation = "b" }, Result("small", 2, 1) with { Invocation = "c" }]);
        Assert.Equal(new Spread(0.625, 0.5, 0.75), outcome.Values);
    }

    [Theory]
    [InlineData(GateKind.Ratio, "m, l: cost us of ours to small/large")]
    [InlineData(GateKind.Difference, "m, l: cost us of ours minus small/large")]
    [InlineData(GateKind.Value, "m, l: cost us of ours")]
    public void A_gate_s_subject_says_what_is_compared_and_not_the_bounds(object kind, string subject)
        => Assert.Equal(subject, (CostGate with { Kind = (GateKind)kind }).Subject);

    [Fact]
    public void A_difference_and_a_value_are_in_the_unit_of_the_table()
    {
        BenchResult[] results = [Result("ours", 1, 5_000), Result("small", 1, 2_000)];

        Assert.Equal(3, GateOutcome.Of(CostGate with { Kind = GateKind.Difference }, results).Values.Median);
        Assert.Equal(5, GateOutcome.Of(CostGate with { Kind = GateKind.Value, Peers = [] }, results).Values.Median);
    }

    [Fact]
    public void A_peer_s_load_can_be_another_one()
    {
        var other = Result("ours", 1, 2_000) with { Load = "one thread" };
        var outcome = GateOutcome.Of(CostGate with { Peers = ["ours"], PeerLoad = "one thread" }, [Result("ours", 1, 1_000), other]);

        Assert.Equal(0.5, outcome.Values.Median);
    }

    [Fact]
    public void Without_the_peer_or_without_us_nothing_is_measured()
    {
        Assert.Equal(GateVerdict.NotMeasured, GateOutcome.Of(CostGate, [Result("ours", 1, 1)]).Verdict);
        Assert.Equal(GateVerdict.NotMeasured, GateOutcome.Of(CostGate, [Result("small", 1, 1)]).Verdict);
    }

    [Fact]
    public void Every_gate_is_of_its_mode_and_its_goal_is_not_easier_than_its_must()
    {
        var gates = ModeCatalogue.All.SelectMany(static mode => mode.Gates, static (mode, gate) => (Mode: mode, Gate: gate)).ToList();
        Assert.Contains(gates, static row => row is { Mode.Name: "caller", Gate.Library: "asynclog-text" });
        Assert.All(gates, static row =>
        {
            Assert.Equal(row.Mode.Name, row.Gate.Mode);
            Assert.Contains(row.Gate.Figure, row.Mode.Figures);
            Assert.True(row.Gate.AtLeast ? row.Gate.Goal >= row.Gate.Must : row.Gate.Goal <= row.Gate.Must);
        });
    }

    private static BenchResult Result(string library, int round, double cost) => new("m", "l", library, round, new Dictionary<string, double> { [Cost.Key] = cost });
}
