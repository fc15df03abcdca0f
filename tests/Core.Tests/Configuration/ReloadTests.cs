using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Configuration;

public sealed class ReloadTests
{
    private const string Section = "Logging:AsyncProbe:";

    [Fact]
    public void Nothing_is_applied_before_a_quiet_quarter_of_a_second()
    {
        using ProbeFactory factory = new([]);
        factory.Edit((Section + "MaxLevel", "Error"));
        factory.Time.Advance(TimeSpan.FromMilliseconds(249));
        factory.Edit((Section + "MaxLevel", "Warning"));
        factory.Time.Advance(TimeSpan.FromMilliseconds(249));
        Assert.Empty(factory.Provider.Changes);
        factory.Time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(LogLevel.Warning, Assert.Single(Assert.Single(factory.Provider.Changes).Changed).New.Options.MaxLevel);
    }

    [Theory]
    [InlineData("LogLevel:Default", "Error", "LogLevel", OptionReload.Live)]
    [InlineData("MaxLevel", "Error", "MaxLevel", OptionReload.Live)]
    [InlineData("Format", "Json", "Format", OptionReload.LiveNewFile)]
    [InlineData("Template", "{Message}", "Template", OptionReload.LiveNewFile)]
    [InlineData("TimestampFormat", "O", "TimestampFormat", OptionReload.Live)]
    [InlineData("UseUtcTimestamp", "true", "UseUtcTimestamp", OptionReload.Live)]
    [InlineData("IncludeScopes", "true", "IncludeScopes", OptionReload.Live)]
    [InlineData("MaxQueueLength", "9", "MaxQueueLength", OptionReload.Rebuild)]
    [InlineData("MaxQueueMemory", "1MB", "MaxQueueMemory", OptionReload.Rebuild)]
    [InlineData("QueueFullMode", "Wait", "QueueFullMode", OptionReload.Live)]
    [InlineData("WaitTimeout", "2s", "WaitTimeout", OptionReload.Live)]
    [InlineData("ReservedPercentage", "11", "ReservedPercentage", OptionReload.Live)]
    [InlineData("MaxRecordSize", "2KB", "MaxRecordSize", OptionReload.Rebuild)]
    [InlineData("AcknowledgeLevel", "Error", "AcknowledgeLevel", OptionReload.Live)]
    [InlineData("AcknowledgeTimeout", "2s", "AcknowledgeTimeout", OptionReload.Live)]
    [InlineData("AcknowledgeFailureMode", "Throw", "AcknowledgeFailureMode", OptionReload.Live)]
    [InlineData("ShutdownTimeout", "1s", "ShutdownTimeout", OptionReload.Live)]
    [InlineData("GapNotices", "false", "GapNotices", OptionReload.Live)]
    [InlineData("FailFastOnStart", "true", "FailFastOnStart", OptionReload.NextStart)]
    [InlineData("Path", "y.log", "Path", OptionReload.Rebuild)]
    [InlineData("FileSizeLimit", "1MB", "FileSizeLimit", OptionReload.Live)]
    [InlineData("FileSizeLimit", "", "FileSizeLimit", OptionReload.Live)]
    [InlineData("Greeting", "hi", "Greeting", OptionReload.LiveNewFile)]
    [InlineData("OnceOnly", "true", "OnceOnly", OptionReload.NextStart)]
    [InlineData("RollingInterval", "Hour", "RollingInterval", OptionReload.Live)]
    [InlineData("RetainedFileCountLimit", "7", "RetainedFileCountLimit", OptionReload.Live)]
    [InlineData("Mode", "0600", "Mode", OptionReload.Live)]
    [InlineData("Age", "7d", "Age", OptionReload.Live)]
    [InlineData("SyncLevel", "Error", "SyncLevel", OptionReload.Live)]
    [InlineData("Header", "other", "Header", OptionReload.Live)]
    [InlineData("Password", "secret", "Password", OptionReload.Rebuild)]
    [InlineData("Properties:site", "main", "Properties", OptionReload.Live)]
    [InlineData("CrashBuffer", "true", "CrashBuffer", OptionReload.NextStart)]
    public void Each_key_is_applied_in_its_way_and_only_to_its_instance(string key, string value, string name, object reload)
    {
        using ProbeFactory factory = new([(Section + "Files:a:Header", "a"), (Section + "Files:b:Header", "b")]);
        InstanceSettings<ProbeOptions> untouched = factory.Configuration.Current.Instances[0];
        factory.EditAndApply((Section + "Files:b:" + key, value));
        SinkChange<ProbeOptions> change = Assert.Single(factory.Provider.Changes);
        InstanceChange<ProbeOptions> changed = Assert.Single(change.Changed);
        Assert.Equal(("b", (OptionReload)reload), (changed.New.Name, changed.Reload));
        Assert.Equal([name], OptionReload.NextStart.Equals(reload) ? changed.NextStartKeys : changed.Keys);
        Assert.Empty(OptionReload.NextStart.Equals(reload) ? changed.Keys : changed.NextStartKeys);
        Assert.Empty(change.Added);
        Assert.Empty(change.Removed);
        Assert.Equal(untouched.Destination, factory.Configuration.Current.Instances[0].Destination);
    }

    [Fact]
    public void The_strongest_of_several_keys_decides()
    {
        using ProbeFactory factory = new([]);
        factory.EditAndApply((Section + "Greeting", "x"), (Section + "MaxLevel", "Error"), (Section + "OnceOnly", "true"));
        InstanceChange<ProbeOptions> change = Assert.Single(factory.Provider.Changes[0].Changed);
        Assert.Equal(OptionReload.LiveNewFile, change.Reload);
        Assert.Equal(["Greeting", "MaxLevel"], change.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(["OnceOnly"], change.NextStartKeys);

        factory.EditAndApply((Section + "Greeting", "y"), (Section + "MaxLevel", "Warning"), (Section + "Path", "y.log"));
        change = Assert.Single(factory.Provider.Changes[1].Changed);
        Assert.Equal((OptionReload.Rebuild, 0), (change.Reload, change.NextStartKeys.Count));
        Assert.Equal(["Greeting", "MaxLevel", "Path"], change.Keys.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_sink_that_cannot_be_changed_is_rebuilt_for_its_own_options()
    {
        SinkDefinition<ProbeOptions> type = Probe.Type(canApply: false);
        SettingsReader<ProbeOptions> before = Probe.Reader(type: type);
        SettingsDiff<ProbeOptions> merge = new(type, before.Table, Probe.Names);
        SinkSettings<ProbeOptions> old = Probe.Configuration(before).Current;
        SinkChange<ProbeOptions> own = merge.Merge(old, Probe.Reader(Probe.Section(("FileSizeLimit", "1MB")), type: type).Read());
        SinkChange<ProbeOptions> common = merge.Merge(old, Probe.Reader(Probe.Section(("MaxLevel", "Error")), type: type).Read());
        Assert.Equal(OptionReload.Live, Assert.Single(common.Changed).Reload);
        Assert.Equal(OptionReload.Rebuild, Assert.Single(own.Changed).Reload);
    }

    [Fact]
    public void A_reload_without_difference_does_nothing()
    {
        using ProbeFactory factory = new([(Section + "Path", "x.log"), (Section + "Wibble", "1")]);
        factory.EditAndApply((Section + "Path", "x.log"));
        factory.EditAndApply(("Elsewhere", "y"));
        Assert.Empty(factory.Provider.Changes);
        factory.EditAndApply((Section + "Path", "y.log"));
        Assert.Single(factory.Provider.Changes);
    }

    [Fact]
    public void Instances_come_and_go()
    {
        using ProbeFactory factory = new([(Section + "Path", "x.log")]);
        factory.EditAndApply((Section + "Files:a:Header", "a"));
        AssertLastChange(1, added: ["a"], removed: ["default"]);
        factory.EditAndApply((Section + "Main", "true"));
        AssertLastChange(2, added: ["default"], removed: []);
        factory.EditAndApply((Section + "Files:a:Enabled", "false"));
        AssertLastChange(3, added: [], removed: ["a"]);
        factory.EditAndApply((Section + "Files:a:Enabled", "true"));
        AssertLastChange(4, added: ["a"], removed: []);
        factory.EditAndApply((Section + "Files:a:Enabled", null), (Section + "Files:a:Header", null));
        AssertLastChange(5, added: [], removed: ["a"]);
        factory.EditAndApply((Section + "Enabled", "false"));
        AssertLastChange(6, added: [], removed: ["default"]);
        Assert.Empty(factory.Configuration.Current.Instances);

        void AssertLastChange(int changes, string[] added, string[] removed)
        {
            Assert.Equal(changes, factory.Provider.Changes.Count);
            SinkChange<ProbeOptions> change = factory.Provider.Changes[^1];
            Assert.Equal(added, change.Added.Select(instance => instance.Name));
            Assert.Equal(removed, change.Removed.Select(instance => instance.Name));
            Assert.Empty(change.Changed);
        }
    }

    [Fact]
    public void A_wrong_edit_keeps_the_instances_last_good_settings_until_it_is_repaired()
    {
        using ProbeFactory factory = new([(Section + "Files:a:Header", "a"), (Section + "Files:b:Header", "b")]);
        factory.EditAndApply((Section + "Files:a:FileSizeLimit", "much"), (Section + "Files:a:Header", "new"), (Section + "Files:b:Header", "new"));
        SinkChange<ProbeOptions> change = Assert.Single(factory.Provider.Changes);
        Assert.Equal("b", Assert.Single(change.Changed).New.Name);
        Assert.Equal("Logging:AsyncProbe:Files:a:FileSizeLimit 'much' is not valid: expected a size such as 4096, 64KB or 1.5GB", Assert.Single(change.NewProblems).ToString());
        Assert.Equal(["a", "new"], factory.Configuration.Current.Instances.Select(instance => instance.Options.Header));

        factory.EditAndApply((Section + "Files:b:Header", "newer"));
        Assert.Empty(factory.Provider.Changes[^1].NewProblems);
        Assert.Single(factory.Configuration.Current.Problems);
        Assert.Equal(["a", "newer"], factory.Configuration.Current.Instances.Select(instance => instance.Options.Header));

        factory.EditAndApply((Section + "Files:a:FileSizeLimit", "1MB"));
        Assert.Equal(change.NewProblems, factory.Provider.Changes[^1].SolvedProblems);
        Assert.Empty(factory.Configuration.Current.Problems);
        Assert.Equal(
            [("new", 1L << 20), ("newer", 100L << 20)],
            factory.Configuration.Current.Instances.Select(instance => (instance.Options.Header, instance.Options.FileSizeLimit)));
    }

    [Fact]
    public void A_mistake_in_the_section_keeps_what_inherits_it()
    {
        using ProbeFactory factory = new([(Section + "LogLevel:Shop", "Debug"), (Section + "Files:a:Header", "a")]);
        factory.EditAndApply((Section + "LogLevel:Shop", "Error"), (Section + "MaxQueueLength", "0"), (Section + "Files:a:Header", "b"));
        Assert.Empty(Assert.Single(factory.Provider.Changes).Changed);
        Assert.Equal("a", Assert.Single(factory.Configuration.Current.Instances).Options.Header);
        Assert.Equal(LogLevel.Debug, factory.Configuration.Current.ProviderLevels.Find("Shop"));
    }

    [Fact]
    public void A_section_that_vanishes_changes_nothing_and_is_a_problem()
    {
        using ProbeFactory factory = new(
            [(Section + "Main", "true"), (Section + "Header", "h0"), (Section + "Path", "x.log"), (Section + "Files:a:Header", "a")]);
        factory.EditAndApply((Section + "Main", null), (Section + "Header", null), (Section + "Path", null), (Section + "Files:a:Header", null));
        SinkChange<ProbeOptions> change = Assert.Single(factory.Provider.Changes);
        Assert.False(change.ChangesInstances);
        Assert.Equal("Logging:AsyncProbe is not valid: the section was removed: to disable the sink, keep the section and set Enabled to false", Assert.Single(change.NewProblems).ToString());
        factory.EditAndApply(("Elsewhere", "still away"));
        Assert.Single(factory.Provider.Changes);
        Assert.Equal([("default", "h0"), ("a", "a")], factory.Configuration.Current.Instances.Select(instance => (instance.Name, instance.Options.Header)));
        factory.EditAndApply((Section + "Path", "x.log"));
        Assert.Empty(factory.Configuration.Current.Problems);
        Assert.Equal(["a"], factory.Provider.Changes[^1].Removed.Select(instance => instance.Name));
    }

    [Fact]
    public void A_section_that_holds_only_levels_may_be_taken_away()
    {
        using ProbeFactory factory = new([("Logging:LogLevel:Default", "Warning"), (Section + "LogLevel:Default", "Debug")], logging => logging.Services.Configure<ProbeOptions>(o => o.Path = "x.log"));
        Assert.Equal(["default"], factory.Log("Shop", LogLevel.Debug));
        factory.EditAndApply((Section + "LogLevel:Default", null));
        Assert.Empty(factory.Configuration.Current.Problems);
        Assert.Empty(factory.Log("Shop", LogLevel.Information));
        Assert.Equal(["default"], factory.Log("Shop", LogLevel.Warning));
    }

    [Fact]
    public void Options_may_leave_a_section_whose_levels_stay()
    {
        using ProbeFactory factory = new([(Section + "Path", "x.log"), (Section + "Header", "h"), (Section + "LogLevel:Default", "Debug")]);
        factory.EditAndApply((Section + "Path", null), (Section + "Header", null));
        Assert.Empty(factory.Configuration.Current.Problems);
        Assert.Null(Assert.Single(factory.Configuration.Current.Instances).Options.Header);
        Assert.Equal(["default"], factory.Log("Shop", LogLevel.Debug));
    }

    [Fact]
    public void Maps_with_equal_display_texts_still_differ()
    {
        using ProbeFactory factory = new([(Section + "Properties:a", "1, b=2")]);
        factory.EditAndApply((Section + "Properties:a", "1"), (Section + "Properties:b", "2"));
        Assert.Equal(["Properties"], Assert.Single(factory.Provider.Changes[^1].Changed).Keys);
        Assert.Equal("2", factory.Configuration.Current.Instances[0].Options.Properties["b"]);
    }

    [Fact]
    public void A_section_that_appears_later_is_picked_up()
    {
        using ProbeFactory factory = new([]);
        factory.EditAndApply((Section + "Main", "true"), (Section + "Path", "later.log"), (Section + "Files:a:LogLevel:Default", "Trace"));
        Assert.Equal(["/srv/later.log", "/srv/later-a.log"], factory.Configuration.Current.Instances.Select(instance => "/srv/" + System.IO.Path.GetFileName(instance.Destination)));
        Assert.Equal(["a"], factory.Log("x", LogLevel.Trace));
    }

    [Fact]
    public void A_derived_path_moves_with_the_sections_path()
    {
        using ProbeFactory factory = new([(Section + "Main", "true"), (Section + "Path", "x.log"), (Section + "Files:a:Header", "a"), (Section + "Files:b:Path", "b.log")]);
        factory.EditAndApply((Section + "Path", "y.log"));
        Assert.Equal([("default", "Path"), ("a", "Path")], factory.Provider.Changes[0].Changed.Select(change => (change.New.Name, Assert.Single(change.Keys))));
        Assert.All(factory.Provider.Changes[0].Changed, change => Assert.Equal(OptionReload.Rebuild, change.Reload));
        Assert.Equal(
            ["y.log", "y-a.log", "b.log"], factory.Configuration.Current.Instances.Select(instance => System.IO.Path.GetFileName(instance.Destination)));
    }

    [Fact]
    public void Whoever_moves_onto_anothers_file_stays_where_it_was()
    {
        using ProbeFactory factory = new([(Section + "Files:a:Path", "a.log"), (Section + "Files:b:Path", "b.log")]);
        factory.EditAndApply((Section + "Files:a:Path", "b.log"));
        Assert.Equal("Logging:AsyncProbe:Files:a:Path 'b.log' is not valid: instance 'b' writes to the same file: give one of them another Path", Assert.Single(factory.Configuration.Current.Problems).ToString());
        Assert.Equal(["a.log", "b.log"], factory.Configuration.Current.Instances.Select(instance => instance.Options.Path));
        factory.EditAndApply((Section + "Files:b:Path", "a.log"));
        Assert.Empty(factory.Configuration.Current.Problems);
        Assert.Equal(["b.log", "a.log"], factory.Configuration.Current.Instances.Select(instance => instance.Options.Path));
    }

    [Fact]
    public void A_move_that_fails_gives_the_place_back()
    {
        using ProbeFactory factory = new([(Section + "Files:a:Path", "a.log"), (Section + "Files:b:Path", "b.log")]);
        factory.EditAndApply((Section + "Files:a:Path", "c.log"), (Section + "Files:a:Age", "bad"), (Section + "Files:b:Path", "a.log"), (Section + "Files:c:Path", "b.log"));
        Assert.Equal(["a.log", "b.log"], factory.Configuration.Current.Instances.Select(instance => instance.Options.Path));
        Assert.Equal(
            ["Logging:AsyncProbe:Files:a:Age 'bad'", "Logging:AsyncProbe:Files:b:Path 'a.log'", "Logging:AsyncProbe:Files:c:Path 'b.log'"],
            factory.Configuration.Current.Problems.Select(problem => problem.ToString().Split(" is not valid")[0]).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Whoever_is_edited_to_claim_what_another_has_keeps_its_last_good_settings()
    {
        SinkDefinition<ProbeOptions> type = Probe.Type(reservedNames: static options => options.Header is { } name ? [name] : []);
        SettingsReader<ProbeOptions> before = Reader("one", "two");
        SettingsDiff<ProbeOptions> merge = new(type, before.Table, Probe.Names);
        SinkSettings<ProbeOptions> old = Probe.Configuration(before).Current;
        SinkChange<ProbeOptions> change = merge.Merge(old, Reader("two", "two").Read());
        Assert.Equal(["one", "two"], change.Settings.Instances.Select(instance => instance.Options.Header));
        Assert.Equal(
            "Logging:AsyncProbe:Files:a:Path 'a.log' is not valid: instances 'b' and 'a' would share files such as two: give one of them another Path", Assert.Single(change.NewProblems).ToString());
        Assert.Empty(merge.Merge(change.Settings, Reader("two", "one").Read()).Settings.Problems);

        SettingsReader<ProbeOptions> Reader(string a, string b) => Probe.Reader(
            Probe.Section(("Files:a:Path", "a.log"), ("Files:a:Header", a), ("Files:b:Path", "b.log"), ("Files:b:Header", b)), type: type);
    }

    [Fact]
    public void Unknown_keys_are_reported_once()
    {
        using ProbeFactory factory = new([(Section + "Wibble", "1")]);
        factory.EditAndApply((Section + "Wobble", "1"));
        Assert.Equal(["Logging:AsyncProbe:Wobble"], Assert.Single(factory.Provider.Changes).NewUnknownKeys.Select(key => key.Path));
        factory.EditAndApply((Section + "MaxLevel", "Error"));
        Assert.Equal(2, factory.Provider.Changes.Count);
        Assert.Empty(factory.Provider.Changes[1].NewUnknownKeys);
    }

    [Fact]
    public void A_level_name_the_factory_cannot_read_is_a_problem_and_the_factory_keeps_its_rules()
    {
        using ProbeFactory factory = new([("Logging:LogLevel:Default", "Warning"), (Section + "Files:a:Header", "a")]);
        Assert.Throws<AggregateException>(() => factory.Edit(("Logging:LogLevel:Default", "Info"), (Section + "Files:a:LogLevel:Shop", "Debug")));
        factory.Time.Advance(TimeSpan.FromMilliseconds(250));
        ConfigurationProblem[] problems = [.. factory.Configuration.Current.Problems.OrderBy(problem => problem.Place, StringComparer.Ordinal)];
        Assert.Equal(["Logging:LogLevel", "Logging:LogLevel:Default"], problems.Select(problem => problem.Place));
        Assert.StartsWith("the logger factory rejected its rules: ", problems[0].Rule, StringComparison.Ordinal);
        Assert.Equal(
            "Logging:LogLevel:Default 'Info' is not valid: expected Trace, Debug, Information, Warning, Error, Critical or None; did you mean 'Information'?",
            problems[1].ToString());
        Assert.Empty(factory.Log("Shop", LogLevel.Information));
        Assert.Equal(["a"], factory.Log("Shop", LogLevel.Warning));
        factory.EditAndApply(("Logging:LogLevel:Default", "Information"));
        Assert.Empty(factory.Configuration.Current.Problems);
        Assert.Equal(["a"], factory.Log("Shop", LogLevel.Debug));
    }

    [Fact]
    public void Code_that_throws_during_a_reload_keeps_everything()
    {
        bool fails = false;
        using ProbeFactory factory = new([], builder => builder.Services.Configure<ProbeOptions>(options =>
            options.Greeting = fails ? throw new InvalidOperationException("no\nway") : "fine"));
        fails = true;
        factory.EditAndApply((Section + "MaxLevel", "Error"));
        Assert.Equal(
            "Logging:AsyncProbe is not valid: reading it failed with InvalidOperationException: no way",
            Assert.Single(factory.Configuration.Current.Problems).ToString());
        ProbeOptions kept = factory.Configuration.Current.Instances[0].Options;
        Assert.Equal((null, "fine"), (kept.MaxLevel, kept.Greeting));
        fails = false;
        factory.EditAndApply();
        Assert.Equal(LogLevel.Error, factory.Configuration.Current.Instances[0].Options.MaxLevel);
        Assert.Empty(factory.Configuration.Current.Problems);
    }

    [Fact]
    public void A_validator_of_the_application_keeps_the_last_good_settings_too()
    {
        using ProbeFactory factory = new([], builder => builder.Services.AddSingleton<IValidateOptions<ProbeOptions>>(
            new ValidateOptions<ProbeOptions>("", options => options.Header != "bad", "no bad headers")));
        factory.EditAndApply((Section + "Header", "bad"));
        Assert.Equal("no bad headers", Assert.Single(factory.Configuration.Current.Problems).ToString());
        Assert.Null(factory.Configuration.Current.Instances[0].Options.Header);
    }

    [Fact]
    public void The_self_report_follows_the_configuration_and_a_wrong_edit_keeps_its_last_good_level()
    {
        using ProbeFactory factory = new([]);
        List<LogLevel> levels = factory.Provider.SelfReportLevels;
        factory.EditAndApply(("AsyncLog:SelfReportLevel", "Debug"));
        factory.EditAndApply(("AsyncLog:SelfReportLevel", "loud"));
        Assert.Equal([LogLevel.Debug], levels);
        Assert.Equal(
            "AsyncLog:SelfReportLevel 'loud' is not valid: expected Trace, Debug, Information, Warning, Error, Critical or None",
            Assert.Single(factory.Configuration.Current.Problems).ToString());
        factory.EditAndApply(("AsyncLog:SelfReportLevel", "Error"));
        Assert.Equal([LogLevel.Debug, LogLevel.Error], levels);
        Assert.Empty(factory.Configuration.Current.Problems);
    }

    [Fact]
    public void A_thousand_reloads_leave_one_timer_and_none_after_dispose()
    {
        ProbeFactory factory = new([]);
        for (int index = 0; index < 1000; index++)
        {
            factory.EditAndApply((Section + "MaxLevel", index % 2 == 0 ? "Error" : "Warning"));
        }

        Assert.Equal(1000, factory.Provider.Changes.Count);
        Assert.Equal(1, factory.Time.TimerCount);
        factory.Dispose();
        Assert.Equal(0, factory.Time.TimerCount);
        factory.EditAndApply((Section + "MaxLevel", "Debug"));
        Assert.Equal(1000, factory.Provider.Changes.Count);
    }
}
