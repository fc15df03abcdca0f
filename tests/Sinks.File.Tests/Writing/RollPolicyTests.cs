namespace AsyncLog.Tests.Writing;

public sealed class RollPolicyTests
{
    [Theory]
    [InlineData(0, 100L, 101, null)]
    [InlineData(0, 100L, 100, null)]
    [InlineData(1, 100L, 99, null)]
    [InlineData(1, 100L, 100, RollReason.Size)]
    [InlineData(100, 100L, 1, RollReason.Size)]
    [InlineData(long.MaxValue / 2, null, 1000, null)]
    public void A_record_that_would_pass_the_limit_goes_into_the_next_file(long size, long? limit, int length, object? expected) =>
        Assert.Equal(expected, RollPolicy.Before(size, limit, periodEnd: 10, length, recordTime: 9));

    [Fact]
    public void A_record_at_the_end_of_the_period_rolls_and_an_older_one_does_not()
    {
        Assert.Equal(RollReason.Interval, RollPolicy.Before(0, null, periodEnd: 10, 1, recordTime: 10));
        Assert.Null(RollPolicy.Before(5, null, periodEnd: 10, 1, recordTime: 9));
        Assert.Null(RollPolicy.Before(5, null, periodEnd: 10, 1, recordTime: -1000));
    }
}
