using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Configuration;

public sealed class InheritanceTests
{
    [Fact]
    public void The_section_is_an_instance_beside_its_named_ones_unless_Main_is_false()
    {
        Assert.Equal(["default", "a", "b"], Names(Probe.Read(("Main", "true"), ("Files:a:Mode", "600"), ("Files:b:Mode", "600"))));
        Assert.Equal(["a"], Names(Probe.Read(("Main", "false"), ("Path", "x.log"), ("Files:a:Mode", "600"))));
        Assert.Equal(["a"], Names(Read(Probe.Reader(Probe.Section(("Main", "true"), ("Files:a:Mode", "600")), configure: [Probe.Code(o => o.Main = false)]))));
        Assert.Equal(["default"], Names(Probe.Read(("Main", "false"), ("Path", "x.log"))));
    }

    [Fact]
    public void Main_in_a_named_instance_is_a_mistake() => Assert.Equal(
        "Logging:AsyncProbe:Files:a:Main 'false' is not valid: belongs to the section itself: switch a named instance off with Enabled",
        Assert.Single(Probe.Problems(("Files:a:Main", "false"))));

    [Fact]
    public void A_sink_that_does_not_say_otherwise_has_its_default_instance_beside_named_ones()
    {
        TestDefinition<ProbeOptions> type = new("probe", static (_, _) => throw new NotSupportedException());
        Assert.Equal(["default", "a", "b"], Names(Read(Probe.Reader(Probe.Section(("Files:a:MaxQueueLength", "7")), names: ["b"], type: type))));
    }

    [Fact]
    public void A_child_inherits_all_but_levels_and_switch_and_derives_its_path()
    {
        // A template fits no other format.
        string[] own = ["Path", "LogLevel", "Enabled", "Main", "Template"];
        SettingsReader<ProbeOptions> reader = Probe.Reader(Probe.Section(
            ("Main", "true"), ("Path", "logs/x.log"), ("MaxQueueLength", "7"), ("LogLevel:Default", "Error"),
            ("Files:a:LogLevel:Shop", "Debug"), ("Files:b:MaxQueueLength", "8"),
            ("MaxLevel", "Error"), ("QueueFullMode", "Wait"), ("Format", "Json"), ("ShutdownTimeout", "3s"), ("Header", "h"), ("FileSizeLimit", "5MB"),
            ("TimestampFormat", "O"), ("UseUtcTimestamp", "true"), ("IncludeScopes", "true"), ("MaxQueueMemory", "1MB"),
            ("WaitTimeout", "2s"), ("ReservedPercentage", "11"), ("MaxRecordSize", "2KB"),
            ("AcknowledgeLevel", "Error"), ("AcknowledgeTimeout", "2s"), ("AcknowledgeFailureMode", "Throw"), ("GapNotices", "false"), ("FailFastOnStart", "true"), ("Greeting", "hi"), ("OnceOnly", "true"),
            ("RollingInterval", "Hour"), ("RetainedFileCountLimit", "7"), ("Mode", "0600"), ("Age", "7d"), ("SyncLevel", "Error"), ("Password", "secret"),
            ("Properties:site", "main"), ("CrashBuffer", "true")));
        InstanceSettings<ProbeOptions>[] instances = Read(reader);
        Assert.Equal(
            reader.Table.Keys.Select(static key => key.Name).Except(own),
            reader.Table.Compare(new ProbeOptions(), instances[1].Options).Select(static key => key.Name).Except(own));
        string[] paths = [.. new[] { "x.log", "x-a.log", "x-b.log" }.Select(static name => Path.GetFullPath($"/srv/shop/logs/{name}"))];
        Assert.Equal(paths, instances.Select(instance => instance.Destination));
        Assert.Equal([7, 7, 8], instances.Select(instance => instance.Options.MaxQueueLength));
        Assert.All(instances, static instance => Assert.Equal("Json", instance.Layout.Format));
        Assert.All(instances.Select(static instance => instance.Options), static options => Assert.Equal(
            (LogLevel.Error, QueueFullMode.Wait, TimeSpan.FromSeconds(3), "h", 5L << 20),
            (options.MaxLevel, options.QueueFullMode, options.ShutdownTimeout, options.Header, options.FileSizeLimit)));
        Assert.Equal([0, 1, 0], instances.Select(instance => instance.OwnLevels.Levels.Count));
        Assert.Equal(LogLevel.Debug, instances[1].OwnLevels.Find("Shop.Cart"));
        Assert.True(Assert.Single(Probe.Read(("Main", "false"), ("Files:a:Mode", "600"))).Options.Main);
    }

    [Fact]
    public void Off_in_the_section_is_off_for_all_and_off_in_a_child_for_the_child()
    {
        Assert.Empty(Probe.Read(("Enabled", "false"), ("Files:a:Enabled", "true")));
        Assert.Equal(["b"], Names(Probe.Read(("Files:a:Enabled", "false"), ("Files:b:Mode", "600"))));
    }

    [Fact]
    public void Code_and_configuration_make_the_same_instance_ignoring_case()
    {
        SettingsReader<ProbeOptions> reader = Probe.Reader(
            Probe.Section(("Files:errors:MaxQueueLength", "7")),
            ["Errors", "extra", "EXTRA"],
            [Probe.Code("Errors", o => o.ReservedPercentage = 5), Probe.Code("extra", o => o.ReservedPercentage = 6), Probe.Code("EXTRA", o => o.MaxQueueLength = 9)]);
        InstanceSettings<ProbeOptions>[] instances = Read(reader);
        Assert.Equal(["errors", "extra"], Names(instances));
        Assert.Equal([(7, 5), (9, 6)], instances.Select(instance => (instance.Options.MaxQueueLength, instance.Options.ReservedPercentage)));
    }

    [Fact]
    public void Code_without_a_name_configures_the_default_instance_and_overrules_no_other_one()
    {
        SettingsReader<ProbeOptions> reader = Probe.Reader(
            Probe.Section(("Main", "true"), ("Files:audit:MaxQueueLength", "9")), configure: [new ConfigureOptions<ProbeOptions>(options => options.MaxQueueLength = 7)]);
        Assert.Equal([("default", 7), ("audit", 9)], Read(reader).Select(instance => (instance.Name, instance.Options.MaxQueueLength)));
    }

    [Fact]
    public void A_mistake_in_code_names_the_call_and_the_property()
    {
        SettingsReader<ProbeOptions> reader = Probe.Reader(
            names: ["errors", "default", "a b"],
            configure: [Probe.Code(o => o.ReservedPercentage = 99), Probe.Code("errors", o => (o.FileSizeLimit, o.RollingInterval) = (1, (ProbeChoice)77))],
            validate: [new ValidateOptions<ProbeOptions>("errors", _ => false, "The shop says no.")]);
        Assert.Equal(
            [
                "AddAsyncProbe(\"a b\"): name 'a b' is not valid: expected a name of 1 to 64 letters, digits, '_', '.' or '-'",
                "AddAsyncProbe(\"default\"): name 'default' is not valid: the name is reserved: the section itself describes the default instance",
                "AddAsyncProbe(\"errors\"): FileSizeLimit '1B' is not valid: must be at least 4KB",
                "AddAsyncProbe(\"errors\"): RollingInterval '77' is not valid: expected None, Year, Month, Week, Day, Hour or Minute",
                "AddAsyncProbe(): ReservedPercentage '99' is not valid: must be from 0 to 50",
                "The shop says no.",
            ],
            Probe.Problems(reader).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void An_inherited_template_that_does_not_fit_is_ignored()
    {
        InstanceSettings<ProbeOptions>[] instances = Probe.Read(("Main", "true"), ("Path", "x.log"), ("Template", "{Message}"), ("Files:a:Format", "Json"), ("Files:b:Mode", "600"));
        Assert.Equal(["{Message}", null, "{Message}"], instances.Select(instance => instance.Layout.Template));
    }

    [Theory]
    [InlineData("Format", "Template", "Logging:AsyncProbe:Template")]
    [InlineData("Files:a:Format", "Files:a:Template", "Logging:AsyncProbe:Files:a:Template")]
    [InlineData("Format", "Files:a:Template", "Logging:AsyncProbe:Files:a:Template")]
    public void A_template_set_beside_a_format_that_has_none_is_a_mistake(string format, string template, string place) => Assert.Equal(
        $"{place} '{{Message}}' is not valid: only with Format Text", Assert.Single(Probe.Problems((format, "Json"), (template, "{Message}"), ("Files:a:Mode", "600"))));

    [Fact]
    public void Each_stronger_layer_overrules_each_weaker_one()
    {
        // The layers in order of strength; each sets the length of the queue to its own number, in all pairs.
        string[] layers = ["parent section", "parent code", "child section", "child code", "post-configure"];
        for (int weak = 0; weak < layers.Length; weak++)
        {
            Assert.Equal(weak + 1, LengthWith(weak, weak));
            for (int strong = weak + 1; strong < layers.Length; strong++)
            {
                Assert.Equal(strong + 1, LengthWith(weak, strong));
            }
        }
    }

    private static int LengthWith(int weak, int strong)
    {
        bool Has(int layer) => layer == weak || layer == strong;
        List<(string, string?)> values = [("Files:a:Mode", "600")];
        values.AddRange(Has(0) ? [("MaxQueueLength", "1")] : []);
        values.AddRange(Has(2) ? [("Files:a:MaxQueueLength", "3")] : []);
        SettingsReader<ProbeOptions> reader = Probe.Reader(
            Probe.Section([.. values]),
            configure:
            [
                .. Has(3) ? [Probe.Code("a", o => o.MaxQueueLength = 4)] : Array.Empty<IConfigureOptions<ProbeOptions>>(),
                .. Has(1) ? [Probe.Code(o => o.MaxQueueLength = 2)] : Array.Empty<IConfigureOptions<ProbeOptions>>(),
            ],
            postConfigure: Has(4) ? [new PostConfigureOptions<ProbeOptions>("a", o => o.MaxQueueLength = 5)] : []);
        return Assert.Single(Read(reader)).Options.MaxQueueLength;
    }

    private static InstanceSettings<ProbeOptions>[] Read(SettingsReader<ProbeOptions> reader) => [.. reader.Read().Instances.Select(instance => instance.Settings!)];

    private static IEnumerable<string> Names(IEnumerable<InstanceSettings<ProbeOptions>> instances) => instances.Select(instance => instance.Name);
}
