using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Configuration;

public sealed class UnknownKeyTests
{
    [Theory]
    [InlineData("RolingInterval", "did you mean 'RollingInterval'?")]
    [InlineData("maxqueuelenght", "did you mean 'MaxQueueLength'?")]
    [InlineData("Fils", "did you mean 'Files'?")]
    [InlineData("MinLevel", "did you mean 'LogLevel'?")]
    [InlineData("minimumlevel", "did you mean 'LogLevel'?")]
    [InlineData("outputTemplate", "did you mean 'Template'?")]
    [InlineData("layout", "did you mean 'Template'?")]
    [InlineData("FormatterName", "did you mean 'Format'?")]
    [InlineData("fileSizeLimitBytes", "did you mean 'FileSizeLimit'?")]
    [InlineData("maxFileSize", "did you mean 'FileSizeLimit'?")]
    [InlineData("archiveAboveSize", "did you mean 'FileSizeLimit'?")]
    [InlineData("maximumFileSize", "did you mean 'FileSizeLimit'?")]
    [InlineData("archiveEvery", "did you mean 'RollingInterval'?")]
    [InlineData("datePattern", "did you mean 'RollingInterval'?")]
    [InlineData("maxArchiveFiles", "did you mean 'RetainedFileCountLimit'?")]
    [InlineData("MaxRollingFiles", "did you mean 'RetainedFileCountLimit'?")]
    [InlineData("maxSizeRollBackups", "did you mean 'RetainedFileCountLimit'?")]
    [InlineData("blockWhenFull", "did you mean 'QueueFullMode'?")]
    [InlineData("overflowAction", "did you mean 'QueueFullMode'?")]
    [InlineData("FullMode", "did you mean 'QueueFullMode'?")]
    [InlineData("bufferSize", "did you mean 'MaxQueueLength'?")]
    [InlineData("queueLimit", "did you mean 'MaxQueueLength'?")]
    [InlineData("FlushInterval", "it is not needed")]
    [InlineData("autoFlush", "it is not needed")]
    [InlineData("buffered", "it is not needed")]
    [InlineData("shared", "it is not needed")]
    [InlineData("concurrentWrites", "it is not needed")]
    [InlineData("Audit", "did you mean 'AcknowledgeLevel'?")]
    public void An_unknown_key_gets_a_hint(string key, string hint) => Assert.Equal(
        $"Logging:AsyncProbe:{key} is not a known option; {hint}", Assert.Single(Probe.Reader(Probe.Section((key, "x"))).Read().UnknownKeys).ToString());

    [Fact]
    public void An_unknown_key_that_resembles_nothing_is_named_all_the_same() => Assert.Equal(
        "Logging:AsyncProbe:Files:a:Wibble is not a known option", Assert.Single(Probe.Reader(Probe.Section(("Files:a:Wibble", "x"))).Read().UnknownKeys).ToString());

    [Fact]
    public void A_word_of_another_logger_for_an_option_that_the_sink_does_not_have_gets_no_hint() => Assert.Equal(
        "Logging:AsyncProbe:maxArchiveDays is not a known option", Assert.Single(Probe.Reader(Probe.Section(("maxArchiveDays", "x"))).Read().UnknownKeys).ToString());

    [Fact]
    public void A_section_with_children_reports_its_unknown_keys_once() => Assert.Equal(
        ["Logging:AsyncProbe:Wibble", "Logging:AsyncProbe:Files:b:Files"],
        Probe.Reader(Probe.Section(("Wibble", "x"), ("Files:a:Mode", "600"), ("Files:b:Files:c", "600"))).Read().UnknownKeys.Select(key => key.Path));

    [Theory]
    [InlineData("{Timestamp} {Mesage}", "prints a property named 'Mesage'; did you mean {Message}?", "has neither {Message} nor {Exception}: the text of records is not written")]
    [InlineData("{message}", "prints a property named 'message'; did you mean {Message}?", "has neither {Message} nor {Exception}: the text of records is not written")]
    [InlineData("{Message} {Scope}", "prints a property named 'Scope'; did you mean {Scopes}?")]
    [InlineData("${longdate}|${logger}|${message}", "prints a property named 'message'; did you mean {Message}?", "prints '$' before a value; write placeholders as in {Timestamp} {Level:u3} {Category} {Message}", "has neither {Message} nor {Exception}: the text of records is not written")]
    [InlineData("{Level}", "has neither {Message} nor {Exception}: the text of records is not written")]
    [InlineData("{Message} {UserId} {RequestPath} {Elapsed} {Number} {User} {EventType} {Application} {Count:N2} $5 {Id}")]
    [InlineData("{Exception}")]
    public void A_template_that_prints_something_else_than_was_probably_meant_is_doubted(string template, params string[] doubts) => Assert.Equal(
        doubts.Select(doubt => $"Logging:AsyncProbe:Template '{template}' {doubt}"),
        Probe.Reader(Probe.Section(("Template", template))).Read().UnknownKeys.Select(key => key.ToString()));

    [Theory]
    [InlineData("TimestampFormat", "YYYY-MM-DD HH:mm:ss", "Logging:AsyncProbe:TimestampFormat 'YYYY-MM-DD HH:mm:ss' prints the letter 'Y' as it is; did you mean 'yyyy-MM-dd HH:mm:ss'?")]
    [InlineData("TimestampFormat", "HH:mm:ss.SSS", "Logging:AsyncProbe:TimestampFormat 'HH:mm:ss.SSS' prints the letter 'S' as it is; did you mean 'HH:mm:ss.fff'?")]
    [InlineData("TimestampFormat", "yyyy-MM-dd i", "Logging:AsyncProbe:TimestampFormat 'yyyy-MM-dd i' prints the letter 'i' as it is; quote text as in 'at'")]
    [InlineData("Template", "{Timestamp:YYYY} {Message}", "Logging:AsyncProbe:Template '{Timestamp:YYYY} {Message}' prints the letter 'Y' of {Timestamp:YYYY} as it is; did you mean {Timestamp:yyyy}?")]
    [InlineData("TimestampFormat", "yyyy-MM-ddTHH:mm:ss.fffZ", null)]
    [InlineData("TimestampFormat", "'Year' yyyy \"Day\" dd \\Y zzz tt ggg K", null)]
    [InlineData("TimestampFormat", "O", null)]
    public void A_letter_of_a_time_that_dotnet_prints_as_it_is_is_doubted(string key, string value, string? doubt) => Assert.Equal(
        doubt is null ? [] : [doubt], Probe.Reader(Probe.Section((key, value))).Read().UnknownKeys.Select(static unknown => unknown.ToString()));

    [Fact]
    public void An_inherited_template_is_doubted_once_and_Strict_stops_at_it()
    {
        using ProbeFactory factory = new([("Logging:AsyncProbe:Main", "true"), ("Logging:AsyncProbe:Path", "x.log"), ("Logging:AsyncProbe:Template", "{Mesage}{Message}"), ("Logging:AsyncProbe:Files:a:Header", "x")]);
        const string Doubt = "Logging:AsyncProbe:Template '{Mesage}{Message}' prints a property named 'Mesage'; did you mean {Message}?";
        Assert.Equal(["default", "a"], factory.Configuration.Current.Instances.Select(instance => instance.Name));
        Assert.Equal([Doubt], factory.Configuration.Current.UnknownKeys.Select(static key => key.ToString()));
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(
            () => new ProbeFactory([("AsyncLog:Strict", "true"), ("Logging:AsyncProbe:Template", "{Mesage}{Message}")]));
        Assert.Equal([Doubt], exception.Failures);
    }

    [Theory]
    [InlineData("Logging:AsyncProbes:Path", "Logging:AsyncProbes is not a section that AsyncLog reads; did you mean 'AsyncProbe'?")]
    [InlineData("Logging:Probe:Path", "Logging:Probe is not a section that AsyncLog reads; did you mean 'AsyncProbe'?")]
    [InlineData("Logging:Probes:Path", "Logging:Probes is not a section that AsyncLog reads; did you mean 'AsyncProbe'?")]
    [InlineData("AsyncProbe:Path", "AsyncProbe is not a section that AsyncLog reads; did you mean 'Logging:AsyncProbe'?")]
    [InlineData("Loging:AsyncProbe:Path", "Loging is not a section that AsyncLog reads; did you mean 'Logging'?")]
    [InlineData("Loging:LogLevel:Default", "Loging is not a section that AsyncLog reads; did you mean 'Logging'?")]
    [InlineData("Logging:AsyncLog:SelfReportLevel", "Logging:AsyncLog is not a section that AsyncLog reads; did you mean 'AsyncLog'?")]
    [InlineData("Logging:AsyncProbe", "Logging:AsyncProbe is the value 'x'; expected a section with options")]
    [InlineData("AsyncLogs:SelfReportLevel", "AsyncLogs is not a section that AsyncLog reads; did you mean 'AsyncLog'?")]
    [InlineData("Logging:Console:FormatterName", null)]
    [InlineData("Logging:AsyncOther:Path", null)]
    [InlineData("Logging:AsyncThird:Path", "Logging:AsyncThird is not read: no sink of this name is added; call builder.Logging.AddAsyncThird()")]
    [InlineData("Logging_AsyncProbe_Path", "Logging_AsyncProbe_Path is not a section that AsyncLog reads; two underscores separate the parts of a variable: did you mean 'Logging__AsyncProbe__Path'?")]
    [InlineData("Logging:AsyncProbe_Path", "Logging:AsyncProbe_Path is not a section that AsyncLog reads; two underscores separate the parts of a variable: did you mean 'Logging__AsyncProbe__Path'?")]
    [InlineData("Logging_LogLevel_Default", "Logging_LogLevel_Default is not a section that AsyncLog reads; two underscores separate the parts of a variable: did you mean 'Logging__LogLevel__Default'?")]
    [InlineData("AsyncLog_SelfReportLevel", "AsyncLog_SelfReportLevel is not a section that AsyncLog reads; two underscores separate the parts of a variable: did you mean 'AsyncLog__SelfReportLevel'?")]
    [InlineData("Logging:LogLevel", "Logging:LogLevel is the value 'x'; expected a section such as { \"Default\": \"x\" }")]
    [InlineData("Logging_Other_Path", null)]
    [InlineData("Lodging:Rooms", null)]
    [InlineData("AsyncBlog:Title", null)]
    public void A_section_with_almost_the_right_name_is_reported(string key, string? report)
    {
        using ProbeFactory factory = new([(key, "x")], logging => logging.AddSink<OtherProvider, OtherOptions>(new TestDefinition<OtherOptions>("other", static (_, _) => throw new NotSupportedException())));
        Assert.Equal(report is null ? [] : [report], factory.Configuration.Current.UnknownKeys.Select(unknown => unknown.ToString()));
    }

    [Fact]
    public void Code_for_a_name_that_no_instance_has_is_reported_and_Strict_stops_at_it()
    {
        static void Add(ILoggingBuilder logging)
        {
            logging.AddProbe(Probe.Type(), "errors");
            logging.Services.Configure<ProbeOptions>("erorrs", static options => options.MaxRecordSize = -5).Configure<ProbeOptions>("ERRORS", static options => options.Header = "upper")
                .PostConfigure<ProbeOptions>("Wibble", static _ => { }).PostConfigure<ProbeOptions>("Audit", static options => options.Greeting = "post")
                .ConfigureAll<ProbeOptions>(static options => options.ReservedPercentage = 7).Configure<ProbeOptions>("default", static _ => { })
                .Configure<ProbeOptions>("", static options => options.RetainedFileCountLimit = 3).Configure<ProbeOptions>("off", static _ => { });
            logging.Services.AddOptions<ProbeOptions>("audti").Configure<IConfiguration>(static (_, _) => { }).Configure(static _ => { }).Validate(static _ => false, "no");
            logging.Services.AddOptions<ProbeOptions>("AUDIT").Validate<IConfiguration>(static (options, _) => options.Greeting == "post", "not post");
        }

        (string, string?)[] settings = [("Logging:AsyncProbe:Files:audit:Mode", "600"), ("Logging:AsyncProbe:Files:off:Enabled", "false")];
        string[] expected =
        [
            "Configure<ProbeOptions>(\"erorrs\") is not used: no instance has this name now (instances: audit, off, errors); did you mean 'errors'?",
            "Configure<ProbeOptions>(\"default\") is not used: no instance has this name now (instances: audit, off, errors); omit the name for the options of the section",
            "Configure<ProbeOptions>(\"audti\") is not used: no instance has this name now (instances: audit, off, errors); did you mean 'audit'?",
            "PostConfigure<ProbeOptions>(\"Wibble\") is not used: no instance has this name now (instances: audit, off, errors)",
            "Validate<ProbeOptions>(\"audti\") is not used: no instance has this name now (instances: audit, off, errors); did you mean 'audit'?",
        ];
        using ProbeFactory factory = new(settings, Add);
        Assert.Equal(expected, factory.Configuration.Current.UnknownKeys.Select(static key => key.ToString()));
        Assert.Equal(
            [("audit", null, "post", 7, 3), ("errors", "upper", "hello", 7, 3)],
            factory.Configuration.Current.Instances.Select(static instance =>
                (instance.Name, instance.Options.Header, instance.Options.Greeting, instance.Options.ReservedPercentage, instance.Options.RetainedFileCountLimit)));

        factory.EditAndApply(("Logging:AsyncProbe:Files:erorrs:MaxRecordSize", "4096"), ("Logging:AsyncProbe:Files:Wibble:Mode", "600"));
        Assert.Equal(
            ["AddAsyncProbe(\"erorrs\"): MaxRecordSize"], factory.Configuration.Current.Problems.Select(static problem => problem.Place));
        Assert.Equal(
            ["Configure<ProbeOptions>(\"default\")", "Configure<ProbeOptions>(\"audti\")", "Validate<ProbeOptions>(\"audti\")"],
            factory.Configuration.Current.UnknownKeys.Select(static key => key.Path));

        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(() => new ProbeFactory([.. settings, ("AsyncLog:Strict", "true")], Add));
        Assert.Equal(expected, exception.Failures);
    }

    [Fact]
    public void Code_for_an_unknown_name_is_reported_on_stderr_once_and_names_the_default_instance()
    {
        using Hosting.QueuePipeline pipeline = new(static builder => builder.Services.Configure<Hosting.QueueSinkOptions>("orders", static options => options.Port = 8));
        const string Line = "Configure<QueueSinkOptions>(\"orders\") is not used: no instance has this name now (instances: default). It is ignored.";
        Assert.Equal(2, pipeline.Said.Split(Line).Length);

        pipeline.Edit(("Instances:orders:Url", "a"));
        Assert.Equal(8, pipeline.SinkOf("orders").Options.Port);
        Assert.Equal(2, pipeline.Said.Split("is not used").Length);
    }

    [Theory]
    [InlineData("Logging:LogLevel:Defualt")]
    [InlineData("Logging:AsyncProbe:LogLevel:defalut")]
    [InlineData("Logging:AsyncProbe:Files:a:LogLevel:Defaults")]
    public void A_slip_of_Default_in_the_levels_is_reported_and_Strict_leaves_it_alone(string key)
    {
        using ProbeFactory factory = new([(key, "Debug"), ("Logging:AsyncProbe:Files:b:Mode", "600"), ("AsyncLog:Strict", "true")]);
        Assert.Equal([$"{key} applies only to categories with this name; did you mean 'Default'?"], factory.Configuration.Current.UnknownKeys.Select(unknown => unknown.ToString()));
    }

    [Theory]
    [InlineData("default")]
    [InlineData("Shop")]
    [InlineData("DefaultShop")]
    [InlineData("Faults")]
    public void Default_itself_and_names_of_categories_are_not_reported(string category)
    {
        using ProbeFactory factory = new(
            [($"Logging:LogLevel:{category}", "Debug"), ($"Logging:AsyncProbe:LogLevel:{category}", "Debug"), ($"Logging:AsyncProbe:Files:a:LogLevel:{category}", "Debug")]);
        Assert.Empty(factory.Configuration.Current.UnknownKeys);
    }

    [Theory]
    [InlineData("AsyncProbe")]
    [InlineData("AsyncLog.Tests.Configuration.ProbeProvider")]
    public void A_section_that_the_logging_builder_was_not_given_is_reported_and_Strict_stops_at_it(string name)
    {
        string report = $"Logging:{name} is not read: it was not passed to the logging builder; call builder.Logging.AddConfiguration(builder.Configuration.GetSection(\"Logging\"))";
        using (IHost host = Build([new($"Logging:{name}:Path", "x.log")], addConfiguration: false))
        {
            SinkConfiguration<ProbeOptions> configuration = host.Services.GetRequiredService<SinkServices<ProbeOptions>>().Configuration;
            Assert.Equal([report], configuration.Current.UnknownKeys.Select(unknown => unknown.ToString()));
        }

        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(
            () => Build([new($"Logging:{name}:Path", "x.log"), new("AsyncLog:Strict", "true")], addConfiguration: false));
        Assert.Equal([report], exception.Failures);
    }

    [Fact]
    public void A_section_that_the_logging_builder_was_given_is_read_without_a_report()
    {
        using IHost host = Build([new("Logging:AsyncProbe:Path", "x.log")], addConfiguration: true);
        SinkConfiguration<ProbeOptions> configuration = host.Services.GetRequiredService<SinkServices<ProbeOptions>>().Configuration;
        Assert.Empty(configuration.Current.UnknownKeys);
        Assert.Equal("x.log", Assert.Single(configuration.Current.Instances).Options.Path);
    }

    [Fact]
    public void What_may_be_the_section_of_another_library_is_left_alone_beside_ours_and_by_Strict()
    {
        using ProbeFactory beside = new([("Logging:AsyncProbe:Path", "x.log"), ("Logging:Probe:Path", "y.log")]);
        Assert.Empty(beside.Configuration.Current.UnknownKeys);
        using ProbeFactory strict = new([("AsyncLog:Strict", "true"), ("Logging:Probe:Path", "y.log")]);
        Assert.Equal(
            ["Logging:Probe is not a section that AsyncLog reads; did you mean 'AsyncProbe'?"],
            strict.Configuration.Current.UnknownKeys.Select(static key => key.ToString()));
    }

    [Fact]
    public void A_wrong_value_and_unknown_keys_are_reported_in_one_round()
    {
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(
            () => new ProbeFactory([("Logging:AsyncProbe:FileSizeLimit", "much"), ("Logging:AsyncProbe:Host", "x"), ("AsyncLog:Strickt", "x")]));
        Assert.Equal(
            [
                "AsyncLog:Strickt is not a known option; did you mean 'Strict'?",
                "Logging:AsyncProbe:FileSizeLimit 'much' is not valid: expected a size such as 4096, 64KB or 1.5GB",
                "Logging:AsyncProbe:Host is not a known option",
            ],
            exception.Failures.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Every_known_key_misspelt_by_one_edit_gets_the_right_suggestion()
    {
        OptionsTable<ProbeOptions> table = Probe.Reader().Table;
        Assert.Subset(
            table.Keys.Select(key => key.Name).ToHashSet(StringComparer.Ordinal),
            new HashSet<string>(["Path", "RollingInterval", "Mode", "Password", "MaxQueueLength", "QueueFullMode", "LogLevel"], StringComparer.Ordinal));
        foreach (OptionKey<ProbeOptions> key in table.Keys)
        {
            foreach (string slip in Slips(key.Name).Where(slip => table.Find(slip) is null))
            {
                UnknownKey unknown = Assert.Single(Probe.Reader(Probe.Section((slip, "x"))).Read().UnknownKeys);
                Assert.Equal($"Logging:AsyncProbe:{slip} is not a known option; did you mean '{key.Name}'?", unknown.ToString());
            }
        }
    }

    [Fact]
    public void An_unknown_key_stops_the_start_only_when_strict()
    {
        SettingsReader<ProbeOptions> reader = Probe.Reader(Probe.Section(("RolingInterval", "Day")));
        Throw(reader, strict: null);
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(() => Throw(reader, strict: "true"));
        Assert.Equal("Logging:AsyncProbe:RolingInterval is not a known option; did you mean 'RollingInterval'?", exception.Message);
    }

    [Fact]
    public void The_exception_has_one_line_per_problem()
    {
        SettingsReader<ProbeOptions> reader = Probe.Reader(Probe.Section(("RollingInterval", "Daily"), ("MaxQueueLength", "0")));
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(() => Throw(reader, strict: null));
        string[] problems =
        [
            "Logging:AsyncProbe:MaxQueueLength '0' is not valid: must be from 1 to 10000000",
            "Logging:AsyncProbe:RollingInterval 'Daily' is not valid: expected None, Year, Month, Week, Day, Hour or Minute; did you mean 'Day'?",
        ];
        Assert.Equal(problems, exception.Failures.Order(StringComparer.Ordinal));
        Assert.Equal(problems, exception.Message.Split('\n').Order(StringComparer.Ordinal));
        Assert.Equal(typeof(ProbeOptions), exception.OptionsType);
    }

    [Fact]
    public void An_unknown_key_below_Tls_always_stops_the_start()
    {
        TestDefinition<ProbeOptions> type = new("file", static (_, _) => throw new NotSupportedException())
        {
            Rows = table => table.Add("Tls:CaFile", o => o.Header, (o, v) => o.Header = v, OptionKind.OptionalText, OptionReload.Rebuild),
        };
        SettingsReader<ProbeOptions> good = Probe.Reader(Probe.Section(("Tls:CaFile", "/ca.pem")), type: type);
        Assert.Equal("/ca.pem", Assert.Single(good.Read().Instances).Options.Header);
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(
            () => Throw(Probe.Reader(Probe.Section(("Tls:CaFil", "/ca.pem")), type: type), strict: null));
        Assert.Equal("Logging:AsyncProbe:Tls:CaFil is not a known option; did you mean 'Tls:CaFile'?", exception.Message);
    }

    private static IHost Build(IEnumerable<KeyValuePair<string, string?>> values, bool addConfiguration)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(values);
        if (addConfiguration)
            builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging"));
        builder.Logging.AddProbe(Probe.Type());
        return builder.Build();
    }

    private static void Throw(SettingsReader<ProbeOptions> reader, string? strict)
    {
        ProcessOptions process = Probe.Process(strict is null ? Probe.Section() : Probe.Section(("AsyncLog:Strict", strict)));
        new SinkConfiguration<ProbeOptions>(reader).ThrowIfInvalid(process.Problems, process.UnknownKeys, process.AtStart.Strict, static () => []);
    }

    private static IEnumerable<string> Slips(string name)
    {
        for (int index = 0; index < name.Length; index++)
        {
            yield return name.Remove(index, 1);
            yield return name.Insert(index, "q");
            yield return name[..index] + "q" + name[(index + 1)..];
            if (index > 0)
            {
                yield return name[..(index - 1)] + name[index] + name[index - 1] + name[(index + 1)..];
            }
        }

        yield return name + "q";
    }

    internal sealed class OtherOptions : SinkOptions;

    [ProviderAlias("AsyncOther")]
    internal sealed class OtherProvider : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

        public void Dispose()
        {
        }
    }
}
