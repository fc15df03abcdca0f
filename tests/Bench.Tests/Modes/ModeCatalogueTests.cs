namespace AsyncLog.Tests.Modes;

public sealed class ModeCatalogueTests
{
    [Fact]
    public void The_sanity_row_is_in_every_choice_of_modes()
    {
        Assert.Equal(["sanity", "caller", "udp"], ModeCatalogue.Choose("udp,caller").Select(static mode => mode.Name));
        Assert.Equal(ModeCatalogue.All, ModeCatalogue.Choose(""));
        Assert.Contains("'calls'", Assert.Throws<ArgumentException>(static () => ModeCatalogue.Choose("calls")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_library_is_measured_by_some_mode()
    {
        Assert.SkipUnless(Wrk.IsInstalled, "wrk is not installed");
        var measured = ModeCatalogue.All.SelectMany(static mode => Libraries(mode)).ToHashSet();
        Assert.All(LibraryCatalogue.Names, name => Assert.Contains(name, measured));
    }

    [Fact]
    public void Every_library_of_a_gate_is_measured_in_its_mode_also_where_only_gates_are()
    {
        Assert.SkipUnless(Wrk.IsInstalled, "wrk is not installed");
        Assert.All(ModeCatalogue.All, static mode =>
        {
            var measured = Libraries(mode, "--gates").ToHashSet();
            Assert.All(mode.Gates.SelectMany(static gate => gate.Peers.Append(gate.Library)).Intersect(LibraryCatalogue.Names), name => Assert.Contains(name, measured));
        });
    }

    [Fact]
    public void A_peer_s_bar_in_a_chart_is_of_the_configurations_that_its_gate_compares()
        => Assert.All(ModeCatalogue.All.Where(static mode => mode.Chart.Count > 0), static mode => Assert.All(
            mode.Chart.Skip(1), bar => Assert.Contains(mode.Gates, gate => gate.Load == mode.ChartLoad && gate.Peers.SequenceEqual(bar.Libraries))));

    // named one by one, so that no program in C++ or Java is built
    private static IEnumerable<string> Libraries(IMode mode, params IEnumerable<string> options)
        => mode.Plan(new BenchArguments([.. options, "--libraries", string.Join(',', LibraryCatalogue.Names)])).Select(static run => run.Library);
}
