using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

/// <summary>Records that wait for their file: the provider as an application adds it.</summary>
public sealed class QueuedRecordsTests : IDisposable
{
    private const int Records = 1000;
    private readonly TempFolder _folder = new();
    private ServiceProvider? _services;

    private SinkStatus Status => Control.GetStatus().Instances[0];

    private IAsyncLogControl Control => _services!.GetRequiredService<IAsyncLogControl>();

    [Theory]
    [InlineData(QueueFullMode.DropWrite)]
    [InlineData(QueueFullMode.DropOldest)]
    [InlineData(QueueFullMode.Wait)]
    public async Task While_a_path_cannot_be_opened_QueueFullMode_decides_what_a_full_queue_keeps(QueueFullMode mode)
    {
        // In the place of the directory.
        _folder.Write("logs", "");
        var logger = Start(options => (options.QueueFullMode, options.WaitTimeout, options.MaxQueueMemory, options.ReservedPercentage) = (mode, TimeSpan.FromMinutes(1), 256 << 10, 0));
        var logged = 0;
        var caller = new Thread(() =>
        {
            // 1 KB each: four times what the queue holds.
            for (; logged < Records; Interlocked.Increment(ref logged))
                logger.LogInformation("{Number} {Text}", logged, new string('x', 1000));
        })
        {
            IsBackground = true,
        };
        caller.Start();
        await Eventually.Holds(() => mode == QueueFullMode.Wait ? Status.QueueSize + Status.InFlight > 200 : !caller.IsAlive);
        await Eventually.Holds(() => Status.Errors.ContainsKey(FileErrorClass.NotADirectory));
        Assert.Equal(mode == QueueFullMode.Wait, Volatile.Read(ref logged) < Records);
        File.Delete(_folder.File("logs"));
        caller.Join();
        Assert.True(await Flush());

        var written = _folder.Lines("logs", "shop.log").Select(static line => int.Parse(line.Split(' ')[0], CultureInfo.InvariantCulture)).ToList();
        var status = Counters.AssertAddUp(Status, Records);
        Assert.Equal((written.Count, Records - written.Count), (status.Written, status.Dropped));
        if (mode == QueueFullMode.Wait)
        {
            Assert.Equal(Enumerable.Range(0, Records), written);
            return;
        }

        // The lines are the records as they waited.
        Assert.InRange(new FileInfo(_folder.File("logs", "shop.log")).Length, 150 << 10, 256 << 10);
        Assert.Equal([mode == QueueFullMode.DropOldest ? DropReason.Evicted : DropReason.QueueMemory], status.Drops.Select(static drop => drop.Reason));
        if (mode == QueueFullMode.DropWrite)
            Assert.Equal(Enumerable.Range(0, written.Count), written);
        else
            Assert.Equal(Enumerable.Range(Records - 100, 100), written.TakeLast(100));
    }

    public void Dispose()
    {
        _services?.Dispose();
        _folder.Dispose();
    }

    private ILogger Start(Action<AsyncFileLoggerOptions> configure)
    {
        var services = new ServiceCollection().Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None));
        _services = services.AddLogging(logging => logging.AddAsyncFile(options =>
        {
            (options.Path, options.MinFreeSpace, options.GapNotices, options.Template) = (_folder.File("logs", "shop.log"), 0, false, "{Message}{NewLine}");
            configure(options);
        })).BuildServiceProvider();
        return _services.GetRequiredService<ILoggerFactory>().CreateLogger("Test");
    }

    private Task<bool> Flush() => Control.FlushAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
}
