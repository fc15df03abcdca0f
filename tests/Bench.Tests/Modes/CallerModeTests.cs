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
        var runs = new CallerMode().Plan(new BenchArguments([option, "--libraries", library])).Cast<ChildRun>();
        Assert.Equal(styles, string.Join("; ", runs.Select(static run => run.Arguments[run.Arguments.ToList().IndexOf("--styles") + 1])));
    }
}
