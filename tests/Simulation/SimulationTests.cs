namespace AsyncLog.Simulation;

public sealed class SimulationTests
{
    [Fact]
    public void PR_1_A_hundred_seeds_keep_every_promise() => Seeds.Check(1, Seeds.Count(100));
}
