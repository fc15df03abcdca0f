using System.Buffers;
using AsyncLog.Tests.Configuration;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests;

public sealed class RegistrationTests
{
    [Fact]
    public void Adding_a_sink_twice_adds_nothing_twice_and_runs_all_delegates()
    {
        ServiceCollection services = new();
        services.AddLogging(builder => builder
            .AddProbe(Probe.Type(), static options => options.Header = "one"));
        Type[] once = [.. services.Select(static service => service.ServiceType).Where(static type => !IsOfCalls(type))];
        services.AddLogging(builder => builder
            .AddProbe(Probe.Type(), static options => options.Header += " two")
            .AddProbe(Probe.Type(), "a", static options => options.Header += " three")
            .AddProbe(Probe.Type(), "A", static options => options.Header += " four"));
        Assert.NotEmpty(once);
        Assert.Equal(once, services.Select(static service => service.ServiceType).Where(static type => !IsOfCalls(type)));
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.Single(provider.GetServices<ILoggerProvider>());
        Assert.Single(provider.GetServices<IPostConfigureOptions<LoggerFilterOptions>>());
        Assert.Single(provider.GetServices<IOptionsChangeTokenSource<LoggerFilterOptions>>());
        InstanceSettings<ProbeOptions> instance = Assert.Single(provider.GetRequiredService<SinkServices<ProbeOptions>>().Configuration.Current.Instances);
        Assert.Equal(("a", "one two three four"), (instance.Name, instance.Options.Header));

        // Each call adds its delegate, and the name of its instance, whose options change.
        static bool IsOfCalls(Type type)
            => type == typeof(IConfigureOptions<ProbeOptions>) || type == typeof(SinkInstanceName<ProbeOptions>)
                || type == typeof(IOptionsChangeTokenSource<ProbeOptions>);
    }

    [Fact]
    public void A_second_provider_with_the_same_options_class_is_refused()
    {
        InvalidOperationException exception = Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddLogging(builder => builder
            .AddProbe(Probe.Type()).AddSink<UnknownKeyTests.OtherProvider, ProbeOptions>(Probe.Type())));
        Assert.Equal("AsyncLog.Tests.Configuration.ProbeOptions belongs to AsyncLog.Tests.Configuration.ProbeProvider; AsyncLog.Tests.Configuration.UnknownKeyTests+OtherProvider needs its own options class.", exception.Message);
    }

    // The service that needs a logger, and how the message names it.
    private static readonly (string Name, ServiceDescriptor Service)[] CycleServices =
    [
        ("IConfigureOptions<ProbeOptions>", ServiceDescriptor.Singleton<IConfigureOptions<ProbeOptions>, NeedsLogger>()),
        ("IPostConfigureOptions<ProbeOptions>", ServiceDescriptor.Singleton<IPostConfigureOptions<ProbeOptions>, NeedsLogger>()),
        ("IValidateOptions<ProbeOptions>", ServiceDescriptor.Singleton<IValidateOptions<ProbeOptions>, NeedsLogger>()),
        ("TimeProvider", ServiceDescriptor.Singleton<TimeProvider, ClockWithLogger>()),
        ("IHostEnvironment", ServiceDescriptor.Singleton<IHostEnvironment>(static services => throw new NotSupportedException(services.GetRequiredService<ILoggerFactory>().ToString()))),
        ("IOptions<AsyncLogOptions>", ServiceDescriptor.Singleton<IConfigureOptions<AsyncLogOptions>, NeedsLogger>()),
        ("ProbeOptions", ServiceDescriptor.Singleton<IValidateOptions<ProbeOptions>, FindsLogger>()),
        ("ILogFormatter 'mine'", ServiceDescriptor.KeyedSingleton<ILogFormatter, FormatterWithLogger>("mine")),
        ("IConfigureOptions<ProbeOptions>", ServiceDescriptor.Transient<IConfigureOptions<ProbeOptions>>(
            static services => new ConfigureNamedOptions<ProbeOptions, ILogger<NeedsLogger>>("", services.GetRequiredService<ILogger<NeedsLogger>>(), static (_, _) => { }))),
    ];

    public static TheoryData<int> Cycles => [.. Enumerable.Range(0, CycleServices.Length)];

    [Theory]
    [MemberData(nameof(Cycles))]
    public async Task A_service_behind_a_logger_that_needs_a_logger_is_an_error_that_names_the_cycle(int number)
    {
        (string name, ServiceDescriptor service) = CycleServices[number];
        ServiceCollection services = new();
        services.AddLogging(builder => builder.AddProbe(Probe.Type()).AddSink<Delivery.TestLoggerProvider, Delivery.TestOptions>(
            new TestDefinition<Delivery.TestOptions>("test", static (_, _) => throw new NotSupportedException())).AddAsyncLogFormatter<FormatterWithoutLogger>("mine"));
        ((IServiceCollection)services).Add(service);
        await using ServiceProvider provider = services.BuildServiceProvider();

        // Before the mend it never came back.
        Task<ILoggerFactory> start = Task.Run(() => provider.GetRequiredService<ILoggerFactory>(), TestContext.Current.CancellationToken);
        InvalidOperationException exception = await Assert.ThrowsAsync<InvalidOperationException>(() => start.WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken));

        Assert.Equal(
            "A circular dependency was detected for the service of type 'Microsoft.Extensions.Logging.ILoggerFactory': "
            + $"ILoggerFactory -> ProbeProvider -> {name} -> ... -> ILoggerFactory. "
            + $"Loggers are made from {name}: no service behind it may have an ILogger, ILogger<T> or ILoggerFactory as a parameter of its constructor.",
            exception.Message);
    }

    [Fact]
    public void The_section_may_bear_the_full_name_of_the_provider()
    {
        using ProbeFactory factory = new([("Logging:AsyncLog.Tests.Configuration.ProbeProvider:MaxLevel", "Error"), ("Logging:AsyncProbe:ReservedPercentage", "7")]);
        ProbeOptions options = Assert.Single(factory.Configuration.Current.Instances).Options;
        Assert.Equal((LogLevel.Error, 7), (options.MaxLevel, options.ReservedPercentage));
    }

    [Fact]
    public void Mistakes_stop_a_factory_without_a_host_with_our_message()
    {
        IConfiguration configuration = Probe.Section(("Logging:LogLevel:Default", "Info"), ("Logging:AsyncProbe:LogLevel:Default", "Warn"));
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(() => LoggerFactory.Create(
            builder => builder.AddConfiguration(configuration.GetSection("Logging")).AddProbe(Probe.Type())));
        Assert.Equal(
            [
                "Logging:AsyncProbe:LogLevel:Default 'Warn' is not valid: expected Trace, Debug, Information, Warning, Error, Critical or None; did you mean 'Warning'?",
                "Logging:LogLevel:Default 'Info' is not valid: expected Trace, Debug, Information, Warning, Error, Critical or None; did you mean 'Information'?",
            ],
            exception.Failures.Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Everything_that_is_wrong_with_any_sink_stops_the_start_in_one_message(bool isProbeFirst)
    {
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(() => BuildTwoSinks(
            isProbeFirst,
            probe: null,
            ("AsyncLog:SelfReportLevel", "loud"), ("Logging:LogLevel:Shop", "Info"), ("Logging:AsyncProbe:Files:a:Mode", "9"), ("Logging:AsyncProbe:Files:b:Age", "5"),
            ("Logging:AsyncProbe:Template", "{Message"), ("Logging:AsyncProbe:Paht", "x.log"), ("Logging:Reload:Tuning", "many"), ("Logging:Reload:LogLevel:Defualt", "Debug")));
        Assert.Equal(
            [
                "AsyncLog:SelfReportLevel 'loud'",
                "Logging:AsyncProbe:Files:a:Mode '9'",
                "Logging:AsyncProbe:Files:b:Age '5'",
                "Logging:AsyncProbe:Paht is",
                "Logging:AsyncProbe:Template '{Message'",
                "Logging:LogLevel:Shop 'Info'",
                "Logging:Reload:LogLevel:Defualt applies",
                "Logging:Reload:Tuning 'many'",
            ],
            exception.Failures.Select(failure => string.Join(' ', failure.Split(' ').Take(2))).Order(StringComparer.Ordinal));
        Assert.Equal(exception.Failures, exception.Message.Split('\n'));
    }

    [Fact]
    public void A_sink_whose_options_cannot_be_read_does_not_hide_what_is_wrong_with_another()
    {
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(
            () => BuildTwoSinks(isProbeFirst: false, _ => throw new InvalidDataException("no vault"), ("Logging:Reload:Tuning", "many")));
        Assert.Equal(
            ["Logging:Reload:Tuning 'many' is not valid: expected a whole number", "Logging is not valid: reading it failed with InvalidDataException: no vault"], exception.Failures);
    }

    private static void BuildTwoSinks(bool isProbeFirst, Action<ProbeOptions>? probe, params (string Key, string? Value)[] values)
    {
        IConfiguration configuration = Probe.Section(values);
        ServiceCollection services = new();
        services.AddSingleton(configuration);
        services.AddLogging(builder =>
        {
            builder.AddConfiguration(configuration.GetSection("Logging"));
            Action[] sinks = [() => builder.AddProbe(Probe.Type(), probe), () => builder.AddSink<ReloadLoggerProvider, ReloadOptions>(new TestDefinition<ReloadOptions>("reload", static (_, _) => throw new NotSupportedException())
            {
                Rows = static table => table.Add("Tuning", static o => o.Tuning, static (o, v) => o.Tuning = v, OptionKind.Integer(), OptionReload.Live),
            })];
            foreach (Action add in isProbeFirst ? sinks : sinks.Reverse())
                add();
        });
        using ServiceProvider provider = services.BuildServiceProvider();
        provider.GetRequiredService<ILoggerFactory>();
    }

    [Fact]
    public void A_given_section_is_read_in_place_of_the_usual_one_and_follows_edits()
    {
        IConfigurationRoot own = MemorySource.Build([
            ("Shop:MyLogs:FileSizeLimit", "5MB"), ("Shop:MyLogs:Age", "2h"), ("Shop:MyLogs:Files:errors:Mode", "600"), ("Shop:MyLogs:Files:errors:Haeder", "x"), ("Shop:MyLogs:Wibble", "x")]);
        using ProbeFactory factory = new(
            [("Logging:AsyncProbe:FileSizeLimit", "7MB"), ("Logging:AsyncProbe:Files:usual:Mode", "600"), ("Shop:MyLogs:Wibble", "of another configuration")],
            logging => logging.AddProbe(Probe.Type(), section: own.GetSection("Shop:MyLogs")).AddProbe(Probe.Type(), section: own.GetSection("shop:mylogs")).AddProbe(Probe.Type(), "code"));
        Assert.Equal(
            [("errors", 5L << 20, TimeSpan.FromHours(2)), ("code", 5L << 20, TimeSpan.FromHours(2))],
            factory.Configuration.Current.Instances.Select(static instance => (instance.Name, instance.Options.FileSizeLimit, instance.Options.Age)));
        Assert.Equal(
            [
                "Logging:AsyncProbe is not read: code gave Shop:MyLogs in its place",
                "Shop:MyLogs:Wibble is not a known option",
                "Shop:MyLogs:Files:errors:Haeder is not a known option; did you mean 'Header'?",
            ],
            factory.Configuration.Current.UnknownKeys.Select(static key => key.ToString()));

        MemorySource.Of(own).Change("Shop:MyLogs:FileSizeLimit", "6MB");
        own.Reload();
        factory.Time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal([6L << 20, 6L << 20], factory.Configuration.Current.Instances.Select(static instance => instance.Options.FileSizeLimit));
        MemorySource.Of(own).Change("Shop:MyLogs:FileSizeLimit", "much");
        own.Reload();
        factory.Time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal(
            ["Shop:MyLogs:FileSizeLimit 'much' is not valid: expected a size such as 4096, 64KB or 1.5GB"], factory.Configuration.Current.Problems.Select(static problem => problem.ToString()));
        Assert.Equal([6L << 20, 6L << 20], factory.Configuration.Current.Instances.Select(static instance => instance.Options.FileSizeLimit));
    }

    [Theory]
    [InlineData("Logging:AsyncProbe")]
    [InlineData("Logging:AsyncProbes")]
    [InlineData("AsyncProbe")]
    [InlineData("Loging:File")]
    public void A_given_section_of_any_path_is_no_slip_for_any_sink(string path)
    {
        using ProbeFactory factory = new([(path + ":Header", "x"), ("Loging:LogLevel:Default", "x")], logging => logging
            .AddSink<UnknownKeyTests.OtherProvider, UnknownKeyTests.OtherOptions>(new TestDefinition<UnknownKeyTests.OtherOptions>("other", static (_, _) => throw new NotSupportedException()))
            .AddProbe(Probe.Type(), section: MemorySource.Build([(path + ":Header", "x")]).GetSection(path)));
        string[] slips = path.StartsWith("Loging", StringComparison.Ordinal) ? [] : ["Loging"];
        Assert.Equal(slips, factory.Configuration.Current.UnknownKeys.Select(static key => key.Path));
        Assert.Equal(slips, factory.Container.GetRequiredService<SinkServices<UnknownKeyTests.OtherOptions>>().Configuration.Current.UnknownKeys.Select(static key => key.Path));
        Assert.Equal("x", Assert.Single(factory.Configuration.Current.Instances).Options.Header);
    }

    [Theory]
    [InlineData("MyLogs:LogLevel:Shop", "Logging:AsyncProbe:LogLevel:Shop")]
    [InlineData("MyLogs:LogLevel:Shop", "Logging:LogLevel:Shop")]
    public void Levels_of_a_given_section_win_as_those_of_the_usual_section_do(string key, string other)
    {
        (string, string?)[] values = [(key, "Warning"), (other, "Debug"), ("MyLogs:Files:a:Mode", "600"), ("MyLogs:Files:b:LogLevel:Shop", "Error")];
        using ProbeFactory factory = new([(other, "Debug")], logging => logging.AddProbe(Probe.Type(), section: MemorySource.Build(values).GetSection("MyLogs")));
        Assert.Equal(["a"], factory.Log("Shop", LogLevel.Warning));
        Assert.Equal(["a", "b"], factory.Log("Shop", LogLevel.Error));
        Assert.Equal([], factory.Log("Shop", LogLevel.Information));
        Assert.Equal(
            ["MyLogs:LogLevel:Shop", "MyLogs:Files:b:LogLevel:Shop"],
            factory.Configuration.Current.Instances.Select(instance => factory.Configuration.EffectiveLevel(instance, "Shop").Rule));
    }

    [Theory]
    [InlineData(null, "MyLogs has no keys; expected a section with options")]
    [InlineData("x", "MyLogs is the value 'x'; expected a section with options")]
    public void A_given_section_without_keys_is_reported(string? value, string report)
    {
        using ProbeFactory factory = new([], logging => logging.AddProbe(Probe.Type(), section: MemorySource.Build([("MyLogs", value)]).GetSection("MyLogs")));
        Assert.Equal([report], factory.Configuration.Current.UnknownKeys.Select(static key => key.ToString()));
    }

    [Fact]
    public void A_second_given_section_and_a_whole_configuration_are_refused()
    {
        IConfigurationRoot configuration = MemorySource.Build([]);
        InvalidOperationException second = Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddLogging(builder => builder
            .AddProbe(Probe.Type(), section: configuration.GetSection("A:B")).AddProbe(Probe.Type(), section: configuration.GetSection("C"))));
        Assert.Equal("AddAsyncProbe reads one section: it was given A:B and then C. Describe all instances in one, below Files.", second.Message);
        ArgumentException whole = Assert.Throws<ArgumentException>(() => new ServiceCollection().AddLogging(builder => builder.AddProbe(Probe.Type(), section: configuration)));
        Assert.Equal(
            "Expected a section, such as builder.Configuration.GetSection(\"MyLogs\"), and not a whole configuration. (Parameter 'section')", whole.Message);
    }

    [Fact]
    public void Mistakes_stop_a_host_while_it_is_built()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings { ApplicationName = "Shop" });
        builder.Configuration.AddInMemoryCollection([new("Logging:LogLevel:Default", "Info"), new("Logging:AsyncProbe:MaxQueueLength", "0")]);
        builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging"));
        builder.Logging.AddProbe(Probe.Type());
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(builder.Build);
        Assert.Equal(
            ["Logging:AsyncProbe:MaxQueueLength '0' is not valid", "Logging:LogLevel:Default 'Info' is not valid"],
            exception.Failures.Select(failure => failure[..failure.LastIndexOf(':')]).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_host_gives_names_and_folders()
    {
        string folder = Path.GetTempPath();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(
            new HostApplicationBuilderSettings { ApplicationName = "Shop", EnvironmentName = "Staging", ContentRootPath = folder });
        builder.Logging.AddProbe(Probe.Type());
        using IHost host = builder.Build();
        SinkServices<ProbeOptions> services = host.Services.GetRequiredService<SinkServices<ProbeOptions>>();
        Assert.Equal(new ApplicationInfo { ApplicationName = "Shop", EnvironmentName = "Staging", ContentRootPath = folder }, services.Application);
        Assert.Same(TimeProvider.System, services.TimeProvider);
    }

    [Fact]
    public void Without_a_host_the_entry_assembly_gives_the_name()
    {
        using ProbeFactory probe = new([]);
        Assert.Equal(AppContext.BaseDirectory, probe.Provider.Services.Application.ContentRootPath);
        Assert.Equal("Production", probe.Provider.Services.Application.EnvironmentName);
        Assert.Equal("AsyncLog.Tests", probe.Provider.Services.Application.ApplicationName);
    }

    [Fact]
    public void A_formatter_is_found_by_name_ignoring_case()
    {
        NullFormatter formatter = new();
        using ProbeFactory factory = new([("Logging:AsyncProbe:Format", "MINE")], builder => builder.AddAsyncLogFormatter("Mine", formatter));
        Assert.Same(formatter, factory.Provider.Services.Formatters["mine"]);
        Assert.Equal("Mine", factory.Configuration.Current.Instances[0].Layout.Format);
    }

    [Fact]
    public void A_formatter_that_the_container_makes_is_one_singleton_for_all_instances()
    {
        (string, string?)[] settings =
            [("Logging:AsyncProbe:Format", "MINE"), ("Logging:AsyncProbe:Files:a:Mode", "600"), ("Logging:AsyncProbe:Files:b:Mode", "600")];
        using ProbeFactory factory = new(settings, builder =>
        {
            builder.Services.AddSingleton(new Prefix("> "));
            builder.AddAsyncLogFormatter("Mine", new NullFormatter()).AddAsyncLogFormatter<PrefixFormatter>("Mine");
        });
        PrefixFormatter formatter = Assert.IsType<PrefixFormatter>(factory.Provider.Services.Formatters["mine"]);
        Assert.Equal("> ", formatter.Prefix.Text);
        Assert.Same(formatter, factory.Container.GetRequiredKeyedService<ILogFormatter>("Mine"));
        Assert.Equal([("a", "Mine"), ("b", "Mine")], factory.Configuration.Current.Instances.Select(instance => (instance.Name, instance.Layout.Format)));
    }

    [Fact]
    public void A_template_that_does_not_parse_names_the_column()
    {
        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(
            () => new ProbeFactory([("Logging:AsyncProbe:Files:a:Template", "at: {Message")]));
        Assert.Equal("Logging:AsyncProbe:Files:a:Template 'at: {Message' is not valid: column 5: '{' without '}': write '{{' for a brace", exception.Message);
    }

    [Fact]
    public void A_provider_that_was_cleared_away_harms_nothing()
    {
        using ILoggerFactory factory = LoggerFactory.Create(builder => builder
            .AddConfiguration(Probe.Section(("AsyncProbe:MaxQueueLength", "wrong")))
            .AddProbe(Probe.Type(), "a", options => options.LogLevel["Default"] = LogLevel.Trace)
            .ClearProviders());

        ILogger logger = factory.CreateLogger("x");

        Assert.Null(Record.Exception(() => logger.LogInformation("to no provider")));
        Assert.All(Enum.GetValues<LogLevel>(), level => Assert.False(logger.IsEnabled(level)));
    }

    [Fact]
    public void Services_need_nothing_that_needs_a_logger()
    {
        ServiceCollection services = new();
        services.AddLogging(builder => builder.AddProbe(Probe.Type()));
        services.AddSingleton<ILoggerFactory>(_ => throw new InvalidOperationException("asked for a logger factory"));
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.NotNull(provider.GetRequiredService<SinkServices<ProbeOptions>>());
    }

    private sealed class NullFormatter : ILogFormatter
    {
        public void Format(LogEvent logEvent, System.Buffers.IBufferWriter<byte> output)
        {
        }
    }

    private sealed class PrefixFormatter(Prefix prefix) : ILogFormatter
    {
        public Prefix Prefix { get; } = prefix;

        public void Format(LogEvent logEvent, System.Buffers.IBufferWriter<byte> output)
        {
        }
    }

    private sealed record Prefix(string Text);

    private sealed class NeedsLogger(ILogger<NeedsLogger> logger) :
        IConfigureOptions<ProbeOptions>, IPostConfigureOptions<ProbeOptions>, IValidateOptions<ProbeOptions>, IConfigureOptions<AsyncLogOptions>
    {
        public void Configure(ProbeOptions options) => logger.LogInformation("configured");

        public void PostConfigure(string? name, ProbeOptions options) => logger.LogInformation("configured");

        public ValidateOptionsResult Validate(string? name, ProbeOptions options) => ValidateOptionsResult.Success;

        public void Configure(AsyncLogOptions options) => logger.LogInformation("configured");
    }

    private sealed class FindsLogger(IServiceProvider services) : IValidateOptions<ProbeOptions>
    {
        public ValidateOptionsResult Validate(string? name, ProbeOptions options)
            => ValidateOptionsResult.Fail(services.GetRequiredService<ILoggerFactory>().ToString()!);
    }

    private sealed class ClockWithLogger(ILogger<ClockWithLogger> logger) : TimeProvider
    {
        public override string ToString() => logger.ToString()!;
    }

    private sealed class FormatterWithLogger(ILogger<FormatterWithLogger> logger) : ILogFormatter
    {
        public void Format(LogEvent logEvent, IBufferWriter<byte> output) => logger.LogInformation("formatted");
    }

    private sealed class FormatterWithoutLogger : ILogFormatter
    {
        public void Format(LogEvent logEvent, IBufferWriter<byte> output)
        {
        }
    }
}
