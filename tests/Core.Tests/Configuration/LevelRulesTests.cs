using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

public sealed class LevelRulesTests
{
    [Theory]
    [InlineData("Shop.Cart", LogLevel.Debug)]
    [InlineData("SHOP.CART.Items", LogLevel.Debug)]
    [InlineData("Shop.Web.Controller", LogLevel.Trace)]
    [InlineData("Shop", LogLevel.Error)]
    [InlineData("Other", LogLevel.Warning)]
    public void The_longest_key_wins_and_Default_comes_last(string category, LogLevel level)
    {
        KeyValuePair<string, LogLevel>[] levels =
            [new("default", LogLevel.Warning), new("Shop", LogLevel.Error), new("Shop.Cart", LogLevel.Debug), new("Shop.*Controller", LogLevel.Trace)];
        Assert.Equal(level, LevelMap.Of(levels).Find(category));
        Assert.Equal(level, LevelMap.Of([.. levels.Reverse()]).Find(category));
    }

    [Fact]
    public void An_empty_map_has_no_opinion() => Assert.Null(LevelMap.Empty.Find("Shop"));

    [Fact]
    public void Own_levels_come_before_the_providers_and_these_before_the_factorys()
    {
        using ProbeFactory factory = new(
            [
                ("Logging:LogLevel:Default", "Warning"),
                ("Logging:AsyncProbe:LogLevel:Shop", "Information"),
                ("Logging:AsyncProbe:Files:errors:LogLevel:Default", "Error"),
                ("Logging:AsyncProbe:Files:debug:LogLevel:Shop.Cart", "Debug"),
                ("Logging:AsyncProbe:Files:plain:Mode", "600"),
            ]);
        Assert.Equal(["debug"], factory.Log("Shop.Cart", LogLevel.Debug));
        Assert.Equal(["debug", "plain"], factory.Log("Shop.Web", LogLevel.Information));
        Assert.Empty(factory.Log("Other", LogLevel.Information));
        Assert.Equal(["debug", "plain"], factory.Log("Other", LogLevel.Warning));
        Assert.Equal(["debug", "errors", "plain"], factory.Log("Other", LogLevel.Error));
    }

    [Fact]
    public void A_highest_level_makes_a_file_of_one_level()
    {
        using ProbeFactory factory = new([("Logging:AsyncProbe:Files:info:LogLevel:Default", "Information"), ("Logging:AsyncProbe:Files:info:MaxLevel", "Information")]);
        Assert.Empty(factory.Log("x", LogLevel.Debug));
        Assert.Equal(["info"], factory.Log("x", LogLevel.Information));
        Assert.Empty(factory.Log("x", LogLevel.Warning));
    }

    [Fact]
    public void Without_levels_of_an_instances_own_no_rule_is_added()
    {
        using ProbeFactory factory = new([("Logging:AsyncProbe:LogLevel:Default", "Error"), ("Logging:AsyncProbe:Files:a:Mode", "600")]);
        Assert.Equal([("AsyncProbe", null, LogLevel.Error)], factory.Filters.Rules.Select(rule => (rule.ProviderName, rule.CategoryName, rule.LogLevel)));
        Assert.Equal(["a"], factory.Log("x", LogLevel.Error));
        Assert.Empty(factory.Log("x", LogLevel.Warning));
    }

    [Fact]
    public void Levels_that_code_gives_the_provider_need_rules_too()
    {
        using ProbeFactory factory = new([], builder => builder.AddProbe(Probe.Type(), options => options.LogLevel["Shop"] = LogLevel.Debug));
        Assert.Equal(["default"], factory.Log("Shop.Cart", LogLevel.Debug));
        Assert.Empty(factory.Log("Other", LogLevel.Debug));
    }

    [Fact]
    public void A_section_in_other_case_counts_though_the_factory_overlooks_it()
    {
        using ProbeFactory factory = new([("Logging:asyncprobe:LogLevel:Default", "Debug")]);
        Assert.Equal(["default"], factory.Log("Shop", LogLevel.Debug));
    }

    [Fact]
    public void A_delegate_the_factory_would_have_chosen_stays_in_force()
    {
        Func<string?, LogLevel, bool> isNotHealth = static (category, _) => category?.EndsWith("Health", StringComparison.Ordinal) != true;
        using ProbeFactory factory = new(
            [("Logging:AsyncProbe:Files:a:LogLevel:Default", "Debug")], builder => builder.AddFilter("Shop", level => level != LogLevel.Error).AddFilter<ProbeProvider>(isNotHealth));
        Assert.Equal(["a"], factory.Log("Shop.Cart", LogLevel.Debug));
        Assert.Empty(factory.Log("Shop.Health", LogLevel.Critical));
        Assert.Equal(["a"], factory.Log("Shop.Cart", LogLevel.Error));
    }

    [Fact]
    public void A_level_that_a_wildcard_hides_for_the_key_but_not_for_the_category_still_passes()
    {
        using ProbeFactory factory = new(
            [
                ("Logging:LogLevel:AB", "Critical"),
                ("Logging:AsyncProbe:Files:a:LogLevel:A", "Trace"),
                ("Logging:AsyncProbe:Files:a:LogLevel:A*B", "Error"),
            ]);
        Assert.Equal(["a"], factory.Log("ABC", LogLevel.Trace));
        Assert.Empty(factory.Log("ACB", LogLevel.Warning));
    }

    [Fact]
    public void A_reload_of_levels_reaches_the_factory_when_it_is_applied()
    {
        using ProbeFactory factory = new([("Logging:LogLevel:Default", "Warning"), ("Logging:AsyncProbe:Files:a:Mode", "600")]);
        int levelsChanged = 0;
        factory.Configuration.LevelsChanged += () => levelsChanged++;
        factory.Edit(("Logging:AsyncProbe:Files:a:LogLevel:Shop", "Debug"));
        Assert.Empty(factory.Log("Shop.Cart", LogLevel.Debug));
        int beforeIsApplied = levelsChanged;
        factory.Time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal(["a"], factory.Log("Shop.Cart", LogLevel.Debug));
        Assert.True(levelsChanged > beforeIsApplied);
        Assert.Contains(factory.Filters.Rules, IsOurs);
        factory.EditAndApply(("Logging:AsyncProbe:Files:a:LogLevel:Shop", null));
        Assert.Empty(factory.Log("Shop.Cart", LogLevel.Debug));
        Assert.DoesNotContain(factory.Filters.Rules, IsOurs);

        static bool IsOurs(LoggerFilterRule rule) => rule.ProviderName == typeof(ProbeProvider).FullName;
    }
}
