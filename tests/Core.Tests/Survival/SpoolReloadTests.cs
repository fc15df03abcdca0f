using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Survival;

/// <summary>Reloads while records of the spool are being sent: two workers, one order.</summary>
public sealed class SpoolReloadTests : IDisposable
{
    private const int Spooled = 5;
    private readonly string _folder = Directory.CreateTempSubdirectory("spool-").FullName;
    private readonly ManualResetEventSlim _sends = new();
    private readonly ManualResetEventSlim _released = new();

    public SpoolReloadTests()
    {
        // A clock that stands still: the shutdown saves for half a second only.
        var away = new TestSink { Before = static _ => throw new LogSinkException("refused", "nobody listens") };
        using var before = new TestPipeline(
            away,
            options =>
            {
                options.SpoolPath = _folder;
                options.ShutdownTimeout = TimeSpan.Zero;
            },
            new FakeTimeProvider(),
            type: new TestDefinition<TestOptions>("reload", (_, _) => away) { Wire = static _ => "lines" });
        for (var number = 0; number < Spooled; number++)
            before.Logger.LogInformation("{Number}", number);
    }

    [Fact]
    public async Task Records_of_the_spool_that_are_being_sent_are_not_sent_to_the_next_destination_as_well()
    {
        using var pipeline = EditWhileSending(shutdownTimeout: TimeSpan.FromMinutes(1));
        // The new worker has nothing to send, for its records come after those.
        Assert.Empty(pipeline.Sinks.Last().Lines);

        _released.Set();

        Assert.True(await pipeline.Flush());
        // There may be several files: what the first destination did not have in hand goes to the next one.
        Assert.Equal(["0", "1", "2", "3", "4", "later"], pipeline.Sinks.SelectMany(static sink => sink.Lines));
        Assert.Equal("later", pipeline.Sinks.Last().Lines[^1]);
        Counters.AssertAddUp(pipeline.Status, Spooled + 1);
        Assert.Equal((Spooled + 1, 0, 0), (pipeline.Status.Written, pipeline.Status.Dropped, pipeline.Status.Spooled));
    }

    [Fact]
    public async Task What_a_replaced_destination_holds_at_its_deadline_goes_to_the_next_one()
    {
        using var pipeline = EditWhileSending(shutdownTimeout: TimeSpan.FromMilliseconds(50));

        await Eventually.Holds(() => pipeline.Status.Written == Spooled + 1);
        Assert.Equal(["0", "1", "2", "3", "4", "later"], pipeline.Sinks.Last().Lines);
        _released.Set();
        await Eventually.Holds(() => pipeline.Sinks.First().IsDisposed);
        Counters.AssertAddUp(pipeline.Status, Spooled + 1);
        Assert.Equal((Spooled + 1, 0, 0), (pipeline.Status.Written, pipeline.Status.Dropped, pipeline.Status.Spooled));
    }

    public void Dispose()
    {
        _released.Set();
        Directory.Delete(_folder, recursive: true);
    }

    // The first destination is in the middle of sending when another one replaces it and a record comes.
    private ReloadPipeline EditWhileSending(TimeSpan shutdownTimeout)
    {
        var pipeline = new ReloadPipeline(Hold, ("SpoolPath", _folder), ("SpoolTimeLimit", "36500d"), ("ShutdownTimeout", $"{shutdownTimeout}"));
        Assert.True(_sends.Wait(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        pipeline.Edit(("Destination", "b"));
        pipeline.Logger.LogInformation("later");
        return pipeline;
    }

    private void Hold(ReloadSink sink)
    {
        if (sink.Destination != "a")
            return;
        sink.Before = (_, _) =>
        {
            _sends.Set();
            _released.Wait(CancellationToken.None);
        };
    }
}
