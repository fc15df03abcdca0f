namespace AsyncLog.Tests.Reporting;

public sealed class TableTextTests
{
    [Fact]
    public void Words_are_left_and_numbers_right_aligned()
        => Assert.Equal(
            [
                "| name | ns |",
                "|------|---:|",
                "| a    |  7 |",
                "| long | 12 |",
            ],
            TableText.Lines(["name", "ns"], [["a", "7"], ["long", "12"]], words: 1));

    [Fact]
    public void A_spread_shows_median_minimum_and_maximum()
    {
        Assert.Equal("2.5 (1.0 to 9.0)", Spread.Of([9, 1, 2, 3]).ToString("F1"));
        Assert.Equal("7.0", Spread.Of([7, 7]).ToString("F1"));
        Assert.Equal("", Spread.Of([]).ToString("F1"));
    }
}
