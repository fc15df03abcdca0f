namespace AsyncLog.Tests.Modes;

public sealed class ModeCatalogueTests
{
    [Fact]
    public void The_sanity_row_is_in_every_choice_of_modes()
    {
        Assert.Equal(["sanity", "caller", "otlp"], ModeCatalogue.Choose("otlp,caller").Select(static mode => mode.Name));
        Assert.Equal(ModeCatalogue.All, ModeCatalogue.Choose(""));
        Assert.StartsWith(
            "no mode 'calls'; there are: sanity, caller, ",
            Assert.Throws<ArgumentException>(static () => ModeCatalogue.Choose("otlp,calls")).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Every_library_is_measured_by_some_mode()
    {
        var measured = ModeCatalogue.All.SelectMany(static mode => Libraries(mode)).ToHashSet();
        Assert.Contains("asynclog-text", LibraryCatalogue.Names);
        Assert.All(LibraryCatalogue.Names, name => Assert.Contains(name, measured));
    }

    [Fact]
    public void Every_library_of_a_gate_is_measured_in_its_mode_also_where_only_gates_are()
    {
        var compared = ModeCatalogue.All.SelectMany(
            static mode => mode.Gates.SelectMany(static gate => gate.Peers.Append(gate.Library)).Intersect(LibraryCatalogue.Names),
            static (mode, name) => (mode.Name, name)).ToList();
        var measured = ModeCatalogue.All.SelectMany(static mode => Libraries(mode, "--gates"), static (mode, name) => (mode.Name, name)).ToHashSet();
        Assert.Contains(("caller", "nlog-keep-open"), compared);
        Assert.All(compared, row => Assert.Contains(row, measured));
    }

    [Fact]
    public void A_peer_s_bar_in_a_chart_is_of_the_configurations_that_its_gate_compares()
    {
        var mode = Assert.Single(ModeCatalogue.All, static mode => mode.Chart.Count > 0);
        Assert.Equal(("caller", 5), (mode.Name, mode.Chart.Count));
        Assert.All(mode.Chart.Skip(1), bar => Assert.Contains(mode.Gates, gate => gate.Load == mode.ChartLoad && gate.Peers.SequenceEqual(bar.Libraries)));
    }

    [Fact]
    public void Five_modes_decide()
        => Assert.Equal(["caller", "request", "saturate", "otlp", "cold"], ModeCatalogue.All.Where(static mode => mode.Gates.Count > 0).Select(static mode => mode.Name));

    private static IEnumerable<string> Libraries(IMode mode, params IEnumerable<string> options) => mode.Plan(new BenchArguments(options)).Select(static run => run.Library);
}
