using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Configuration;

public sealed class PropertiesTests
{
    private static readonly (string Key, string? Value) Json = ("Format", "Json");

    [Fact]
    public void Constant_properties_merge_key_by_key_and_their_tokens_are_expanded()
    {
        InstanceSettings<ProbeOptions>[] instances = Probe.Read(
            Json, ("Main", "true"), ("Path", "logs/x.log"), ("Properties:site", "main"), ("Properties:app", "{ApplicationName}/{Instance}"), ("Properties:dir", "%LOGS%"),
            ("Files:a:Properties:Site", "a"), ("Files:a:Properties:dir", ""), ("Files:a:Properties:new", "1"));
        Assert.Equal(["app=Shop/default", "dir=/var/log", "site=main"], Show(instances[0]));
        Assert.Equal(["app=Shop/a", "new=1", "site=a"], Show(instances[1]));
    }

    [Fact]
    public void Code_adds_to_the_section_and_equal_properties_make_equal_layouts()
    {
        IConfigureOptions<ProbeOptions>[] code = [Probe.Code(options => options.Properties["zone"] = "7")];
        InstanceSettings<ProbeOptions> first = Settle();
        Assert.Equal(["site=main", "zone=7"], Show(first));
        Assert.Equal(first.Layout, Settle().Layout);
        Assert.Equal(first.Layout.GetHashCode(), Settle().Layout.GetHashCode());
        Assert.NotEqual(first.Layout, Probe.Read(Json, ("Properties:site", "main")).Single().Layout);

        InstanceSettings<ProbeOptions> Settle() =>
            Probe.Reader(Probe.Section(Json, ("Properties:site", "main")), configure: code).Read().Instances.Single().Settings!;
    }

    [Fact]
    public void Text_has_no_constant_properties() => Assert.Empty(Probe.Read(("Properties:site", "main")).Single().Layout.Properties);

    [Fact]
    public void Properties_that_no_instance_with_Format_Text_writes_are_reported()
    {
        Assert.Equal(
            ["Logging:AsyncProbe:Properties has no effect with Format Text; use Format Json or Clef, or write the text into Template"],
            Probe.Reader(Probe.Section(("Properties:site", "main"))).Read().UnknownKeys.Select(static key => key.ToString()));
        Assert.Equal(
            ["Logging:AsyncProbe:Files:a:Properties has no effect with Format Text; use Format Json or Clef, or write the text into Template"],
            Probe.Reader(Probe.Section(("Files:a:Properties:site", "main"))).Read().UnknownKeys.Select(static key => key.ToString()));
        Assert.Empty(Probe.Reader(Probe.Section(Json, ("Properties:site", "main"))).Read().UnknownKeys);
        // Inherited ones may be meant for another instance.
        Assert.Empty(Probe.Reader(Probe.Section(("Properties:site", "main"), ("Files:a:Format", "Json"), ("Files:b:Format", "Text"))).Read().UnknownKeys);
    }

    [Theory]
    [InlineData("Properties", "x", "Logging:AsyncProbe:Properties 'x' is not valid: expected a map of names to values")]
    [InlineData("Properties:0", "site=main", "Logging:AsyncProbe:Properties is not valid: expected a map of names to values, not a list")]
    [InlineData("Properties:a:b", "x", "Logging:AsyncProbe:Properties:a is not valid: expected one value, not a section or list")]
    [InlineData("Properties:a", "{MachinName}", "Logging:AsyncProbe:Properties:a '{MachinName}' is not valid: unknown token {MachinName}: expected {ApplicationName}, {EnvironmentName}, {MachineName}, {ProcessId} or {Instance}; did you mean '{MachineName}'?")]
    [InlineData("Properties:a", "50%", "Logging:AsyncProbe:Properties:a '50%' is not valid: '%' begins an environment variable: write %% for a percent sign")]
    public void What_is_wrong_with_a_property_is_said(string key, string value, string problem) => Assert.Equal(problem, Assert.Single(Probe.Problems((key, value))));

    [Fact]
    public void A_value_from_code_is_blamed_on_the_code() => Assert.Equal(
        "AddAsyncProbe(): Properties 'a={x}' is not valid: unknown token {x}: expected {ApplicationName}, {EnvironmentName}, {MachineName}, {ProcessId} or {Instance}",
        Assert.Single(Probe.Problems(Probe.Reader(Probe.Section(("Properties:a", "1")), configure: [Probe.Code(options => options.Properties["a"] = "{x}")]))));

    [Fact]
    public void A_property_without_a_name_is_refused_from_code_too() => Assert.Equal(
        "AddAsyncProbe(): Properties '=x' is not valid: : a property needs a name",
        Assert.Single(Probe.Problems(Probe.Reader(configure: [Probe.Code(options => options.Properties[""] = "x")]))));

    [Fact]
    public void Another_property_is_a_change_that_needs_no_new_instance()
    {
        SettingsReader<ProbeOptions> reader = Probe.Reader(Probe.Section(Json, ("Properties:site", "main")));
        ProbeOptions before = reader.Read().Instances.Single().Options;
        ProbeOptions after = Probe.Reader(Probe.Section(Json, ("Properties:site", "other"))).Read().Instances.Single().Options;
        OptionKey<ProbeOptions> changed = Assert.Single(reader.Table.Compare(before, after));
        Assert.Equal(("Properties", OptionReload.Live), (changed.Name, changed.Reload));
    }

    [Fact]
    public void A_format_of_time_stamps_is_refused_beside_CLEF_and_ignored_when_it_is_inherited()
    {
        Assert.Equal(
            "Logging:AsyncProbe:TimestampFormat 'HH' is not valid: not with Format Clef, whose timestamps are ISO 8601 in UTC",
            Assert.Single(Probe.Problems(("Format", "Clef"), ("TimestampFormat", "HH"))));
        InstanceSettings<ProbeOptions>[] instances = Probe.Read(("Main", "true"), ("Path", "logs/x.log"), ("TimestampFormat", "HH"), ("Files:a:Format", "clef"));
        Assert.Equal(["HH", null], instances.Select(instance => instance.Layout.TimestampFormat));
        Assert.Equal("Clef", instances[1].Layout.Format);
    }

    private static string[] Show(InstanceSettings<ProbeOptions> instance) => [.. instance.Layout.Properties.Select(pair => $"{pair.Key}={pair.Value}")];
}
