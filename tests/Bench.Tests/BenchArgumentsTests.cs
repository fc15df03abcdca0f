namespace AsyncLog.Tests;

public sealed class BenchArgumentsTests
{
    private static readonly string[] Libraries = ["no-op", "asynclog-text", "nlog-1000"];

    [Fact]
    public void Values_and_switches_are_told_apart()
    {
        var arguments = new BenchArguments(["--rounds", "3", "--quick", "--json", "a.jsonl"]);

        Assert.Equal(3, arguments.Number("rounds", 10));
        Assert.True(arguments.Has("quick"));
        Assert.Equal("a.jsonl", arguments.Text("json", "b.jsonl"));
        Assert.Equal(7, arguments.Number("calls", 7));
    }

    [Fact]
    public void A_word_that_belongs_to_no_option_is_an_error()
        => Assert.Equal("'stray' is not an option", Assert.Throws<ArgumentException>(static () => new BenchArguments(["--rounds", "3", "stray"])).Message);

    [Fact]
    public void A_misspelt_option_is_an_error()
    {
        Usage.Check(new BenchArguments(["--rounds", "3", "--quick", "--sustained"]));
        Assert.Equal(
            "no option '--round'; without a mode the options are printed",
            Assert.Throws<ArgumentException>(static () => Usage.Check(new BenchArguments(["--round", "3"]))).Message);
    }

    [Fact]
    public void Quick_takes_the_small_count()
    {
        Assert.Equal(10, new BenchArguments(["--quick"]).Quick(1_000, 10));
        Assert.Equal(1_000, new BenchArguments([]).Quick(1_000, 10));
    }

    [Fact]
    public void Libraries_are_chosen_in_the_order_of_the_mode()
    {
        Assert.Equal(["no-op", "nlog-1000"], new BenchArguments(["--libraries", "nlog-1000,no-op,unknown"]).Choose(Libraries));
        Assert.Equal(Libraries, new BenchArguments([]).Choose(Libraries));
    }

    [Fact]
    public void Numbers_are_a_list() => Assert.Equal([1, 16], new BenchArguments(["--threads", "1,16"]).Numbers("threads", "2"));
}
