using System.Diagnostics;
using AsyncLog.Tests.Disk;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Writing;

/// <summary>The whole provider on a disk that does not answer: a hung network mount.</summary>
public sealed class HangingDiskTests
{
    // Long enough for three times as long to be no question of how busy the machine is.
    private static readonly TimeSpan FlushTimeout = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ShutdownTimeout = TimeSpan.FromSeconds(2);

    [Fact]
    public async Task A_write_that_hangs_blocks_neither_callers_nor_flush_nor_dispose()
    {
        using var folder = new TempFolder();
        using var hang = new ManualResetEventSlim();
        using var ended = new ManualResetEventSlim();
        var files = new FaultyFileSystem
        {
            OnAppend = length =>
            {
                hang.Wait(TestContext.Current.CancellationToken);
                return length;
            },
        };
        var type = new FileSinkDefinition(
            new AsyncFileControl(), createSink: (options, context) => new Ending(new FileSink(new LogFileSettings(options), context, files, new LogFileRegistry()), ended));
        ServiceProvider services = new ServiceCollection()
            .AddLogging(logging => logging.AddSink<AsyncFileLoggerProvider, AsyncFileLoggerOptions>(type, options =>
            {
                options.Path = folder.File("shop.log");
                options.ShutdownTimeout = ShutdownTimeout;
            }))
            .BuildServiceProvider();
        ILogger logger = services.GetRequiredService<ILogger<HangingDiskTests>>();
        IAsyncLogControl control = services.GetRequiredService<IAsyncLogControl>();

        // The write hangs all the time: a caller that waited for it would never return.
        for (int i = 0; i < 1000; i++)
            logger.LogInformation("record {Number}", i);
        long began = Stopwatch.GetTimestamp();
        Assert.False(await control.FlushAsync(FlushTimeout, TestContext.Current.CancellationToken));
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, 3 * FlushTimeout);
        began = Stopwatch.GetTimestamp();
        await services.DisposeAsync();
        Assert.InRange(Stopwatch.GetElapsedTime(began), TimeSpan.Zero, 3 * ShutdownTimeout);

        SinkStatus status = Counters.AssertAddUp(control.GetStatus().Instances[0], 1000);
        Assert.Equal((1000, 0), (status.Enqueued, status.Written));
        Assert.Equal(1000, status.Drops.Where(drop => drop.Reason == DropReason.ShutdownTimeout).Sum(drop => drop.Count));

        // The abandoned thread must not outlive its folder.
        hang.Set();
        Assert.True(ended.Wait(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken));
    }

    private sealed class Ending(FileSink sink, ManualResetEventSlim ended) : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => sink.WriteAsync(batch, cancellationToken);

        public async ValueTask DisposeAsync()
        {
            await sink.DisposeAsync();
            ended.Set();
        }
    }
}
