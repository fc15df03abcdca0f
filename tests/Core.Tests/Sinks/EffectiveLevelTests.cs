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
        Assert.Equal(new EffectiveLevel(level, key), pipeline.StatusOf(instance).EffectiveLevels[category]);
    }

    [Fact]
    public void A_reload_shows_at_once()
    {
        using var pipeline = new ReloadPipeline();
        Assert.Equal(new EffectiveLevel(LogLevel.Trace, "Logging:LogLevel:Default"), pipeline.Status.EffectiveLevels["Test"]);
        pipeline.Edit(("LogLevel:Test", "Critical"));
        Assert.Equal(new EffectiveLevel(LogLevel.Critical, "Logging:Reload:LogLevel:Test"), pipeline.Status.EffectiveLevels["Test"]);
    }

    [Fact]
    public void Levels_are_computed_once_for_all_statuses_that_are_read()
    {
        using var pipeline = new ReloadPipeline(("LogLevel:Shop", "Error"));
        for (var number = 0; number < 500; number++)
            pipeline.Factory.CreateLogger($"Shop.Category{number}");
        var first = pipeline.Status.EffectiveLevels;
        Assert.Equal(501, first.Count);

        var before = GC.GetAllocatedBytesForCurrentThread();
        var second = pipeline.Status.EffectiveLevels;
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Same(first, second);
        Assert.True(allocated < 50_000, $"{allocated} bytes");

        pipeline.Factory.CreateLogger("Other");
        Assert.Equal(LogLevel.Trace, pipeline.Status.EffectiveLevels["Other"].Level);
        pipeline.Edit(("LogLevel:Shop", "Warning"));
        Assert.Equal(LogLevel.Warning, pipeline.Status.EffectiveLevels["Shop.Category499"].Level);
    }

    [Fact]
    public void The_levels_of_a_status_are_computed_again_only_when_a_logger_was_made_or_levels_changed()
    {
        using var pipeline = new ReloadPipeline(("Files:errors:Destination", "errors"));
        var levels = pipeline.Status.EffectiveLevels;
        Assert.Same(levels, pipeline.Status.EffectiveLevels);
        Assert.NotSame(levels, pipeline.StatusOf("errors").EffectiveLevels);

        pipeline.Factory.CreateLogger("Test");
        Assert.Same(levels, pipeline.Status.EffectiveLevels);
        pipeline.Factory.CreateLogger("Shop");
        Assert.Equal(["Shop", "Test"], pipeline.Status.EffectiveLevels.Keys.Order(StringComparer.Ordinal));

        pipeline.Edit(("Logging:LogLevel:Default", "Error"));
        Assert.Equal(new EffectiveLevel(LogLevel.Error, "Logging:LogLevel:Default"), pipeline.Status.EffectiveLevels["Shop"]);
    }
}
