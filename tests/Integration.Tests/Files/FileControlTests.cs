using System.Text.Json;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncLog.Tests.Files;

public sealed class FileControlTests
{
    [Fact]
    public async Task RollAsync_begins_new_files_of_all_instances_or_of_the_one_named()
    {
        using var folder = new TempFolder();
        await using var services = Services(folder, ("Files:other:Format", "Json"));
        var control = services.GetRequiredService<IAsyncFileControl>();
        var log = services.GetRequiredService<IAsyncLogControl>();
        var logger = services.GetRequiredService<ILogger<FileControlTests>>();

        logger.LogInformation("first");
        Assert.True(await log.FlushAsync(cancellationToken: TestContext.Current.CancellationToken));
        Assert.True(await control.RollAsync(cancellationToken: TestContext.Current.CancellationToken));
        logger.LogInformation("second");
        Assert.True(await log.FlushAsync(cancellationToken: TestContext.Current.CancellationToken));
        Assert.True(await control.RollAsync("other", cancellationToken: TestContext.Current.CancellationToken));

        Assert.Equal(2, Directory.GetFiles(folder.Path, "a*.log").Count(static path => !path.Contains("other", StringComparison.Ordinal)));
        Assert.Equal(3, Directory.GetFiles(folder.Path, "a-other*.log").Length);
        Assert.Single(folder.Lines("a.log"), static line => line.EndsWith("second", StringComparison.Ordinal));
        Assert.Empty(folder.Lines("a-other.log"));
    }

    [Fact]
    public async Task ReopenAsync_follows_a_rename_before_the_next_record()
    {
        using var folder = new TempFolder();
        await using var services = Services(folder, ("ReopenWhenMoved", "false"));
        var logger = services.GetRequiredService<ILogger<FileControlTests>>();
        var log = services.GetRequiredService<IAsyncLogControl>();
        logger.LogInformation("first");
        Assert.True(await log.FlushAsync(cancellationToken: TestContext.Current.CancellationToken));
        File.Move(folder.File("a.log"), folder.File("a.log.1"));

        Assert.True(await services.GetRequiredService<IAsyncFileControl>().ReopenAsync(cancellationToken: TestContext.Current.CancellationToken));
        logger.LogInformation("second");
        Assert.True(await log.FlushAsync(cancellationToken: TestContext.Current.CancellationToken));

        Assert.EndsWith("first", Assert.Single(folder.Lines("a.log.1")), StringComparison.Ordinal);
        Assert.EndsWith("second", Assert.Single(folder.Lines("a.log")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task No_time_to_wait_is_too_long_or_too_short()
    {
        using var folder = new TempFolder();
        await using var services = Services(folder);
        services.GetRequiredService<ILogger<FileControlTests>>().LogInformation("first");
        Assert.True(await services.GetRequiredService<IAsyncLogControl>().FlushAsync(cancellationToken: TestContext.Current.CancellationToken));
        var control = services.GetRequiredService<IAsyncFileControl>();

        Assert.True(await control.RollAsync(timeout: TimeSpan.MaxValue, cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal(2, Directory.GetFiles(folder.Path).Length);
        // Whether it was fast enough for no time at all is not known; it must not throw.
        _ = await control.ReopenAsync(timeout: TimeSpan.MinValue, cancellationToken: TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task The_link_may_be_named_after_the_instance_and_is_in_no_status()
    {
        using var folder = new TempFolder();
        await using var services = Services(folder, ("LatestLink", "latest-{Instance}"), ("Files:other:Path", folder.File("b-{Date}.log")));
        services.GetRequiredService<ILogger<FileControlTests>>().LogInformation("first");

        await Eventually.Holds(
            () => new FileInfo(folder.File("latest-default")).LinkTarget == "a.log"
                && new FileInfo(folder.File("latest-other")).LinkTarget?.StartsWith("b-", StringComparison.Ordinal) == true,
            () => string.Join(' ', Directory.EnumerateFileSystemEntries(folder.Path)));
        var instances = services.GetRequiredService<IAsyncLogControl>().GetStatus().Instances;
        Assert.Equal(["file/default", "file/other"], instances.Select(static instance => instance.Name).Order(StringComparer.Ordinal));
        Assert.All(instances, static instance =>
        {
            var json = JsonSerializer.Serialize(instance);
            Assert.Contains(".log\"", json, StringComparison.Ordinal);
            Assert.DoesNotContain("latest", json, StringComparison.Ordinal);
        });
    }

    [Theory]
    [InlineData("RetainedFileTimeLimit", "30s", "must be at least 1m; null or an empty value means no limit")]
    [InlineData("RetainedFileTimeLimit", "7", "a number alone is ambiguous: add ms, s, m, h or d")]
    [InlineData("RetainedTotalSizeLimit", "99MB", "must be at least FileSizeLimit")]
    [InlineData("Compression", "Zip", "did you mean 'Gzip'")]
    [InlineData("LatestLink", "a.log", "must differ from the names of the log files")]
    [InlineData("LatestLink", "../a", "must be a file name without a directory")]
    [InlineData("LatestLink", "{Nonsense}", "unknown token {Nonsense}: expected {ApplicationName}, {EnvironmentName}, {MachineName}, {ProcessId} or {Instance}")]
    [InlineData("ReopenSignal", "SIGUSR1", "expected SIGHUP")]
    public void Mistakes_are_named_with_key_value_and_rule(string key, string value, string rule)
    {
        using var folder = new TempFolder();
        using var services = Services(folder, (key, value));

        var exception = Assert.ThrowsAny<OptionsValidationException>(() => services.GetRequiredService<ILoggerFactory>());

        Assert.Contains($"Logging:AsyncFile:{key} '{value}' is not valid: ", exception.Message, StringComparison.Ordinal);
        Assert.Contains(rule, exception.Message, StringComparison.Ordinal);
    }

    private static ServiceProvider Services(TempFolder folder, params (string Key, string Value)[] options)
    {
        var settings = options.ToDictionary(static option => "Logging:AsyncFile:" + option.Key, static option => (string?)option.Value, StringComparer.Ordinal);
        settings["Logging:AsyncFile:Path"] = folder.File("a.log");
        settings["AsyncLog:StartupReport"] = "false";
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
        return new ServiceCollection()
            .AddSingleton<IConfiguration>(configuration)
            .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncFile().AddAsyncFile())
            .BuildServiceProvider();
    }
}
