using System.Reflection;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Options;

/// <summary>The names of all options, pinned: renaming one silently would turn off what it turned on.</summary>
public sealed class KnownKeysTests
{
    // Of every option a value that differs from its default, so that taking it can be seen.
    private static readonly (string Key, string Text, object Value)[] Options =
    [
        ("Main", "false", false), ("Path", "/srv/known.log", Path.GetFullPath("/srv/known.log")), ("RollingInterval", "Hour", RollingInterval.Hour), ("FileSizeLimit", "1MB", 1L << 20),
        ("ArchiveName", "{Name}-{Date}-{Number}", "{Name}-{Date}-{Number}"), ("RetainedFileCountLimit", "5", 5), ("RetainedFileTimeLimit", "7d", TimeSpan.FromDays(7)),
        ("RetainedTotalSizeLimit", "2MB", 2L << 20), ("Compression", "Gzip", CompressionMethod.Gzip), ("LatestLink", "latest.log", "latest.log"),
        ("ExistingFile", "Roll", ExistingFile.Roll), ("ReopenWhenMoved", "false", false), ("ReopenSignal", "SIGHUP", PosixSignal.SIGHUP),
        ("UnixCreateMode", "0600", UnixFileMode.UserRead | UnixFileMode.UserWrite),
        ("Durability", "FlushToDisk", WriteDurability.FlushToDisk), ("FlushToDiskInterval", "20ms", TimeSpan.FromMilliseconds(20)),
        ("FlushToDiskLevel", "Error", LogLevel.Error), ("MinFreeSpace", "1MB", 1L << 20),
        ("LineEnding", "CrLf", LineEnding.CrLf), ("LineBreaks", "Indent", LineBreaks.Indent), ("SingleLine", "true", true),
        ("Header", "h", "h"), ("MaxLevel", "Error", LogLevel.Error), ("Format", "Text", "Text"), ("Template", "{Message}", "{Message}"),
        ("TimestampFormat", "O", "O"), ("UseUtcTimestamp", "true", true), ("IncludeScopes", "true", true), ("MaxQueueLength", "9", 9),
        ("MaxQueueMemory", "1MB", 1L << 20), ("QueueFullMode", "Wait", QueueFullMode.Wait), ("WaitTimeout", "2s", TimeSpan.FromSeconds(2)),
        ("ReservedPercentage", "20", 20), ("MaxRecordSize", "2KB", 2 << 10),
        ("AcknowledgeLevel", "Critical", LogLevel.Critical), ("AcknowledgeTimeout", "2s", TimeSpan.FromSeconds(2)),
        ("AcknowledgeFailureMode", "Throw", AcknowledgeFailureMode.Throw), ("ShutdownTimeout", "1s", TimeSpan.FromSeconds(1)), ("CrashBuffer", "true", true), ("GapNotices", "false", false), ("FailFastOnStart", "true", true),
    ];

    [Fact]
    public void Every_option_is_known_by_its_name_and_applied()
    {
        AsyncFileLoggerOptions taken = Start();
        var defaults = new AsyncFileLoggerOptions();

        Assert.Empty(Options.Where(option => !option.Value.Equals(PropertyOf(option.Key).GetValue(taken))).Select(static option => option.Key));
        Assert.Empty(Options.Where(option => option.Value.Equals(PropertyOf(option.Key).GetValue(defaults))).Select(static option => option.Key));
    }

    [Fact]
    public void Every_property_of_the_options_is_in_the_list()
    {
        // Maps, what would leave no instance to look at, and what only sinks that send to a server have.
        string[] elsewhere = ["LogLevel", "Properties", "Enabled", "SpoolPath", "SpoolSizeLimit", "SpoolTimeLimit", "SpoolDurability", "SpoolRejected"];

        Assert.Empty(typeof(AsyncFileLoggerOptions).GetProperties().Select(static property => property.Name)
            .Except(Options.Select(static option => option.Key)).Except(elsewhere));
    }

    [Theory]
    [InlineData("SpoolPath", "spool")]
    [InlineData("SpoolSizeLimit", "1GB")]
    public void A_file_has_no_spool_and_says_so(string key, string value)
    {
        using var folder = new TempFolder();
        IConfigurationRoot configuration = MemorySource.Build([("Logging:AsyncFile:Path", folder.File("shop.log")), ($"Logging:AsyncFile:{key}", value)]);
        using ServiceProvider services = new ServiceCollection()
            .AddSingleton<IConfiguration>(configuration)
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();
        Exception? refusal = Record.Exception(services.GetRequiredService<ILoggerFactory>);
        Assert.Equal($"Logging:AsyncFile:{key} is not a known option; only sinks that send to a server have a spool", refusal?.Message);
    }

    [Theory]
    [InlineData("FallbackPath", "auto")]
    [InlineData("Preallocate", "16MB")]
    public void Keys_of_what_was_taken_out_are_unknown_keys(string key, string value)
    {
        using var folder = new TempFolder();
        IConfigurationRoot configuration = MemorySource.Build(
            [("AsyncLog:Strict", "true"), ("AsyncLog:StartupReport", "false"), ("Logging:AsyncFile:Path", folder.File("shop.log")), ($"Logging:AsyncFile:{key}", value)]);
        using ServiceProvider services = new ServiceCollection()
            .AddSingleton<IConfiguration>(configuration)
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();

        Exception? refusal = Record.Exception(services.GetRequiredService<ILoggerFactory>);

        Assert.StartsWith($"Logging:AsyncFile:{key} is not a known option", refusal?.Message, StringComparison.Ordinal);
    }

    private static PropertyInfo PropertyOf(string key) => typeof(AsyncFileLoggerOptions).GetProperty(key)!;

    /// <summary>Starts the provider with every option set.</summary>
    /// <returns>The options its sink gets.</returns>
    private static AsyncFileLoggerOptions Start()
    {
        AsyncFileLoggerOptions? taken = null;
        var type = new FileSinkDefinition(new AsyncFileControl(), createSink: (options, _) =>
        {
            taken = options;
            return new NoSink();
        });
        IEnumerable<(string Key, string? Value)> known = Options.Select(static option => ($"Logging:AsyncFile:{option.Key}", (string?)option.Text));
        IConfigurationRoot configuration = MemorySource.Build([("AsyncLog:Strict", "true"), ("AsyncLog:StartupReport", "false"), .. known]);
        using ServiceProvider services = new ServiceCollection()
            .AddSingleton<IConfiguration>(configuration)
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddSink<AsyncFileLoggerProvider, AsyncFileLoggerOptions>(type))
            .BuildServiceProvider();
        services.GetRequiredService<ILoggerFactory>();
        return taken!;
    }

    private sealed class NoSink : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => ValueTask.CompletedTask;

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
