using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Sinks;

public sealed class EffectiveLevelTests
{
    [Theory]
    [InlineData("default", "Shop.Cart", LogLevel.Trace, "Logging:LogLevel:Default")]
    [InlineData("default", "Microsoft.Hosting", LogLevel.Warning, "Logging:LogLevel:Microsoft")]
    [InlineData("default", "Shop.Audit.Login", LogLevel.Error, "Logging:Reload:LogLevel:Shop.Audit")]
    [InlineData("errors", "Shop.Cart", LogLevel.Error, "Logging:Reload:Files:errors:LogLevel:Default")]
    [InlineData("errors", "Shop.Audit.Login", LogLevel.Debug, "Logging:Reload:Files:errors:LogLevel:Shop.Audit.Login")]
    public void The_key_that_sets_a_level_is_told(string instance, string category, LogLevel level, string key)
    {
        using var pipeline = new ReloadPipeline(
            ("Logging:LogLevel:Microsoft", "Warning"),
            ("LogLevel:Shop.Audit", "Error"),
            ("Files:errors:Destination", "errors"),
            ("Files:errors:LogLevel:Default", "Error"),
            ("Files:errors:LogLevel:Shop.Audit.Login", "Debug"));
        pipeline.Factory.CreateLogger(category);
        Assert.Equal((level, key), Told(pipeline.StatusOf(instance).EffectiveLevels[category]));
    }

    [Fact]
    public void A_reload_shows_at_once()
    {
        using var pipeline = new ReloadPipeline();
        Assert.Equal((LogLevel.Trace, "Logging:LogLevel:Default"), Told(pipeline.Status.EffectiveLevels["Test"]));
        pipeline.Edit(("LogLevel:Test", "Critical"));
        Assert.Equal((LogLevel.Critical, "Logging:Reload:LogLevel:Test"), Told(pipeline.Status.EffectiveLevels["Test"]));
    }

    [Fact]
    public void Reading_a_status_again_does_not_compute_the_levels_again()
    {
        using var pipeline = new ReloadPipeline(("LogLevel:Shop", "Error"));
        for (var number = 0; number < 500; number++)
            pipeline.Factory.CreateLogger($"Shop.Category{number}");
        Assert.Equal(501, pipeline.Status.EffectiveLevels.Count);

        Assert.Equal(501, Allocated(out var again));
        pipeline.Factory.CreateLogger("Other");
        Assert.Equal(502, Allocated(out var computed));
        Assert.True(again < computed / 5, $"{again} bytes, and {computed} with another logger");

        int Allocated(out long bytes)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            var count = pipeline.Status.EffectiveLevels.Count;
            bytes = GC.GetAllocatedBytesForCurrentThread() - before;
            return count;
        }
    }

    [Fact]
    public void The_levels_of_a_status_follow_each_new_logger_and_each_change_of_a_level()
    {
        using var pipeline = new ReloadPipeline(("Files:errors:Destination", "errors"), ("Files:errors:LogLevel:Default", "Critical"));
        Assert.Equal(["Test"], pipeline.Status.EffectiveLevels.Keys);

        pipeline.Factory.CreateLogger("Shop");
        Assert.Equal(["Shop", "Test"], pipeline.Status.EffectiveLevels.Keys.Order(StringComparer.Ordinal));
        Assert.Equal((LogLevel.Trace, "Logging:LogLevel:Default"), Told(pipeline.Status.EffectiveLevels["Shop"]));

        pipeline.Edit(("Logging:LogLevel:Default", "Error"));
        Assert.Equal((LogLevel.Error, "Logging:LogLevel:Default"), Told(pipeline.Status.EffectiveLevels["Shop"]));
        Assert.Equal(
            (LogLevel.Critical, "Logging:Reload:Files:errors:LogLevel:Default"), Told(pipeline.StatusOf("errors").EffectiveLevels["Shop"]));
        pipeline.Edit(("LogLevel:Shop", "Warning"));
        Assert.Equal((LogLevel.Warning, "Logging:Reload:LogLevel:Shop"), Told(pipeline.Status.EffectiveLevels["Shop"]));
    }

    private static (LogLevel Level, string Key) Told(EffectiveLevel level) => (level.Level, level.Rule);
}
