using AsyncLog.Tests.Support;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Configuration.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests;

public sealed class ConfigurationTests
{
    [Fact]
    public async Task Environment_variables_configure_named_files()
    {
        using var folder = new TempFolder();
        using var shop = new ShopProcess(
            folder,
            ("Logging__AsyncFile__Files__errors__Path", "elsewhere/{ApplicationName}-trouble.log"),
            ("Logging__AsyncFile__Files__added__LogLevel__Default", "Warning"));
        using var client = new HttpClient { BaseAddress = await shop.Started() };

        using var answer = await client.GetAsync("/fail", TestContext.Current.CancellationToken);
        await shop.Stopped();

        Assert.Contains(folder.Lines("elsewhere", "WebApp-trouble.log"), static line => line.Contains("[ERR]", StringComparison.Ordinal));
        Assert.Contains(folder.Lines("logs", "WebApp-added.log"), static line => line.EndsWith("WebApp.Catalog: Somebody asked for trouble", StringComparison.Ordinal));
        Assert.False(File.Exists(folder.File("logs", "WebApp-errors.log")));
    }

    [Fact]
    public void Structural_mistakes_stop_the_start_and_all_are_listed()
    {
        using var folder = new TempFolder();
        var exception = Assert.ThrowsAny<OptionsValidationException>(() => Build(
            folder,
            ("Logging:AsyncFile:Files:errors:MaxQueueMemory", "100KB"),
            ("Logging:AsyncFile:Files:a:Path", "logs/a.log"),
            ("Logging:AsyncFile:Files:b:Path", "logs/a.log"),
            ("Logging:AsyncFile:Files:errors:RollingInterval", "Daily"),
            ("Logging:AsyncFile:Files:errors:LogLevel:Default", "Info")));

        Assert.Contains(exception.Failures, static failure => failure.StartsWith("Logging:AsyncFile:Files:errors:MaxQueueMemory '100KB' is not valid: must be ", StringComparison.Ordinal));
        Assert.Contains("Logging:AsyncFile:Files:b:Path 'logs/a.log' is not valid: instance 'a' writes to the same file: give one of them another Path", exception.Failures);
        Assert.Contains(
            "Logging:AsyncFile:Files:errors:RollingInterval 'Daily' is not valid: expected None, Year, Month, Week, Day, Hour or Minute; did you mean 'Day'?",
            exception.Failures);
        Assert.Contains(exception.Failures, static failure => failure.StartsWith("Logging:AsyncFile:Files:errors:LogLevel:Default 'Info' is not valid: ", StringComparison.Ordinal)
            && failure.EndsWith("; did you mean 'Information'?", StringComparison.Ordinal));
        Assert.Equal(4, exception.Failures.Count());
        Assert.All(exception.Failures, failure => Assert.Contains(failure, exception.Message, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_misspelt_key_is_reported_with_the_right_one_and_the_app_runs()
    {
        using var folder = new TempFolder();
        using var shop = new ShopProcess(folder, ("Logging__AsyncFile__RolingInterval", "Hour"));
        using var client = new HttpClient { BaseAddress = await shop.Started() };

        using var answer = await client.GetAsync("/", TestContext.Current.CancellationToken);
        Assert.Equal(1, await shop.Stopped());

        var report = Assert.Single(shop.Program.Errors, static line => line.Contains("RolingInterval", StringComparison.Ordinal));
        Assert.Matches(@"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [+-]\d\d:\d\d AsyncLog: warn ", report);
        Assert.Contains("Logging:AsyncFile:RolingInterval is not a known option; did you mean 'RollingInterval'?", report, StringComparison.Ordinal);
        Assert.Single(folder.Lines("logs", "requests.jsonl"));
    }

    [Fact]
    public void With_Strict_a_misspelt_key_stops_the_start()
    {
        using var folder = new TempFolder();
        var exception = Assert.ThrowsAny<OptionsValidationException>(() => Build(folder, ("AsyncLog:Strict", "true"), ("Logging:AsyncFile:RolingInterval", "Hour")));

        Assert.Equal(["Logging:AsyncFile:RolingInterval is not a known option; did you mean 'RollingInterval'?"], exception.Failures);
    }

    [Fact]
    public void Code_and_configuration_meet_in_one_named_instance()
    {
        using var folder = new TempFolder();
        var builder = Builder(folder, ("Logging:AsyncFile:Files:errors:LogLevel:Default", "Error"));
        builder.Logging.AddAsyncFile("errors", options => options.Path = folder.File("by-code.log"));
        using (var host = builder.Build())
        {
            var logger = ((ILoggerFactory)host.Services.GetService(typeof(ILoggerFactory))!).CreateLogger("Test");
            logger.LogInformation("quiet");
            logger.LogError("loud");
        }

        Assert.EndsWith("[ERR] Test: loud", Assert.Single(folder.Lines("by-code.log")), StringComparison.Ordinal);
        Assert.Collection(
            folder.Lines("logs", "tests.log"),
            static line => Assert.EndsWith("[INF] Test: quiet", line, StringComparison.Ordinal),
            static line => Assert.EndsWith("[ERR] Test: loud", line, StringComparison.Ordinal));
    }

    [Fact]
    public void The_two_lines_of_the_configuration_page_give_both_files()
    {
        const string Lines =
            """
            builder.Logging.AddAsyncFile(options => options.FileSizeLimit = 50 << 20);
            builder.Logging.AddAsyncFile("errors", options => options.LogLevel["Default"] = LogLevel.Error);
            """;
        Assert.Contains(Lines.ReplaceLineEndings("\n"), File.ReadAllText(Path.Combine(Repository.Root, "docs", "configuration.md")).ReplaceLineEndings("\n"), StringComparison.Ordinal);
        using var folder = new TempFolder();
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { ApplicationName = "tests", ContentRootPath = folder.Path });
        builder.Logging.ClearProviders();

        builder.Logging.AddAsyncFile(options => options.FileSizeLimit = 50 << 20);
        builder.Logging.AddAsyncFile("errors", options => options.LogLevel["Default"] = LogLevel.Error);

        using (var host = builder.Build())
        {
            var logger = ((ILoggerFactory)host.Services.GetService(typeof(ILoggerFactory))!).CreateLogger("Test");
            logger.LogInformation("quiet");
            logger.LogError("loud");
        }

        Assert.Equal(2, folder.Lines("logs", "tests.log").Length);
        Assert.EndsWith("[ERR] Test: loud", Assert.Single(folder.Lines("logs", "tests-errors.log")), StringComparison.Ordinal);
    }

    [Fact]
    public void The_lines_of_the_first_page_read_the_settings_without_a_host()
    {
        const string Lines =
            """
            using var loggers = LoggerFactory.Create(logging => logging
                .AddConfiguration(configuration.GetSection("Logging"))
                .AddAsyncFile()
                .Services.AddSingleton<IConfiguration>(configuration));
            """;
        Assert.Contains(Lines.ReplaceLineEndings("\n"), File.ReadAllText(Path.Combine(Repository.Root, "docs", "getting-started.md")).ReplaceLineEndings("\n"), StringComparison.Ordinal);
        using var folder = new TempFolder();
        File.WriteAllText(
            folder.File("appsettings.json"),
            $$"""{ "Logging": { "AsyncFile": { "Path": "{{folder.File("tool.log")}}" } }, "AsyncLog": { "StartupReport": false } }""");
        var configuration = new ConfigurationBuilder().SetBasePath(folder.Path).AddJsonFile("appsettings.json").AddEnvironmentVariables().Build();
        using (var loggers = LoggerFactory.Create(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile()
            .Services.AddSingleton<IConfiguration>(configuration)))
        {
            loggers.CreateLogger("Tool").LogInformation("works");
        }

        Assert.EndsWith("[INF] Tool: works", Assert.Single(folder.Lines("tool.log")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_settings_file_that_cannot_be_parsed_changes_nothing_until_it_is_complete()
    {
        using var folder = new TempFolder();
        var file = folder.File("appsettings.json");
        Write("a.log");
        var variables = new VariableSource();
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true, ContentRootPath = folder.Path });
        builder.Configuration.AddJsonFile(file, optional: false, reloadOnChange: true).Sources.Add(variables);
        builder.Logging.AddConfiguration(builder.Configuration.GetSection("Logging")).AddAsyncFile();
        using var host = builder.Build();
        var control = host.Services.GetRequiredService<IAsyncLogControl>();
        host.Services.GetRequiredService<ILoggerFactory>();
        var provider = ((IConfigurationRoot)host.Services.GetRequiredService<IConfiguration>()).Providers.First(static provider => provider is JsonConfigurationProvider);

        // .NET takes its keys away, and no event says so: the next one is that of another source, which keeps the section.
        File.WriteAllText(file, "{ \"Logging\": { \"AsyncFile\": { \"Pa");
        await Eventually.Holds(() => !provider.GetChildKeys([], null).Any());
        variables.Change();
        await Eventually.Holds(() => control.GetStatus().Instances.Single().ConfigurationProblem is not null);
        Assert.Contains("'appsettings.json' (Required) is not valid: no keys are left", control.GetStatus().Instances.Single().ConfigurationProblem, StringComparison.Ordinal);
        Assert.Equal(folder.File("a.log"), control.GetStatus().Instances.Single().Target);

        Write("b.log");
        await Eventually.Holds(() => control.GetStatus().Instances.Single() is { ConfigurationProblem: null } status && status.Target == folder.File("b.log"));

        void Write(string path) => File.WriteAllText(
            file, $$"""{ "Logging": { "AsyncFile": { "Path": "{{folder.File(path)}}" } }, "AsyncLog": { "StartupReport": false } }""");
    }

    private static IHost Build(TempFolder folder, params ReadOnlySpan<(string Key, string Value)> settings) => Builder(folder, settings).Build();

    private static HostApplicationBuilder Builder(TempFolder folder, params ReadOnlySpan<(string Key, string Value)> settings)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { ApplicationName = "tests", ContentRootPath = folder.Path });
        builder.Configuration.AddInMemoryCollection(settings.ToArray().Select(static setting => KeyValuePair.Create(setting.Key, (string?)setting.Value)));
        builder.Logging.ClearProviders().AddAsyncFile();
        return builder;
    }

    /// <summary>A source that stays when the file is gone, and says that it changed.</summary>
    private sealed class VariableSource : ConfigurationProvider, IConfigurationSource
    {
        public VariableSource() => Data["Logging:AsyncFile:FileSizeLimit"] = "1MB";

        public IConfigurationProvider Build(IConfigurationBuilder builder) => this;

        public void Change() => OnReload();
    }
}
