using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Configuration;

public sealed class SettingsReaderTests
{
    [Fact]
    public void An_empty_section_is_one_instance_with_defaults()
    {
        InstanceSettings<ProbeOptions> instance = Assert.Single(Probe.Read());
        Assert.Equal(("default", "file/default"), (instance.Name, instance.FullName));
        Assert.Equal(Path.GetFullPath("/srv/shop/logs/Shop.log"), instance.Destination);
        Assert.Equal(100L << 20, instance.Options.FileSizeLimit);
        Assert.True(instance.OwnLevels.IsEmpty);
    }

    [Fact]
    public void Every_kind_of_value_is_read()
    {
        ProbeOptions options = Assert.Single(Probe.Read(
            ("path", "x/a.log"), ("RollingInterval", "hour"), ("FileSizeLimit", "1.5MB"), ("RetainedFileCountLimit", "7"), ("Mode", "0600"),
            ("Age", "7d"), ("SyncLevel", "critical"), ("Greeting", "hi"), ("OnceOnly", "True"), ("LogLevel:Default", "Error"),
            ("LogLevel:Shop*Cart", "Debug"), ("MaxLevel", "Warning"), ("Format", "JSON"), ("TimestampFormat", "O"), ("UseUtcTimestamp", "true"),
            ("IncludeScopes", "false"), ("MaxQueueLength", "5"), ("MaxQueueMemory", "1MB"), ("QueueFullMode", "wait"), ("WaitTimeout", "500ms"),
            ("ReservedPercentage", "50%"), ("MaxRecordSize", "1KB"), ("ShutdownTimeout", "00:01:00"),
            ("AcknowledgeLevel", "Error"), ("AcknowledgeTimeout", "2s"), ("AcknowledgeFailureMode", "throw"),
            ("GapNotices", "false"), ("FailFastOnStart", "true"))).Options;
        Assert.Equal(("x/a.log", ProbeChoice.Hour, 1572864L, 7), (options.Path, options.RollingInterval, options.FileSizeLimit, options.RetainedFileCountLimit));
        Assert.Equal((UnixFileMode.UserRead | UnixFileMode.UserWrite, TimeSpan.FromDays(7)), (options.Mode, options.Age));
        Assert.Equal((LogLevel.Critical, "hi", true), (options.SyncLevel, options.Greeting, options.OnceOnly));
        Assert.Equal((LogLevel.Error, LogLevel.Debug), (options.LogLevel["default"], options.LogLevel["shop*cart"]));
        Assert.Equal((LogLevel.Warning, "JSON", "O"), (options.MaxLevel, options.Format, options.TimestampFormat));
        Assert.Equal((true, false, 5, 1L << 20), (options.UseUtcTimestamp, options.IncludeScopes, options.MaxQueueLength, options.MaxQueueMemory));
        Assert.Equal((QueueFullMode.Wait, TimeSpan.FromMilliseconds(500)), (options.QueueFullMode, options.WaitTimeout));
        Assert.Equal((50, 1024), (options.ReservedPercentage, options.MaxRecordSize));
        Assert.Equal(
            (LogLevel.Error, TimeSpan.FromSeconds(2), AcknowledgeFailureMode.Throw), (options.AcknowledgeLevel, options.AcknowledgeTimeout, options.AcknowledgeFailureMode));
        Assert.Equal((TimeSpan.FromMinutes(1), false, true), (options.ShutdownTimeout, options.GapNotices, options.FailFastOnStart));
    }

    [Fact]
    public void A_level_may_be_a_number_wherever_one_is_read()
    {
        SinkSettings<ProbeOptions> settings = Probe.Configuration(Probe.Reader(Probe.Section(
            ("LogLevel:Default", "2"), ("Files:a:LogLevel:Shop", "1"), ("MaxLevel", "4"), ("AcknowledgeLevel", "6"), ("SyncLevel", "0")))).Current;
        Assert.Empty(settings.Problems);
        Assert.Equal(LogLevel.Information, settings.ProviderLevels.Find("Shop.Cart"));
        InstanceSettings<ProbeOptions> a = Assert.Single(settings.Instances);
        Assert.Equal(LogLevel.Debug, a.OwnLevels.Find("Shop.Cart"));
        Assert.Equal((LogLevel.Error, LogLevel.None), (a.Options.MaxLevel, a.Options.AcknowledgeLevel));
        Assert.Equal(LogLevel.Trace, a.Options.SyncLevel);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public void Null_and_the_empty_text_are_none_where_none_is_possible(string? none)
    {
        ProbeOptions options = Assert.Single(Probe.Read(("FileSizeLimit", none), ("Age", none), ("MaxLevel", none), ("Template", none))).Options;
        Assert.Null(options.FileSizeLimit);
        Assert.Null(options.Age);
        Assert.Null(options.MaxLevel);
        Assert.Null(options.Template);
        Assert.Equal("Logging:AsyncProbe:Greeting '' is not valid: a value is required: remove the key to use the default", Assert.Single(Probe.Problems(("Greeting", none))));
        Assert.Equal("Logging:AsyncProbe:Enabled '' is not valid: a value is required: remove the key to use the default", Assert.Single(Probe.Problems(("Enabled", none))));
    }

    [Theory]
    [InlineData("MaxLevel", "None", "must not be None: set Enabled to false to disable the instance")]
    [InlineData("MaxQueueLength", "0", "must be from 1 to 10000000")]
    [InlineData("MaxQueueLength", "10000001", "must be from 1 to 10000000")]
    [InlineData("MaxQueueLength", "many", "expected a whole number")]
    [InlineData("MaxQueueMemory", "100KB", "must be at least 4 x MaxRecordSize (262144 bytes)")]
    [InlineData("MaxQueueMemory", "5GB", "must be from 256KB to 4GB")]
    [InlineData("WaitTimeout", "0s", "must be more than 0 and at most 1m")]
    [InlineData("WaitTimeout", "61s", "must be more than 0 and at most 1m")]
    [InlineData("AcknowledgeTimeout", "9ms", "must be from 10ms to 1m")]
    [InlineData("AcknowledgeTimeout", "61s", "must be from 10ms to 1m")]
    [InlineData("AcknowledgeFailureMode", "Wait", "expected Count or Throw")]
    [InlineData("ReservedPercentage", "51", "must be from 0 to 50")]
    [InlineData("ReservedPercentage", "-1", "must be from 0 to 50")]
    [InlineData("MaxRecordSize", "1023", "must be from 1KB to 1MB")]
    [InlineData("MaxRecordSize", "1048577", "must be from 1KB to 1MB")]
    [InlineData("MaxRecordSize", "3GB", "must be from 1KB to 1MB")]
    [InlineData("ShutdownTimeout", "301s", "must be from 0s to 5m")]
    [InlineData("FileSizeLimit", "4095", "must be at least 4KB")]
    [InlineData("RetainedFileCountLimit", "0", "must be at least 1; null or an empty value means all files")]
    [InlineData("RetainedFileCountLimit", "all", "expected a whole number; null or an empty value means all files")]
    [InlineData("Age", "59s", "must be at least 1m")]
    [InlineData("Mode", "0688", "expected three or four octal digits such as 0640")]
    [InlineData("Enabled", "yes", "expected true or false")]
    [InlineData("TimestampFormat", "q", "expected a .NET date and time format such as yyyy-MM-dd HH:mm:ss.fff")]
    [InlineData("TimestampFormat", "'0123456789012345678901234567890123456789012345678901234567890123'ss", "must give at most 64 characters")]
    [InlineData("Age", "5", "a number alone is ambiguous: add ms, s, m, h or d")]
    [InlineData("Format", "Simple", "expected Text, Json or Clef; did you mean 'Text'?")]
    [InlineData("Format", "CompactJson", "expected Text, Json or Clef; did you mean 'Clef'?")]
    [InlineData("Format", "Xml", "expected Text, Json or Clef")]
    public void A_value_out_of_bounds_names_key_value_and_rule(string key, string value, string rule) =>
        Assert.Equal($"Logging:AsyncProbe:{key} '{value}' is not valid: {rule}", Assert.Single(Probe.Problems((key, value))));

    [Theory]
    [InlineData("MaxQueueLength", "1")]
    [InlineData("MaxQueueLength", "10000000")]
    [InlineData("MaxQueueMemory", "256KB")]
    [InlineData("MaxQueueMemory", "4GB")]
    [InlineData("WaitTimeout", "00:00:00.0000001")]
    [InlineData("WaitTimeout", "1m")]
    [InlineData("AcknowledgeTimeout", "10ms")]
    [InlineData("AcknowledgeTimeout", "1m")]
    [InlineData("ReservedPercentage", "0")]
    [InlineData("ReservedPercentage", "50")]
    [InlineData("MaxRecordSize", "1KB")]
    [InlineData("MaxRecordSize", "1MB")]
    [InlineData("ShutdownTimeout", "0s")]
    [InlineData("ShutdownTimeout", "5m")]
    [InlineData("FileSizeLimit", "4KB")]
    [InlineData("RetainedFileCountLimit", "1")]
    [InlineData("Age", "1m")]
    public void The_bounds_themselves_are_valid(string key, string value) => Assert.Empty(Probe.Problems((key, value)));

    [Fact]
    public void A_slip_in_a_choice_gets_a_suggestion() => Assert.Equal(
        "Logging:AsyncProbe:Files:errors:RollingInterval 'Daily' is not valid: expected None, Year, Month, Week, Day, Hour or Minute; did you mean 'Day'?",
        Assert.Single(Probe.Problems(("Files:errors:RollingInterval", "Daily"))));

    [Fact]
    public void A_level_name_of_another_logger_gets_a_suggestion()
    {
        Assert.Equal(
            "Logging:AsyncProbe:LogLevel:Shop.Cart 'Info' is not valid: expected Trace, Debug, Information, Warning, Error, Critical or None; did you mean 'Information'?",
            Assert.Single(Probe.Problems(("LogLevel:Shop.Cart", "Info"))));
        Assert.Equal(
            "Logging:AsyncProbe:Files:a:LogLevel:a*b*c 'Error' is not valid: a category may contain only one '*'",
            Assert.Single(Probe.Problems(("Files:a:LogLevel:a*b*c", "Error"))));
        Assert.Equal("Logging:AsyncProbe:LogLevel 'Error' is not valid: expected a map of categories to levels, such as { \"Default\": \"Error\" }", Assert.Single(Probe.Problems(("LogLevel", "Error"))));
    }

    [Fact]
    public void Levels_the_logger_factory_cannot_read_are_found_before_it_throws()
    {
        SettingsReader<ProbeOptions> reader = Probe.Reader(factoryLevels: Probe.Section(("Default", "Info"), ("Shop", "2"), ("Web", "debug"), ("x*y*", "Error")));
        Assert.Equal(
            [
                "Logging:LogLevel:Default 'Info' is not valid: expected Trace, Debug, Information, Warning, Error, Critical or None; did you mean 'Information'?",
                "Logging:LogLevel:x*y* 'Error' is not valid: a category may contain only one '*'",
            ],
            Probe.Problems(reader).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void All_problems_of_all_instances_are_collected_once()
    {
        string[] problems = Probe.Problems(
            ("Main", "true"), ("MaxQueueLength", "x"), ("Path", "logs/{Shop}.log"), ("Files:a:Mode", "9"), ("Files:b:Age", "5"), ("Files:b:FileSizeLimit", "1"), ("Files:c:Enabled", "false"), ("Files:c:Age", "bad"));
        Assert.Equal(
            [
                "Logging:AsyncProbe:Files:a:Mode '9' is not valid: expected three or four octal digits such as 0640",
                "Logging:AsyncProbe:Files:b:Age '5' is not valid: a number alone is ambiguous: add ms, s, m, h or d",
                "Logging:AsyncProbe:Files:b:FileSizeLimit '1' is not valid: must be at least 4KB",
                "Logging:AsyncProbe:MaxQueueLength 'x' is not valid: expected a whole number",
                "Logging:AsyncProbe:Path 'logs/{Shop}.log' is not valid: unknown token {Shop}: expected {ApplicationName}, {EnvironmentName}, {MachineName}, {ProcessId}, {Instance} or {Date}",
            ],
            problems.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Two_instances_never_write_to_one_file() => Assert.Equal(
        "Logging:AsyncProbe:Files:b:Path 'logs/../logs/a.log' is not valid: instance 'a' writes to the same file: give one of them another Path",
        Assert.Single(Probe.Problems(("Files:a:Path", "logs/a.log"), ("Files:b:Path", "logs/../logs/a.log"))));

    [Fact]
    public void A_derived_path_that_is_taken_is_blamed_on_the_instance() => Assert.Equal(
        $"Logging:AsyncProbe:Files:b:Path '{Path.GetFullPath("/srv/shop/x-b.log")}' is not valid: instance 'a' writes to the same file: give one of them another Path",
        Assert.Single(Probe.Problems(("Main", "true"), ("Path", "x.log"), ("Files:a:Path", "x-b.log"), ("Files:b:Mode", "600"))));

    [Theory]
    [InlineData("Files:0:Path", "a.log", "Logging:AsyncProbe:Files is not valid: instances have names: expected a section per instance, not a value or list")]
    [InlineData("Files", "a.log", "Logging:AsyncProbe:Files 'a.log' is not valid: instances have names: expected a section per instance, not a value or list")]
    [InlineData("Files:Default:Path", "a.log", "Logging:AsyncProbe:Files 'Default' is not valid: the name is reserved: the section itself describes the default instance")]
    [InlineData("Files:a/b:Path", "a.log", "Logging:AsyncProbe:Files 'a/b' is not valid: expected the name of an instance; Path sets its destination")]
    [InlineData("Files:a b:Path", "a.log", "Logging:AsyncProbe:Files 'a b' is not valid: expected a name of 1 to 64 letters, digits, '_', '.' or '-'")]
    [InlineData("Files:errors", "a.log", "Logging:AsyncProbe:Files:errors 'a.log' is not valid: expected a section with the instance's options")]
    [InlineData("FileSizeLimit:Value", "1MB", "Logging:AsyncProbe:FileSizeLimit is not valid: expected one value, not a section or list")]
    [InlineData("0:Path", "a.log", "Logging:AsyncProbe is not valid: expected a section with options, not a list")]
    [InlineData("Files:a:0:Path", "a.log", "Logging:AsyncProbe:Files:a is not valid: expected a section with options, not a list")]
    [InlineData("LogLevel:0", "Debug", "Logging:AsyncProbe:LogLevel is not valid: expected a map of categories to levels, such as { \"Default\": \"Error\" }, not a list")]
    public void A_wrong_shape_says_what_is_expected(string key, string value, string problem)
        => Assert.Equal(problem, Assert.Single(Probe.Problems((key, value))));

    [Fact]
    public void Secrets_are_never_shown()
    {
        Assert.Equal("Logging:AsyncProbe:Password '***' is not valid: is too easy", Assert.Single(Probe.Problems(("Password", "guess"))));
        Assert.Equal(
            "AddAsyncProbe(): Password '***' is not valid: is too easy",
            Assert.Single(Probe.Problems(Probe.Reader(configure: [Probe.Code(static options => options.Password = "guess")]))));
    }

    [Fact]
    public void A_hostile_value_stays_on_one_line()
    {
        // The first 200 characters of the value, with a space for each control character and line break.
        Assert.Equal(
            $"Logging:AsyncProbe:MaxQueueLength '1 root:  [31m  {new string('x', 185)}...' is not valid: expected a whole number",
            Assert.Single(Probe.Problems(("MaxQueueLength", "1\nroot: \u001b[31m\u2028\u2029" + new string('x', 5000)))));
    }

    [Fact]
    public void A_registered_formatter_is_a_format() => Assert.Equal("Fancy", Assert.Single(Probe.Reader(Probe.Section(("Format", "fancy")), formats: ["Fancy"]).Read().Instances).Settings!.Layout.Format);

    [Fact]
    public void The_layout_says_how_records_look()
    {
        InstanceSettings<ProbeOptions> a = Probe.Read(("Files:a:Template", "{Message} {Instance}"), ("Files:a:MaxRecordSize", "2KB"), ("Files:a:UseUtcTimestamp", "true"))[0];
        Assert.Equal(new RecordLayout { Format = "Text", Template = "{Message} {Instance}", MaxRecordSize = 2048, UseUtcTimestamp = true, Instance = "a" }, a.Layout);
        Assert.Equal("", Probe.Read(("Files:a:Template", "{Message}"))[0].Layout.Instance);
    }
}
