namespace AsyncLog.Tests.Measuring;

public sealed class WrittenLinesTests
{
    [Fact]
    public void A_file_with_every_line_once_is_what_was_expected()
        => Verify(["x Order 100000 y", "x Order 100001 y", "x Order 100002 y"]);

    [Fact]
    public void A_lost_line_is_found()
        => Assert.Throws<InvalidOperationException>(static () => Verify(["x Order 100000 y", "x Order 100001 y"]));

    [Fact]
    public void A_lost_line_cannot_hide_behind_a_repeated_one()
        => Assert.Throws<InvalidOperationException>(static () => Verify(["x Order 100000 y", "x Order 100001 y", "x Order 100001 y"]));

    [Fact]
    public void A_torn_line_is_found()
        => Assert.Throws<InvalidOperationException>(static () => Verify(["x Order 100000 y", "x Order 100001 y", "x Ord"]));

    [Fact]
    public void Order_numbers_have_six_digits_and_begin_again()
    {
        Assert.Equal([100_000, 999_999, 100_000], new[] { OrderNumbers.At(0), OrderNumbers.At(899_999), OrderNumbers.At(900_000) });
        Assert.Equal(new WrittenLines(2, 1_099_999), WrittenLines.Of(899_999, 2));
    }

    private static void Verify(string[] lines)
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllLines(path, lines);
            WrittenLines.Verify(path, WrittenLines.Of(0, 3));
        }
        finally
        {
            File.Delete(path);
        }
    }
}
