using Microsoft.Extensions.Configuration;

namespace AsyncLog.Tests.Configuration;

public sealed class ReloadWatchTests
{
    [Fact]
    public async Task Changes_during_a_reload_hold_no_thread_and_are_applied_by_one_more()
    {
        using var began = new SemaphoreSlim(0);
        using var ends = new SemaphoreSlim(0);
        var token = new ConfigurationReloadToken();
        var clock = new ReloadClock();
        var (runs, atOnce) = (0, 0);
        using var watch = new ReloadWatch([() => token], clock, () =>
        {
            Assert.Equal(1, Interlocked.Increment(ref atOnce));
            runs++;
            began.Release();
            ends.Wait(TestContext.Current.CancellationToken);
            Interlocked.Decrement(ref atOnce);
        });
        var first = Task.Factory.StartNew(Change, TaskCreationOptions.LongRunning);
        await began.WaitAsync(TestContext.Current.CancellationToken);

        // Each returns though the first reload goes on.
        for (var change = 0; change < 5; change++)
            await Task.Factory.StartNew(Change, TaskCreationOptions.LongRunning).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        Assert.Equal(1, runs);
        ends.Release(2);
        await first;
        Assert.Equal(2, runs);

        void Change()
        {
            Interlocked.Exchange(ref token, new ConfigurationReloadToken()).OnReload();
            clock.Run();
        }
    }
}
