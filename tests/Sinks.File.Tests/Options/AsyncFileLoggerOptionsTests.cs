using System.Runtime.InteropServices;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Options;

public sealed class AsyncFileLoggerOptionsTests
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
        Assert.Null(AsyncFilePath.Resolve("/srv/{Date}/shop.log", AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out FileNameError? error));
        Assert.Equal(new FileNameError("{Date} is allowed only in the file name", IsArchiveName: false), error);
        Assert.NotNull(AsyncFilePath.Resolve("/srv/shop-{Date}.log", AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out _));
        Assert.NotNull(AsyncFilePath.Resolve("/srv/a{{b}}/shop.log", AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out _));
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
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserWrite, null)]
    [InlineData(AsyncFileLoggerOptions.DefaultFileMode | UnixFileMode.GroupWrite | UnixFileMode.OtherRead, null)]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.UserExecute, "a log file must not be executable")]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.GroupExecute, "a log file must not be executable")]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.OtherExecute, "a log file must not be executable")]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.SetUser, "a log file must not be executable")]
    [InlineData(UnixFileMode.UserRead | UnixFileMode.OtherWrite, "a log file must not be writable by everyone")]
    public void A_file_mode_must_not_be_executable_or_writable_by_everybody(UnixFileMode mode, string? rule) =>
        Assert.Equal(rule, AsyncFileRules.FileMode(mode));

    [Theory]
    [InlineData("640", "750")]
    [InlineData("600", "700")]
    [InlineData("400", "700")]
    [InlineData("660", "770")]
    [InlineData("644", "755")]
    public void A_directory_lets_those_search_it_who_may_read_its_files(string file, string directory) =>
        Assert.Equal((UnixFileMode)Convert.ToInt32(directory, 8), AsyncFileRules.DirectoryModeOf((UnixFileMode)Convert.ToInt32(file, 8)));

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
    public void A_header_is_one_line_of_at_most_1024_bytes()
    {
        Assert.Null(AsyncFileRules.Header(null));
        Assert.Null(AsyncFileRules.Header(new string('h', 1024)));
        Assert.Null(AsyncFileRules.Header(new string('ü', 512)));
        Assert.Equal("must be at most 1KB long", AsyncFileRules.Header(new string('h', 1025)));
        Assert.Equal("must be at most 1KB long", AsyncFileRules.Header(new string('ü', 513)));
        Assert.Equal("must be one line", AsyncFileRules.Header("two\nlines"));
        Assert.Equal("must be one line", AsyncFileRules.Header("two\rlines"));
    }

    [Fact]
    public void The_total_size_is_at_least_that_of_one_file_and_the_signal_is_SIGHUP()
    {
        Assert.Null(AsyncFileRules.RetainedTotalSizeLimit(null, 4096));
        Assert.Null(AsyncFileRules.RetainedTotalSizeLimit(0, null));
        Assert.Null(AsyncFileRules.RetainedTotalSizeLimit(4096, 4096));
        Assert.Equal("must be at least FileSizeLimit", AsyncFileRules.RetainedTotalSizeLimit(4095, 4096));
        Assert.Equal("must not be negative", AsyncFileRules.RetainedTotalSizeLimit(-1, null));
        Assert.Null(AsyncFileRules.ReopenSignal.Untyped.Check(PosixSignal.SIGHUP));
        Assert.Equal("expected SIGHUP", AsyncFileRules.ReopenSignal.Untyped.Check(PosixSignal.SIGTERM));
    }

    [Theory]
    [InlineData("C:\\logs\\app.log", "in <folder>/C:\\logs\\app.log the backslashes are part of a name: write / between directories")]
    [InlineData("logs\\app.log", "in <folder>/logs\\app.log the backslashes are part of a name: write / between directories")]
    [InlineData("~/logs/app.log", "in <folder>/~/logs/app.log the ~ is a name: write %HOME% or the whole path")]
    [InlineData("$HOME/logs/app.log", "in <folder>/$HOME/logs/app.log the $HOME is a name: write %HOME% or the whole path")]
    [InlineData("logs/$APP.log", "in <folder>/logs/$APP.log the $APP.log is a name: write %APP%.log or the whole path")]
    [InlineData("file:///tmp/app.log", "in <folder>/file:/tmp/app.log the file: is the name of a directory: write the path without file://")]
    [InlineData(" /logs/app.log", "in <folder>/ /logs/app.log a name begins with a blank: remove it")]
    [InlineData("logs/ app.log", "in <folder>/logs/ app.log a name begins with a blank: remove it")]
    [InlineData("logs/$5.log", null)]
    [InlineData("my logs/a $b.log", null)]
    [InlineData("logs/log-.txt", "no date is added to log-.txt: write {Date} where it belongs, or omit the last character of the name")]
    [InlineData("logs/log_.txt", "no date is added to log_.txt: write {Date} where it belongs, or omit the last character of the name")]
    [InlineData("logs/log-{Date}.txt", null)]
    [InlineData("~logs/app~.log", null)]
    [InlineData("logs/app-1.log", null)]
    public void A_path_that_is_probably_not_meant_is_told(string path, string? hint)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "backslashes are right there");
        using var harness = new SinkHarness(options => options.Path = path);
        harness.Write("a");

        string[] expected = hint is null ? [] : [hint.Replace("<folder>", harness.Folder.Path, StringComparison.Ordinal)];
        Assert.Equal(expected.Select(static message => (LogLevel.Warning, "path", message)), harness.Context.Reports);
    }

    [Theory]
    [InlineData("auto", null)]
    [InlineData("AUTO", null)]
    [InlineData("", null)]
    [InlineData("0", 0L)]
    [InlineData("12MB", 12L << 20)]
    public void The_least_free_space_is_a_size_or_auto(string text, long? expected)
    {
        AsyncFileLoggerOptions? taken = null;
        var probe = new FileSinkDefinition(new AsyncFileControl(), createSink: (options, _) =>
        {
            taken = options;
            throw new InvalidOperationException("enough");
        });
        IConfigurationRoot configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:AsyncFile:MinFreeSpace", text)]).Build();
        using ServiceProvider services = new ServiceCollection()
            .Configure<AsyncLogOptions>(static options => options.StartupReport = false)
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddSink<AsyncFileLoggerProvider, AsyncFileLoggerOptions>(probe))
            .BuildServiceProvider();
        Record.Exception(services.GetRequiredService<ILoggerFactory>);

        Assert.NotNull(taken);
        Assert.Equal(expected, taken.MinFreeSpace);
    }

    [Fact]
    public void A_refused_least_free_space_names_auto_beside_the_units()
    {
        IConfigurationRoot configuration = new ConfigurationBuilder().AddInMemoryCollection([new("Logging:AsyncFile:MinFreeSpace", "10%")]).Build();
        using ServiceProvider services = new ServiceCollection()
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();

        OptionsValidationException exception = Assert.ThrowsAny<OptionsValidationException>(services.GetRequiredService<ILoggerFactory>);

        Assert.Equal(
            "Logging:AsyncFile:MinFreeSpace '10%' is not valid: a percentage is not a size: expected a size such as 4096, 64KB or 1.5GB; 'auto' is allowed too",
            exception.Message);
    }

    [Theory]
    [InlineData("latest.log", null)]
    [InlineData("shop.latest.log", null)]
    [InlineData("shop.log", "must differ from the names of the log files")]
    [InlineData("shop.2026-11-20.001.log", "must differ from the names of the log files")]
    [InlineData("shop.2026-11-20.001.log.gz", "must differ from the names of the log files")]
    [InlineData(".shop.log.17.tmp", "must differ from the names of the log files")]
    [InlineData(".shop.2026-11-20.001.log.gz.17.tmp", "must differ from the names of the log files")]
    [InlineData("../latest.log", "must be a file name without a directory")]
    [InlineData("..", "must be a file name without a directory")]
    [InlineData("a\\b", "must be a file name without a directory")]
    [InlineData("a\nb", "must not contain control characters")]
    public void The_link_is_a_file_name_that_no_file_of_the_set_can_have(string name, string? rule)
    {
        FileNamePattern names = AsyncFilePath.Resolve("/srv/shop.log", AsyncFileLoggerOptions.DefaultArchiveName, RollingInterval.Day, out _)!;

        Assert.Equal(rule, AsyncFileRules.LatestLink(name, names));

        // Its temporary name has 16 bytes more: two dots, a number of ten digits, and ".tmp".
        Assert.Null(AsyncFileRules.LatestLink(new string('l', 239), names));
        Assert.Equal("is too long for a file name", AsyncFileRules.LatestLink(new string('l', 240), names));
    }

    [Fact]
    public void The_start_up_line_names_every_limit_on_what_is_kept() =>
        Assert.Equal("text, roll Day or 100 MB, keep 31 or 7 d or 1 GB, gzip", AsyncFileSummary.Of(new AsyncFileLoggerOptions
        {
            RetainedFileTimeLimit = TimeSpan.FromDays(7),
            RetainedTotalSizeLimit = 1L << 30,
            Compression = CompressionMethod.Gzip,
        }));

    [Theory]
    [InlineData(RollingInterval.Day, 100L << 20, 31, "text, roll Day or 100 MB, keep 31")]
    [InlineData(RollingInterval.None, 1536L << 10, null, "text, roll 1.5 MB, keep all")]
    [InlineData(RollingInterval.Hour, null, 1, "text, roll Hour, keep 1")]
    [InlineData(RollingInterval.None, null, null, "text, no roll, keep all")]
    [InlineData(RollingInterval.None, 5000L, 3, "text, roll 4.88 KB, keep 3")]
    public void The_start_up_line_names_the_bounds(RollingInterval interval, long? limit, int? count, string expected) =>
        Assert.Equal(expected, AsyncFileSummary.Of(new AsyncFileLoggerOptions
        {
            RollingInterval = interval,
            FileSizeLimit = limit,
            RetainedFileCountLimit = count,
        }));

    [Fact]
    public void Options_that_change_later_do_not_change_what_is_in_force()
    {
        var options = new AsyncFileLoggerOptions { Path = "/srv/shop.log", FileSizeLimit = 5000 };
        var settings = new LogFileSettings(options);

        options.FileSizeLimit = 6000;
        options.RollingInterval = RollingInterval.Hour;

        Assert.Equal(5000, settings.Options.FileSizeLimit);
        Assert.Equal(RollingInterval.Day, settings.Options.RollingInterval);
    }

    [Fact]
    public void The_defaults_are_valid_and_bound_the_disk()
    {
        var options = new AsyncFileLoggerOptions();

        Assert.Null(AsyncFileRules.ArchiveName(options.ArchiveName, options.RollingInterval));
        Assert.Null(AsyncFileRules.FileMode(options.UnixCreateMode));
        Assert.Equal(AsyncFileLoggerOptions.DefaultDirectoryMode, AsyncFileRules.DirectoryModeOf(options.UnixCreateMode));
        Assert.Equal(RollingInterval.Day, options.RollingInterval);
        Assert.Equal(100L << 20, options.FileSizeLimit);
        Assert.Equal(31, options.RetainedFileCountLimit);
        Assert.True(options.ReopenWhenMoved);
        Assert.Equal(WriteDurability.Flush, options.Durability);
        Assert.Null(options.FlushToDiskInterval);
        Assert.Equal(Microsoft.Extensions.Logging.LogLevel.None, options.FlushToDiskLevel);
        Assert.Null(options.MinFreeSpace);
    }
}
