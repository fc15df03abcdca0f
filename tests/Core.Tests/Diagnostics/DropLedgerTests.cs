using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Diagnostics;

public sealed class DropLedgerTests
{
    private const int Threads = 8;
    private const int PerThread = 20_000;
    private readonly DropLedger _drops = new();

    [Fact]
    public void Losses_of_many_threads_are_counted_exactly_by_reason_and_level()
    {
        RunThreads(static (drops, i) => drops.AddBefore(
            i % 2 == 0 ? DropReason.QueueFull : DropReason.AlreadyShutdown, (LogLevel)(i % 6), TimeProvider.System));

        Assert.Equal(Threads * PerThread, _drops.Total);
        Assert.Equal(Threads * PerThread / 2, _drops.Of(DropReason.QueueFull));
        // Of 20,000 numbers 3334 leave 0 and 1 when they are divided by the six levels, and 3333 leave 2, 3, 4 and 5.
        Assert.Equal(
            [
                new(DropReason.QueueFull, LogLevel.Trace, Threads * 3334), new(DropReason.QueueFull, LogLevel.Information, Threads * 3333),
                new(DropReason.QueueFull, LogLevel.Error, Threads * 3333), new(DropReason.AlreadyShutdown, LogLevel.Debug, Threads * 3334),
                new(DropReason.AlreadyShutdown, LogLevel.Warning, Threads * 3333), new(DropReason.AlreadyShutdown, LogLevel.Critical, Threads * 3333),
            ],
            _drops.Counts());
    }

    [Fact]
    public void Losses_are_in_one_notice_each_while_notices_are_taken_and_returned()
    {
        var announced = 0L;
        var isOver = false;
        var announcer = new Thread(() =>
        {
            for (var i = 0; !Volatile.Read(ref isOver) || _drops.HasUnannounced; i++)
            {
                if (_drops.TakeGap(DropReason.QueueFull) is not { } notice)
                    continue;
                if (i % 3 == 0)
                    _drops.ReturnGap(notice);
                else
                    announced += notice.Count;
            }
        });
        announcer.Start();
        RunThreads(static (drops, _) => drops.AddBefore(DropReason.QueueFull, LogLevel.Warning, TimeProvider.System));
        Volatile.Write(ref isOver, true);
        announcer.Join();

        Assert.Equal(Threads * PerThread, announced);
    }

    [Fact]
    public void A_gap_begins_and_ends_with_the_time_of_its_first_and_last_loss()
    {
        var time = new FakeTimeProvider();
        var first = time.GetUtcNow();
        for (var i = 0; i < 3; i++)
        {
            _drops.AddBefore(DropReason.QueueFull, LogLevel.Information, time);
            time.Advance(TimeSpan.FromTicks(1));
        }

        Assert.True(_drops.HasUnannounced);
        var notice = _drops.TakeGap(DropReason.QueueFull);
        Assert.Equal((first.UtcTicks, first.UtcTicks + 2), (notice!.FirstTicks, notice.LastTicks));
        Assert.False(_drops.HasUnannounced);
    }

    [Fact]
    public void On_the_system_clock_the_first_loss_of_a_gap_has_its_own_time()
    {
        _drops.AddBefore(DropReason.QueueFull, LogLevel.Information, TimeProvider.System);
        _drops.TakeGap(DropReason.QueueFull);
        var before = TimeProvider.System.GetUtcNow().UtcTicks;
        _drops.AddBefore(DropReason.QueueFull, LogLevel.Information, TimeProvider.System);
        var after = TimeProvider.System.GetUtcNow().UtcTicks;

        Assert.InRange(_drops.TakeGap(DropReason.QueueFull)!.FirstTicks, before, after);
    }

    private void RunThreads(Action<DropLedger, int> lose)
    {
        var threads = Enumerable.Range(0, Threads).Select(_ => new Thread(() =>
        {
            for (var i = 0; i < PerThread; i++)
                lose(_drops, i);
        })).ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(static thread => thread.Join());
    }
}
