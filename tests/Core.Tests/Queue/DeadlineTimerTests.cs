using System.Diagnostics;

namespace AsyncLog.Tests.Queue;

public sealed class DeadlineTimerTests
{
    [Fact]
    public async Task A_timer_that_fires_before_the_clock_says_so_is_started_again()
    {
        var signal = new WorkerSignal(new EarlyClock());
        var began = Stopwatch.GetTimestamp();
        var woken = await Task.Factory.StartNew(() => signal.Wait(TimeSpan.FromMilliseconds(20)), TaskCreationOptions.LongRunning)
            .WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        Assert.False(woken);
        Assert.True(Stopwatch.GetElapsedTime(began) >= TimeSpan.FromMilliseconds(20));
    }

    private sealed class EarlyClock : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
            => System.CreateTimer(callback, state, dueTime / 4, period);
    }
}
