using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Options;

public sealed class AsyncFileOptionsTests
{
    [Theory]
    [InlineData(null, "logs/{ApplicationName}-errors.log")]
    [InlineData("", "logs/{ApplicationName}-errors.log")]
    [InlineData("/srv/shop.log", "/srv/shop-errors.log")]
    [InlineData("/srv/shop.d/shop", "/srv/shop.d/shop-errors")]
    [InlineData("shop-{Date:yyyy.MM.dd}.log", "shop-{Date:yyyy.MM.dd}-errors.log")]
    [InlineData("shop-{Date:yyyy.MM.dd}", "shop-{Date:yyyy.MM.dd}-errors")]
    [InlineData("a.b.jsonl", "a.b-errors.jsonl")]
    public void A_child_without_a_path_gets_its_parents_with_its_name(string? parent, string expected) =>
        Assert.Equal(expected, AsyncFilePath.ForChild(parent, "errors"));

    [Fact]
    public void A_date_may_stand_in_the_file_name_only()
    {
        Assert.Null(AsyncFilePath.Resolve("/srv/{Date}/shop.log", AsyncFileOptions.DefaultArchiveName, RollingInterval.Day, out FileNameError? error));
        Assert.Contains("only in the file name", error!.Rule, StringComparison.Ordinal);
        Assert.NotNull(AsyncFilePath.Resolve("/srv/a{{b}}/shop.log", AsyncFileOptions.DefaultArchiveName, RollingInterval.Day, out _));
        Assert.Equal(Path.Combine($"{Path.DirectorySeparatorChar}srv", "a{b}"), AsyncFilePath.DirectoryOf("/srv/a{{b}}/shop.log"));
        Assert.Equal($"{Path.DirectorySeparatorChar}", AsyncFilePath.DirectoryOf("/shop.log"));
    }

    [Theory]
    [InlineData(@"logs\shop.log", @"C:\app\logs\shop.log", null)]
    [InlineData(@"..\logs\.\shop.log", @"C:\logs\shop.log", null)]
    [InlineData(@"\\?\C:\logs\shop.log", @"\\?\C:\logs\shop.log", null)]
    [InlineData("shop?.log", @"C:\app\shop?.log", "must not contain ? on Windows")]
    [InlineData("shop-{Date:HH:mm}.log", @"C:\app\shop-00:00.log", "must not contain : on Windows")]
    [InlineData("a*/shop.log", @"C:\app\a*\shop.log", "must not contain * on Windows")]
    [InlineData("shop.log.", @"C:\app\shop.log", "no name may end with a dot or a space on Windows")]
    [InlineData("shop.log ", @"C:\app\shop.log", "no name may end with a dot or a space on Windows")]
    [InlineData("logs./shop.log", @"C:\app\logs\shop.log", "no name may end with a dot or a space on Windows")]
    public void A_path_that_Windows_does_not_take_as_it_is_breaks_a_rule_there(string configured, string path, string? rule) =>
        Assert.Equal(rule, AsyncFileRules.WindowsPath(configured, path));

    [Theory]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite, true)]
    [InlineData(AsyncFileOptions.DefaultFileMode, true)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserExecute, false)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.OtherWrite, false)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.SetUser, false)]
    public void A_file_mode_must_not_be_executable_or_writable_by_everybody(UnixFileMode mode, bool isValid) =>
        Assert.Equal(isValid, AsyncFileRules.FileMode(mode) is null);

    [Theory]
    [InlineData(AsyncFileOptions.DefaultDirectoryMode, true)]
    [InlineData(AsyncFileOptions.DefaultDirectoryMode | UnixFileMode.OtherWrite, false)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserExecute, false)]
    public void The_mode_of_a_directory_admits_the_owner_and_not_everybody(UnixFileMode mode, bool isValid) =>
        Assert.Equal(isValid, AsyncFileRules.DirectoryMode(mode) is null);

    [Theory]
    [InlineData("FileSizeLimit", "4KB", null)]
    [InlineData("FileSizeLimit", "4095", "must be at least 4KB; null or an empty value means no limit")]
    [InlineData("RetainedFileCountLimit", "1", null)]
    [InlineData("RetainedFileCountLimit", "0", "must be at least 1; null or an empty value means all files")]
    [InlineData("RetainedFileTimeLimit", "1m", null)]
    [InlineData("RetainedFileTimeLimit", "59s", "must be at least 1m; null or an empty value means no limit")]
    [InlineData("FlushToDiskInterval", "10ms", null)]
    [InlineData("FlushToDiskInterval", "9ms", "must be at least 10ms")]
    public void Limits_in_the_configuration_have_a_smallest_value(string key, string value, string? rule)
    {
        using var folder = new TempFolder();
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection([new($"Logging:AsyncFile:{key}", value), new("Logging:AsyncFile:Path", folder.File("shop.log"))])
            .Build();
        using ServiceProvider services = new ServiceCollection()
            .Configure<AsyncLogOptions>(static options => options.StartupReport = false)
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();

        Exception? refusal = Record.Exception(services.GetRequiredService<ILoggerFactory>);

        Assert.Equal(rule is null ? null : $"Logging:AsyncFile:{key} '{value}' is not valid: {rule}", refusal?.Message);
    }

    [Theory]
    [InlineData("Files:errors:LogLevel:Default=Error", "shop-errors.log|shop.log")]
    [InlineData("Files:errors:LogLevel:Default=Error|Main=true", "shop-errors.log|shop.log")]
    [InlineData("Files:errors:LogLevel:Default=Error|Main=false", "shop-errors.log")]
    [InlineData("Main=false", "shop.log")]
    [InlineData("Files:errors:Enabled=false|Main=false", "")]
    public void Beside_named_files_there_is_the_one_of_the_section_unless_Main_says_no(string settings, string files)
    {
        using var folder = new TempFolder();
        var values = settings.Split('|').Select(static setting => setting.Split('=')).ToDictionary(static pair => "Logging:AsyncFile:" + pair[0], static pair => (string?)pair[1]);
        values["Logging:AsyncFile:Path"] = folder.File("shop.log");
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(values).Build();
        using (var factory = LoggerFactory.Create(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile()))
            factory.CreateLogger("Shop").LogError("for every file");

        Assert.Equal(files, string.Join('|', Directory.GetFiles(folder.Path).Select(Path.GetFileName).Order(StringComparer.Ordinal)));
    }

    [Fact]
    public void Main_belongs_to_the_section()
    {
        var configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:AsyncFile:Files:errors:Main", "false")]).Build();
        var refusal = Record.Exception(() => LoggerFactory.Create(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile()));
        Assert.Equal(
            "Logging:AsyncFile:Files:errors:Main 'false' is not valid: belongs to the section itself: switch a named instance off with Enabled", refusal?.Message);
    }

    [Theory]
    [InlineData("logs/app.log")]
    [InlineData("logs\\app")]
    [InlineData("app.log")]
    [InlineData("Shop.JSONL")]
    public void A_path_in_the_place_of_a_name_is_refused_with_a_hint_at_Path(string name)
    {
        var refusal = Record.Exception(() => LoggerFactory.Create(logging => logging.AddAsyncFile(name)));
        Assert.Equal($"AddAsyncFile(\"{name}\"): name '{name}' is not valid: expected the name of an instance; Path sets its destination", refusal?.Message);
    }

    [Fact]
    public void Headers_have_rules()
    {
        Assert.Null(AsyncFileRules.Header(null));
        Assert.Null(AsyncFileRules.Header(new string('h', 1024)));
        Assert.NotNull(AsyncFileRules.Header(new string('ü', 513)));
        Assert.NotNull(AsyncFileRules.Header("two\nlines"));
    }

    [Fact]
    public void Total_size_and_signal_have_rules()
    {
        Assert.Null(AsyncFileRules.RetainedTotalSizeLimit(null, 4096));
        Assert.Null(AsyncFileRules.RetainedTotalSizeLimit(0, null));
        Assert.Null(AsyncFileRules.RetainedTotalSizeLimit(4096, 4096));
        Assert.NotNull(AsyncFileRules.RetainedTotalSizeLimit(4095, 4096));
        Assert.NotNull(AsyncFileRules.RetainedTotalSizeLimit(-1, null));
        Assert.Null(AsyncFileRules.ReopenSignal(null));
        Assert.Null(AsyncFileRules.ReopenSignal("SIGHUP"));
        Assert.NotNull(AsyncFileRules.ReopenSignal("SIGTERM"));
    }

    [Theory]
    [InlineData("C:\\logs\\app.log", "backslashes")]
    [InlineData("logs\\app.log", "backslashes")]
    [InlineData("~/logs/app.log", "%HOME%")]
    [InlineData("$HOME/logs/app.log", "%HOME%")]
    [InlineData("logs/$APP.log", "%APP.log%")]
    [InlineData("file:///tmp/app.log", "without file://")]
    [InlineData(" /logs/app.log", "begins with a blank")]
    [InlineData("logs/ app.log", "begins with a blank")]
    [InlineData("logs/$5.log", null)]
    [InlineData("my logs/a $b.log", null)]
    [InlineData("logs/log-.txt", "write {Date}")]
    [InlineData("logs/log_.txt", "write {Date}")]
    [InlineData("logs/log-{Date}.txt", null)]
    [InlineData("~logs/app~.log", null)]
    [InlineData("logs/app-1.log", null)]
    public void A_path_that_is_probably_not_meant_is_told(string path, string? word)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "backslashes are right there");
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Write("a");

        if (word is null)
            Assert.Empty(harness.Context.Reports);
        else
            Assert.Contains(word, Assert.Single(harness.Context.Reports).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("auto", null)]
    [InlineData("AUTO", null)]
    [InlineData("", null)]
    [InlineData("0", 0L)]
    [InlineData("12MB", 12L << 20)]
    public void The_least_free_space_is_a_size_or_auto(string text, long? expected)
    {
        AsyncFileOptions? taken = null;
        var probe = new FileSinkDefinition(new AsyncFileControl(), createSink: (options, _) =>
        {
            taken = options;
            throw new InvalidOperationException("enough");
        });
        IConfigurationRoot configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:AsyncFile:MinimumFreeSpace", text)]).Build();
        using ServiceProvider services = new ServiceCollection()
            .Configure<AsyncLogOptions>(static options => options.StartupReport = false)
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddSink<AsyncFileLoggerProvider, AsyncFileOptions>(probe))
            .BuildServiceProvider();
        Record.Exception(services.GetRequiredService<ILoggerFactory>);

        Assert.NotNull(taken);
        Assert.Equal(expected, taken.MinimumFreeSpace);
    }

    [Fact]
    public void A_refused_least_free_space_names_auto_beside_the_units()
    {
        IConfigurationRoot configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:AsyncFile:MinimumFreeSpace", "10%")]).Build();
        using ServiceProvider services = new ServiceCollection()
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();

        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(services.GetRequiredService<ILoggerFactory>);

        Assert.Contains(
            "Logging:AsyncFile:MinimumFreeSpace '10%' is not valid: a percentage is not a size: expected a size such as 4096, 64KB or 1.5GB; 'auto' is allowed too",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("latest.log", true)]
    [InlineData("shop.latest.log", true)]
    [InlineData("shop.log", false)]
    [InlineData("shop.2026-11-20.001.log", false)]
    [InlineData("shop.2026-11-20.001.log.gz", false)]
    [InlineData(".shop.log.17.tmp", false)]
    [InlineData(".shop.2026-11-20.001.log.gz.17.tmp", false)]
    [InlineData("../latest.log", false)]
    [InlineData("..", false)]
    [InlineData("a\\b", false)]
    [InlineData("a\nb", false)]
    public void The_link_is_a_file_name_that_no_file_of_the_set_can_have(string name, bool isValid)
    {
        FileNamePattern names = AsyncFilePath.Resolve("/srv/shop.log", AsyncFileOptions.DefaultArchiveName, RollingInterval.Day, out _)!;

        Assert.Equal(isValid, AsyncFileRules.LatestLink(name, names) is null);
        Assert.NotNull(AsyncFileRules.LatestLink(new string('l', 250), names));
    }

    [Fact]
    public void The_start_up_line_names_every_limit_on_what_is_kept() =>
        Assert.Equal("text, roll Day or 100 MB, keep 31 or 7 d or 1 GB, gzip", AsyncFileSummary.Of(new AsyncFileOptions
        {
            RetainedFileTimeLimit = TimeSpan.FromDays(7),
            RetainedTotalSizeLimit = 1L << 30,
            Compression = FileCompression.Gzip,
        }));

    [Theory]
    [InlineData(RollingInterval.Day, 100L << 20, 31, "text, roll Day or 100 MB, keep 31")]
    [InlineData(RollingInterval.None, 1536L << 10, null, "text, roll 1.5 MB, keep all")]
    [InlineData(RollingInterval.Hour, null, 1, "text, roll Hour, keep 1")]
    [InlineData(RollingInterval.None, null, null, "text, no roll, keep all")]
    [InlineData(RollingInterval.None, 5000L, 3, "text, roll 4.88 KB, keep 3")]
    public void The_start_up_line_names_the_bounds(RollingInterval interval, long? limit, int? count, string expected) =>
        Assert.Equal(expected, AsyncFileSummary.Of(new AsyncFileOptions
        {
            RollingInterval = interval,
            FileSizeLimit = limit,
            RetainedFileCountLimit = count,
        }));

    [Fact]
    public void Options_that_change_later_do_not_change_what_is_in_force()
    {
        var options = new AsyncFileOptions { Path = "/srv/shop.log", FileSizeLimit = 5000 };
        var settings = new LogFileSettings(options);

        options.FileSizeLimit = 6000;
        options.RollingInterval = RollingInterval.Hour;

        Assert.Equal(5000, settings.Options.FileSizeLimit);
        Assert.Equal(RollingInterval.Day, settings.Options.RollingInterval);
    }

    [Fact]
    public void The_defaults_are_valid_and_bound_the_disk()
    {
        var options = new AsyncFileOptions();

        Assert.Null(AsyncFileRules.ArchiveName(options.ArchiveName, options.RollingInterval));
        Assert.Null(AsyncFileRules.FileMode(options.UnixFileMode));
        Assert.Null(AsyncFileRules.DirectoryMode(options.UnixDirectoryMode));
        Assert.Equal(RollingInterval.Day, options.RollingInterval);
        Assert.Equal(100L << 20, options.FileSizeLimit);
        Assert.Equal(31, options.RetainedFileCountLimit);
        Assert.True(options.ReopenWhenMoved);
        Assert.Equal(FileDurability.Flush, options.Durability);
        Assert.Null(options.FlushToDiskInterval);
        Assert.Equal(Microsoft.Extensions.Logging.LogLevel.None, options.FlushToDiskLevel);
        Assert.Null(options.MinimumFreeSpace);
    }
}
