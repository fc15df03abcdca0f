using AsyncLog.Tests.Disk;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

/// <summary>Edits of the configuration while the disk is full.</summary>
[Trait("Category", "system")]
public sealed class FullDiskRepairTests : IDisposable
{
    private const string Section = "Logging:AsyncFile:";
    private const int Count = 3000;
    private readonly TempFolder _folder = new();
    private readonly SmallDisk? _disk = SmallDisk.TryMount(256);
    private readonly ReloadClock _clock = new();
    private readonly IConfigurationRoot _configuration = MemorySource.Build(
        [(Section + "RollingInterval", "None"), (Section + "ArchiveName", "{Name}.{Number}{Extension}"), (Section + "MinFreeSpace", "0"), (Section + "Template", "{Message}{NewLine}"), (Section + "ShutdownTimeout", "1s")]);

    private ServiceProvider? _services;

    private SinkStatus Status => _services!.GetRequiredService<IAsyncLogControl>().GetStatus().Instances[0];

    public void Dispose()
    {
        _services?.Dispose();
        _disk?.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task Another_path_gets_every_record_that_waits_for_a_full_disk()
    {
        Assert.SkipWhen(_disk is null, "mounting a tmpfs needs root");
        File.WriteAllBytes(Path.Join(_disk.Path, "ballast"), new byte[200 << 10]);
        await FillDisk();

        Edit("Path", _folder.File("shop.log"));

        Assert.True(await Flush());
        string[] written = [.. File.ReadAllLines(Path.Join(_disk.Path, "shop.log")), .. File.ReadAllLines(_folder.File("shop.log"))];
        // The line that the full disk took in part is there whole in the new file.
        Assert.Equal(Lines(), written.Where(static line => line.Length == Line(0).Length));
        Assert.Equal((Count, 0), (Counters.AssertAddUp(Status, Count).Written, Status.Dropped));
    }

    [Fact]
    public async Task A_lower_limit_of_the_total_size_frees_a_full_disk_and_every_record_that_waits_is_written()
    {
        Assert.SkipWhen(_disk is null, "mounting a tmpfs needs root");
        MemorySource.Of(_configuration).Change(Section + "FileSizeLimit", "16KB");
        await FillDisk();

        Edit("RetainedTotalSizeLimit", "100KB");

        Assert.True(await Flush());
        Assert.Equal((Count, 0), (Counters.AssertAddUp(Status, Count).Written, Status.Dropped));
        // The end of the sink waits for the retention that its last file asked for, which takes the oldest ones.
        await _services!.DisposeAsync();
        string[] files = [.. Directory.GetFiles(_disk.Path, "shop.*.log").Order(StringComparer.Ordinal), Path.Join(_disk.Path, "shop.log")];
        string[] left = [.. files.SelectMany(File.ReadAllLines)];
        Assert.InRange(left.Length, 500, 850);
        Assert.Equal(Lines().TakeLast(left.Length), left);
    }

    private static string Line(int number) => $"{number:0000} {new string('x', 115)}";

    private static IEnumerable<string> Lines() => Enumerable.Range(0, Count).Select(Line);

    // Logs until the disk is full and records wait.
    private async Task FillDisk()
    {
        MemorySource.Of(_configuration).Change(Section + "Path", Path.Join(_disk!.Path, "shop.log"));
        _services = new ServiceCollection()
            .AddSingleton<TimeProvider>(_clock)
            .Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None))
            .AddLogging(logging => logging.AddConfiguration(_configuration.GetSection("Logging")).AddAsyncFile())
            .BuildServiceProvider();
        ILogger logger = _services.GetRequiredService<ILoggerFactory>().CreateLogger("Test");
        foreach (string line in Lines())
            logger.Log(LogLevel.Information, default, line, null, static (state, _) => state);
        await Eventually.Holds(() => Status is { LastError.Type: FileErrorClass.NoSpace, Retries: > 1 });
        Assert.InRange(Status.QueueSize + Status.InFlight, 500, Count);
    }

    private void Edit(string key, string value)
    {
        MemorySource.Of(_configuration).Change(Section + key, value);
        _configuration.Reload();
        _clock.Run();
    }

    private Task<bool> Flush() => _services!.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
}
