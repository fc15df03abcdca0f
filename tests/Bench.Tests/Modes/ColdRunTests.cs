namespace AsyncLog.Tests.Modes;

public sealed class ColdRunTests
{
    [Fact]
    public void Means_are_those_of_the_first_thousand_the_next_nine_and_the_next_ninety()
    {
        // groups of ten calls: 100 of 50 us, 900 of 20 us, 9,000 of 3 us
        long[] groups = [.. Enumerable.Repeat(50_000L, 100), .. Enumerable.Repeat(20_000L, 900), .. Enumerable.Repeat(3_000L, 9_000)];
        groups[0] = 1_050_000;
        var values = ColdRun.Values(setUp: 7, first: 1_000_000, groups);
        Assert.Equal(7, values["setUp"]);
        Assert.Equal(1_000_000, values["firstCall"]);
        Assert.Equal(6_000, values["calls1000"]);
        Assert.Equal(2_000, values["calls10000"]);
        Assert.Equal(300, values["calls100000"]);
    }
}
