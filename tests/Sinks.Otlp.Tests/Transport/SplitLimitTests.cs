namespace AsyncLog.Tests.Transport;

public sealed class SplitLimitTests
{
    private readonly SplitLimit _split = new();

    [Fact]
    public void OT_25_Only_what_was_too_large_is_halved_and_each_half_on_its_own()
    {
        Assert.Equal(512, _split.For(512));
        _split.Halve(9);
        Assert.Equal(5, _split.For(512));
        _split.Halve(5);
        Assert.Equal(3, _split.For(512));
        _split.Passed(3);
        Assert.Equal(2, _split.For(512));
        _split.Passed(2);
        Assert.Equal(4, _split.For(512));
        _split.Passed(1);
        Assert.Equal(3, _split.For(512));
        _split.Passed(3);
        Assert.Equal(512, _split.For(512));
    }

    [Fact]
    public void Fault_F127_Halving_always_ends_at_one_record()
    {
        int records = 512;
        int steps = 0;
        for (; records > 1; steps++)
        {
            _split.Halve(records);
            Assert.InRange(_split.For(512), 1, records - 1);
            records = _split.For(512);
        }

        Assert.Equal(9, steps);
        _split.Clear();
        Assert.Equal(512, _split.For(512));
    }
}
