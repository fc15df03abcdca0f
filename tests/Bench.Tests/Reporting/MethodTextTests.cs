namespace AsyncLog.Tests.Reporting;

public sealed class MethodTextTests
{
    [Fact]
    public void Sentences_stand_only_where_a_row_is_that_they_speak_of()
    {
        var text = new MethodText().Always("All.").Where(["slow", "stalled"], "Late.").Where(["no-op"], "Floor. ").Where(["native"], "C++.");
        Assert.Equal("All. Late. Floor.", text.Of([("slow receiver", "ours"), ("healthy", "no-op")]));
        Assert.Equal("All.", text.Of([]));
    }

    [Fact]
    public void Every_mode_says_how_it_measures()
    {
        Assert.Equal(6, ModeCatalogue.All.Count);
        Assert.All(ModeCatalogue.All, static mode => Assert.NotEmpty(mode.Method.Of([])));
    }
}
