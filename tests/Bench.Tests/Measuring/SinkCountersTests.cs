namespace AsyncLog.Tests.Measuring;

public sealed class SinkCountersTests
{
    private const string Instance = "console/default";

    [Fact]
    public void Counters_that_agree_with_records_and_lines_are_right()
        => new SinkCounters(Offered: 10, Written: 7, Dropped: 3).Verify(Instance, logged: 10, lines: 7);

    [Theory]
    [InlineData(10, 7, 3, 10, 6)]
    [InlineData(10, 7, 3, 10, 8)]
    [InlineData(10, 7, 2, 10, 7)]
    [InlineData(9, 7, 2, 10, 7)]
    public void A_record_too_few_or_too_many_is_found(long offered, long written, long dropped, long logged, long lines)
        => Assert.Equal(
            $"console/default: {logged} records logged, {offered} offered, {written} written, {dropped} dropped, {lines} lines found",
            Assert.Throws<InvalidOperationException>(() => new SinkCounters(offered, written, dropped).Verify(Instance, logged, lines)).Message);

    [Fact]
    public void Figures_of_an_instance_are_its_counters_again()
    {
        var counters = new SinkCounters(10, 7, 3);
        var figures = counters.Figures(Instance).Concat(new SinkCounters(1, 1, 0).Figures("file/default")).ToDictionary(StringComparer.Ordinal);
        Assert.Equal(counters, SinkCounters.Read(figures, Instance));
        Assert.Throws<KeyNotFoundException>(() => SinkCounters.Read(figures, "file/other"));
    }
}
