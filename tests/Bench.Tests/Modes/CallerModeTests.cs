namespace AsyncLog.Tests.Modes;

public sealed class CallerModeTests
{
    [Theory]
    [InlineData("asynclog-text", "--gates", "[LoggerMessage],template,disabled")]
    [InlineData("no-op", "--gates", "[LoggerMessage],template,disabled")]
    [InlineData("nlog-sleep10", "--gates", "[LoggerMessage]")]
    [InlineData("nlog-sleep10", "--quick", "[LoggerMessage],template,disabled")]
    public void With_gates_a_library_is_called_only_as_a_gate_compares_it(string library, string option, string styles)
    {
        var runs = new CallerMode().Plan(new BenchArguments([option, "--libraries", library])).Cast<ChildRun>().Where(static run => run.Command == CallerRun.Command);
        Assert.Equal(styles, string.Join("; ", runs.Select(static run => run.Arguments[run.Arguments.ToList().IndexOf("--styles") + 1])));
    }

    [Theory]
    [InlineData("--quick", "caller-run everyday-run")]
    [InlineData("--sustained", "caller-run")]
    [InlineData("--everyday", "everyday-run")]
    public void One_place_and_the_calls_of_a_service_are_measured_in_runs_of_their_own(string option, string commands)
    {
        var runs = new CallerMode().Plan(new BenchArguments([option, "--libraries", "asynclog-text"]));
        Assert.Equal(commands, string.Join(' ', runs.Cast<ChildRun>().Select(static run => run.Command)));
    }
}
