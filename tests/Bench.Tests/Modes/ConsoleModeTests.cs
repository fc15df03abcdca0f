namespace AsyncLog.Tests.Modes;

public sealed class ConsoleModeTests
{
    private static readonly ConsoleMode Mode = new();

    [Fact]
    public void Every_row_of_a_gate_is_in_the_plan()
    {
        var rows = Rows().ToHashSet();
        Assert.Equal(4, Mode.Gates.Count);
        var comparing = Mode.Gates.Where(static gate => gate.Kind != GateKind.Value).ToList();
        Assert.NotEmpty(comparing);
        Assert.NotEmpty(Mode.Gates);
        Assert.All(Mode.Gates, gate => Assert.Contains((gate.Load, gate.Library), rows));
        Assert.All(comparing, gate => Assert.Contains((gate.PeerLoad ?? gate.Load, Assert.Single(gate.Peers)), rows));
    }

    [Fact]
    public void AsyncLog_may_lose_nothing_where_the_pipe_is_read()
    {
        var gate = Assert.Single(Mode.Gates, static gate => gate.Kind == GateKind.Value);
        Assert.Equal(("reading, 100 connections", "lost", "asynclog-console", 0.0, false), (gate.Load, gate.Figure.Key, gate.Library, gate.Must, gate.AtLeast));
    }

    [Fact]
    public void Console_and_file_are_compared_with_the_reader_that_stops()
        => Assert.Equal(
            [("stopping, 100 connections", "console-and-file"), ("stopping, 100 connections", "asynclog-console-and-file")],
            Rows().Where(static row => row.Library.EndsWith("-and-file", StringComparison.Ordinal)));

    [Fact]
    public void Readers_are_chosen()
    {
        var rows = Rows("--readers", "never", "--connections", "5");
        Assert.Equal(["console", "console-drop", "nlog-console", "serilog-console", "asynclog-console"], rows.Select(static row => row.Library));
        Assert.All(rows, static row => Assert.Equal("never, 5 connections", row.Load));
        Assert.Equal("no reader 'slow'; there are: reading, stopping, never", Assert.Throws<ArgumentException>(static () => Rows("--readers", "slow")).Message);
    }

    private static List<(string Load, string Library)> Rows(params string[] arguments)
        => [.. Mode.Plan(new BenchArguments(arguments)).Cast<ConsoleRun>()
            .Select(static run => (ConsoleMode.LoadOf(run.Reader, run.Web.Connections), run.Library))];
}
