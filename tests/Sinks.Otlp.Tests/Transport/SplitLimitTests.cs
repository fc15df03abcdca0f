namespace AsyncLog.Tests.Transport;

public sealed class SplitLimitTests
{
    private readonly SplitLimit _split = new();
    private readonly LogBatch _batch = LogBatch.Create();

    [Fact]
    public void OT_25_Only_what_was_too_large_is_halved_and_each_half_on_its_own()
    {
        Assert.Equal(512, _split.For(_batch, 512));
        _split.Halve(_batch, 9);
        Assert.Equal(5, _split.For(_batch, 512));
        _split.Halve(_batch, 5);
        Assert.Equal(3, _split.For(_batch, 512));
        _split.Passed(_batch, 3);
        Assert.Equal(2, _split.For(_batch, 512));
        _split.Passed(_batch, 2);
        Assert.Equal(4, _split.For(_batch, 512));
        _split.Passed(_batch, 1);
        Assert.Equal(3, _split.For(_batch, 512));
        _split.Passed(_batch, 3);
        Assert.Equal(512, _split.For(_batch, 512));
    }

    [Fact]
    public void Fault_F127_Halving_always_ends_at_one_record()
    {
        int records = 512;
        int steps = 0;
        for (; records > 1; steps++)
        {
            _split.Halve(_batch, records);
            Assert.InRange(_split.For(_batch, 512), 1, records - 1);
            records = _split.For(_batch, 512);
        }

        Assert.Equal(9, steps);
        _split.Clear(_batch);
        Assert.Equal(512, _split.For(_batch, 512));
    }

    [Fact]
    public void D_3_A_notice_between_two_attempts_leaves_the_halves_of_the_batch_that_waits()
    {
        var notice = LogBatch.Create();
        _split.Halve(_batch, 100);
        Assert.Equal(512, _split.For(notice, 512));
        _split.Passed(notice, 1);
        _split.Clear(notice);
        Assert.Equal(50, _split.For(_batch, 512));
    }
}
