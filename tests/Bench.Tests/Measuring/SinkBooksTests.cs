namespace AsyncLog.Bench;

public sealed class SinkBooksTests
{
    private const string Instance = "console/default";

    [Fact]
    public void Books_that_balance_with_records_and_lines_are_right()
        => new SinkBooks(Offered: 10, Written: 7, Dropped: 3).Verify(Instance, logged: 10, lines: 7);

    [Theory]
    [InlineData(10, 7, 3, 10, 6)]
    [InlineData(10, 7, 3, 10, 8)]
    [InlineData(10, 7, 2, 10, 7)]
    [InlineData(9, 7, 2, 10, 7)]
    public void A_record_too_few_or_too_many_is_found(long offered, long written, long dropped, long logged, long lines)
        => Assert.StartsWith($"{Instance}: {logged} records logged", Assert.Throws<InvalidOperationException>(() => new SinkBooks(offered, written, dropped).Verify(Instance, logged, lines)).Message, StringComparison.Ordinal);

    [Fact]
    public void Figures_of_an_instance_are_its_books_again()
    {
        var books = new SinkBooks(10, 7, 3);
        var figures = books.Figures(Instance).Concat(new SinkBooks(1, 1, 0).Figures("file/file0")).ToDictionary(StringComparer.Ordinal);
        Assert.Equal(books, SinkBooks.Read(figures, Instance));
        Assert.Throws<KeyNotFoundException>(() => SinkBooks.Read(figures, "file/other"));
    }
}
