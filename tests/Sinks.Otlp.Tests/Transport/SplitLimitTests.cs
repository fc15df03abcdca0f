namespace AsyncLog.Tests.Transport;

public sealed class SplitLimitTests
{
    [Fact]
    public void OT_25_Only_the_request_that_was_too_large_is_halved()
    {
        var split = new SplitLimit();
        Assert.Equal(512, split.For(512));
        split.Halve(9);
        Assert.Equal(5, split.For(512));
        split.Halve(5);
        Assert.Equal(3, split.For(512));
        split.Passed(3);
        split.Passed(3);
        Assert.Equal(3, split.For(512));
        split.Passed(3);
        Assert.Equal(512, split.For(512));
    }

    [Fact]
    public void Fault_F127_Halving_always_ends_at_one_record()
    {
        var split = new SplitLimit();
        int records = 512;
        int steps = 0;
        while (records > 1)
        {
            split.Halve(records);
            Assert.InRange(split.For(512), 1, records - 1);
            records = split.For(512);
            steps++;
        }

        Assert.Equal(9, steps);
    }
}
