using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The whole provider on a disk that does not answer: a hung network mount.</summary>
public sealed class HangingDiskTests
{
    [Fact]
    public async Task Fault_F19_A_write_that_does_not_return_holds_neither_caller_nor_flush_nor_dispose()
    {
        using var folder = new TempFolder();
        using var hang = new ManualResetEventSlim();
        using var ended = new ManualResetEventSlim();
        var files = new FaultyByteFiles
        {
            OnAppend = length =>
            {
                hang.Wait(TestContext.Current.CancellationToken);
                return length;
            },
        };
        var type = new SinkType<AsyncFileOptions>(
            "file", (options, context) => new Ending(new FileSink(FileSinkSettings.From(options), new ContextVoice(context), files, new FileNameOwners()), ended));
        ServiceProvider services = new ServiceCollection()
            .AddLogging(logging => logging.AddSink<AsyncFileLoggerProvider, AsyncFileOptions>(type, options =>
            {
                options.Path = folder["shop.log"];
                options.ShutdownTimeout = TimeSpan.FromMilliseconds(100);
            }))
            .BuildServiceProvider();
        ILogger logger = services.GetRequiredService<ILogger<HangingDiskTests>>();
        IAsyncLogControl control = services.GetRequiredService<IAsyncLogControl>();

        for (int i = 0; i < 1000; i++)
            logger.LogInformation("record {Number}", i);
        Assert.False(await control.FlushAsync(TimeSpan.FromMilliseconds(50), TestContext.Current.CancellationToken));
        await services.DisposeAsync();

        SinkStatus status = control.GetStatus().Instances[0];
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
