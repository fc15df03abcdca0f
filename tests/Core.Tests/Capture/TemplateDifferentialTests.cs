using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

public sealed class TemplateDifferentialTests
{
    private static readonly int Runs = ReleaseRun.Count(usual: 20_000, release: 1_000_000);
    private const int MostArgs = 8;

    private int _refusedByMel;

    [Fact]
    public void Messages_of_template_calls_equal_those_of_MEL()
    {
        var logger = new ComparingLogger();
        var config = Config.QuickThrowOnFailure.WithMaxTest(Runs).WithMaxRejected(0);
        Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), (int seed) => Log(logger, seed)).Check(config);
        Assert.Equal(Runs, logger.Equal + logger.Refused + _refusedByMel);
        Assert.True(logger.Equal > Runs * 9 / 10, $"{logger.Refused} refused");
    }

    private void Log(ComparingLogger logger, int seed)
    {
        var values = new TestValues(new System.Random(seed));
        using var foreign = new ForeignCulture(values);
        var args = Enumerable.Range(0, values.Below(MostArgs + 1)).Select(_ => values.Any()).ToArray();
        var template = TestTemplates.For(values, args);
        try
        {
            logger.LogInformation(template, args);
        }
        catch (FormatException)
        {
            // MEL refuses the template before any logger sees it.
            _refusedByMel++;
        }
    }
}
