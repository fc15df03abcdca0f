namespace AsyncLog.Tests.Modes;

public sealed class WarmUpTests
{
    private static readonly CallStyle[] Both = [CallStyle.Generated, CallStyle.Template];

    [Fact]
    public void It_ends_when_every_style_is_steady()
    {
        double[] generated = [900, 300, 200, 200, 200, 200, 200];
        double[] template = [900, 800, 700, 300, 290, 295, 300];
        Assert.Equal(60, Calls(Both, style => style == CallStyle.Generated ? generated : template, fewest: 20, most: 1_000));
    }

    [Fact]
    public void It_makes_the_fewest_calls_also_when_they_are_steady_at_once()
        => Assert.Equal(50, Calls(Both, static _ => [1, 1, 1, 1, 1, 1], fewest: 50, most: 1_000));

    [Fact]
    public void It_ends_at_the_bound_when_calls_never_become_steady()
        => Assert.Equal(40, Calls(Both, static _ => [1, 2, 1, 2, 1, 2], fewest: 10, most: 40));

    [Fact]
    public void A_style_that_writes_nothing_is_called_but_not_judged()
        => Assert.Equal(30, Calls([CallStyle.Generated, CallStyle.Disabled], static style => style.Writes ? [5, 5, 5, 5] : [1, 2, 3, 4], fewest: 10, most: 100));

    [Fact]
    public void It_rests_after_each_slice_of_all_styles()
    {
        List<string> steps = [];
        Assert.Equal(30, WarmUp.UntilSteady(Both, Call, () => steps.Add("rest"), slice: 10, fewest: 30, most: 100));
        Assert.Equal(["[LoggerMessage]", "template", "rest", "[LoggerMessage]", "template", "rest", "[LoggerMessage]", "template", "rest"], steps);

        double Call(CallStyle style)
        {
            steps.Add(style.Name);
            return 7;
        }
    }

    // slices of ten calls with the given costs
    private static int Calls(IReadOnlyList<CallStyle> styles, Func<CallStyle, double[]> costs, int fewest, int most)
    {
        var next = styles.ToDictionary(static style => style, static _ => 0);
        return WarmUp.UntilSteady(styles, style => costs(style)[next[style]++], static () => { }, slice: 10, fewest, most);
    }
}
