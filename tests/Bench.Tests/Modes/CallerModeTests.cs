namespace AsyncLog.Tests.Modes;

public sealed class CallerModeTests
{
    [Theory]
    [InlineData("asynclog-text", "--gates", "[LoggerMessage],template,disabled; JsonSerializer + template,{@Order}")]
    [InlineData("no-op", "--gates", "[LoggerMessage],template,disabled")]
    [InlineData("nlog-sleep10", "--gates", "[LoggerMessage]")]
    [InlineData("nlog-sleep10", "--quick", "[LoggerMessage],template,disabled")]
    public void With_gates_a_library_is_called_only_as_a_gate_compares_it(string library, string option, string styles)
    {
        var runs = new CallerMode().Plan(new BenchArguments([option, "--libraries", library])).Cast<ChildRun>().Where(static run => run.Command == CallerRun.Command);
        Assert.Equal(styles, string.Join("; ", runs.Select(static run => run.Arguments[run.Arguments.ToList().IndexOf("--styles") + 1])));
    }

    [Theory]
    [InlineData("no-op", "--by-position", 1)]
    [InlineData("asynclog-text", "--by-position", 1)]
    [InlineData("no-op", "--gates", 0)]
    [InlineData("asynclog-text", "--gates", 1)]
    [InlineData("nlog-sleep10", "--gates", 1)]
    public void Calls_are_measured_by_position_in_one_run_of_a_library_that_a_gate_compares(string library, string option, int runs)
        => Assert.Equal(runs, new CallerMode().Plan(new BenchArguments([option, "--libraries", library])).Cast<ChildRun>().Count(static run => run.Command == PositionRun.Command));

    [Fact]
    public void By_position_leaves_the_other_runs_out()
    {
        var runs = new CallerMode().Plan(new BenchArguments(["--by-position"]));
        Assert.NotEmpty(runs);
        Assert.All(runs, static run => Assert.Equal(PositionRun.Command, Assert.IsType<ChildRun>(run).Command));
    }

    [Fact]
    public void Nine_of_ten_ignores_the_longest_of_ten_times()
    {
        Assert.Equal(9, PositionRun.NineOfTen([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]));
        Assert.Equal(27, PositionRun.NineOfTen(Enumerable.Range(1, 30).Select(static time => (long)time)));
    }

    [Fact]
    public void The_slowest_position_is_slow_in_each_burst()
        => Assert.Equal(20, PositionRun.SlowestPosition([[10, 2, 19], [900, 2, 20], [10, 900, 21]]));
}
