namespace AsyncLog.Tests.Measuring;

public sealed class SteadyStateTests
{
    [Theory]
    [InlineData(false, 100.0, 100.0)]
    [InlineData(true, 100.0, 100.0, 100.0)]
    [InlineData(true, 100.0, 105.0, 102.0)]
    [InlineData(false, 100.0, 105.1, 102.0)]
    [InlineData(true, 900.0, 500.0, 100.0, 104.0, 101.0)]
    [InlineData(false, 100.0, 100.0, 100.0, 120.0)]
    public void It_is_reached_when_the_last_three_slices_lie_within_5_percent(bool reached, params double[] slices)
    {
        var state = new SteadyState();
        foreach (var slice in slices)
            state.Add(slice);
        Assert.Equal(reached, state.IsReached);
    }
}
