namespace AsyncLog.Tests.Reporting;

public sealed class ReportDocumentTests
{
    [Fact]
    public void The_facts_of_an_invocation_are_those_that_its_results_carry()
    {
        var text = Text([Begun("i1", "aaaa"), Disabled("i1", 1, "no-op", 10), Disabled("i1", 1, "asynclog-text", 10.5)]);
        Assert.Contains("- commit: aaaa\n", text, StringComparison.Ordinal);
        Assert.Contains("Rounds: 1. Invocation: i1.", text, StringComparison.Ordinal);
        Assert.Contains("1 measured: 0 reach their goal, 1 more hold, 0 are missed.", text, StringComparison.Ordinal);
        Assert.DoesNotContain("| invocation |", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Rows_of_several_invocations_say_which()
    {
        var text = Text([Begun("i1", "aaaa"), Begun("i2", "bbbb"), Disabled("i1", 1, "no-op", 10), Disabled("i2", 1, "asynclog-text", 10.5)]);
        Assert.Contains("| sustained, disabled | no-op         | i1 ", text, StringComparison.Ordinal);
        Assert.Contains("| sustained, disabled | asynclog-text | i2 ", text, StringComparison.Ordinal);
        Assert.Contains("0 measured", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Modes_without_results_have_no_chapter()
    {
        var text = Text([Disabled("i1", 1, "no-op", 10)]);
        Assert.Contains("\n## caller\n", text, StringComparison.Ordinal);
        Assert.DoesNotContain("\n## cold\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missed_gate_is_told_with_its_range_and_its_bound()
    {
        var report = new ReportDocument([new CallerMode()], [Disabled("i1", 1, "no-op", 10), Disabled("i1", 1, "asynclog-text", 20)]);
        Assert.Equal(["MISSED caller, sustained, disabled: ns per call of asynclog-text to no-op: 2, must be ≤ 1.1"], report.Missed);
        Assert.False(report.IsGood);
    }

    [Fact]
    public void Attempts_that_failed_are_told_and_only_a_round_without_a_result_is_bad()
    {
        var failed = new BenchResult("failed", "caller-run no-op", "no-op", 1, new Dictionary<string, double>()) { Failure = "lost one" };
        var report = new ReportDocument([new CallerMode()], [failed, Disabled("i1", 1, "no-op", 10)]);
        Assert.Contains("- caller-run no-op: 1 failed, 0 rounds without a result; the last: lost one", report.Lines("raw", []));
        Assert.True(report.IsGood);
        Assert.False(new ReportDocument([new CallerMode()], [failed with { Attempt = 3 }]).IsGood);
    }

    [Fact]
    public void The_chart_shows_the_best_configuration_of_each_library_that_was_measured()
    {
        var text = Text([Call("asynclog-text", 300), Call("asynclog-text", 320, 2), Call("nlog-100000", 1500), Call("nlog-keep-open", 1240)]);
        Assert.Contains(
            "```text\nAsyncLog     310  ██████████\nNLog        1240  ████████████████████████████████████████\n```\n",
            text,
            StringComparison.Ordinal);
        Assert.DoesNotContain("\nSerilog ", text, StringComparison.Ordinal);
    }

    private static BenchResult Call(string library, double nanoseconds, int round = 1)
        => new("caller", "everyday", library, round, new Dictionary<string, double> { ["nanoseconds"] = nanoseconds }) { Invocation = "i1" };

    private static string Text(IReadOnlyList<BenchResult> results) => string.Join('\n', new ReportDocument([new CallerMode(), new ColdMode()], results).Lines("raw.jsonl", []));

    private static BenchResult Begun(string invocation, string commit) => new(Invocation.Line, invocation, "", 0, new Dictionary<string, double>())
    {
        Invocation = invocation,
        Facts = new Dictionary<string, string> { ["commit"] = commit },
    };

    private static BenchResult Disabled(string invocation, int round, string library, double nanoseconds)
        => new("caller", "sustained, disabled", library, round, new Dictionary<string, double> { ["nanoseconds"] = nanoseconds }) { Invocation = invocation };
}
