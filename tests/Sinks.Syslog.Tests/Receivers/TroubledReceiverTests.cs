using System.Diagnostics;
using System.Net;
using AsyncLog.Tests.Transport;
using AsyncLog.Tests.Transport.Stream;

namespace AsyncLog.Tests.Receivers;

/// <summary>Receivers that reset, or are away, under load: callers get no exception, memory stays inside its bound, and the counters are exact.</summary>
[Trait("Category", "slow")]
[Collection(nameof(Alone))]
public sealed class TroubledReceiverTests
{
    private const int LogsAtOnce = 20;
    // So large that what is kept for another connection, and what the test itself holds, is small beside it.
    private const int QueueMemory = 64 << 20;

    // MaxQueueMemory bounds rendered bytes; the index of the records is at most half as much again (docs/operations.md).
    private const double MostOfQueueMemory = 1.5;

    private static readonly TimeSpan ResetPeriod = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Absence = TimeSpan.FromSeconds(Trial.IsLong ? 30 : 4);

    [Fact]
    public void A_receiver_that_resets_every_second_costs_no_more_than_is_told_and_nothing_comes_twice_outside_the_resend_window()
    {
        using var receiver = new StreamReceiver();
        using var pipeline = Trial.Pipeline(new Uri($"tcp://127.0.0.1:{receiver.Port}"));
        int logged = 0;
        int resets = 0;
        long began = Stopwatch.GetTimestamp();
        long resetAt = began;
        while (Stopwatch.GetElapsedTime(began) < Trial.Length)
        {
            pipeline.Log(LogsAtOnce, logged, length: 60);
            logged += LogsAtOnce;
            TestContext.Current.CancellationToken.WaitHandle.WaitOne(2);
            if (Stopwatch.GetElapsedTime(resetAt) < ResetPeriod || receiver.Connections.Count <= resets)
                continue;
            resetAt = Stopwatch.GetTimestamp();
            resets = receiver.Connections.Count;
            receiver.Connections[^1].End(ReceiverEnd.Reset);
        }

        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Connections[^1].Frames.Exists(frame => Trial.NumberOf(frame) == logged - 1));
        Assert.True(resets > 3, "there were too few resets");
        Trial.AssertCounters(pipeline, logged, [.. receiver.Connections.Where(static connection => connection.Bytes.Length > 0)]);
        Assert.Empty(pipeline.Sink.Unexpected);
    }

    [Fact]
    public void What_is_logged_while_a_receiver_is_absent_arrives_when_it_is_back()
    {
        int port = Ports.Free();
        using var pipeline = Trial.Pipeline(new Uri($"tcp://127.0.0.1:{port}"));
        int logged = 0;
        long began = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(began) < Absence)
        {
            pipeline.Log(LogsAtOnce, logged, length: 60);
            logged += LogsAtOnce;
            TestContext.Current.CancellationToken.WaitHandle.WaitOne(20);
        }

        Assert.Equal(SinkState.Degraded, pipeline.Status.State);
        using var receiver = new StreamReceiver(endPoint: new IPEndPoint(IPAddress.Loopback, port));
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Frames.Count == logged);
        SinkStatus status = pipeline.AssertConservation(logged);
        Assert.Equal((logged, 0L, 0L), (status.Written, status.Dropped, status.Uncertain));
        Assert.Equal(Enumerable.Range(0, logged), receiver.Frames.Select(Trial.NumberOf));
    }

    [Fact]
    public void A_server_that_never_stops_sending_is_ignored_and_uses_no_memory()
    {
        const long Enough = 32 << 20;
        using var receiver = new StreamReceiver(static _ => new ReceiverScript { TalksWithoutEnd = true });
        using var pipeline = Trial.Pipeline(new Uri($"tcp://127.0.0.1:{receiver.Port}"));
        int logged = 0;
        void Log() => pipeline.Log(1, logged++);
        Eventually.True(() => receiver.Connections is [{ Talked: > 1 << 20 }], Log);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        Eventually.True(() => receiver.Connections[0].Talked > Enough, Log);
        long grown = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.True(grown < Enough / 8, $"{grown} bytes more after {Enough} bytes of talk");
        Assert.True(pipeline.Flush());
        Eventually.True(() => receiver.Frames.Count == logged);
        Assert.Single(receiver.Connections);
        Assert.Equal(logged, pipeline.AssertConservation(logged).Written);
    }

    [Fact]
    public void A_starved_thread_pool_delays_neither_records_nor_the_end()
    {
        using var receiver = new StreamReceiver();
        using var pool = new StarvedPool();
        using (var pipeline = Trial.Pipeline(new Uri($"tcp://127.0.0.1:{receiver.Port}")))
        {
            pipeline.Log(1000);
            Eventually.True(() => receiver.Frames.Count == 1000);
            pipeline.Log(1000, first: 1000);
        }

        Eventually.True(() => receiver.Frames.Count == 2000);
        Assert.Equal(Enumerable.Range(0, 2000), receiver.Frames.Select(Trial.NumberOf));
        pool.RequireStarved();
    }

    [Theory]
    [InlineData("absent")]
    [InlineData("stalled")]
    [InlineData("unresolved")]
    public void Memory_is_at_most_the_bound_of_the_queue_and_its_index(string trouble)
    {
        using var stalled = new StreamReceiver(static _ => new ReceiverScript { ReadLimit = 0 });
        using var pipeline = new SyslogPipeline(options =>
        {
            options.Endpoint = new Uri(trouble switch
            {
                "absent" => $"tcp://127.0.0.1:{Ports.Free()}",
                "stalled" => $"tcp://127.0.0.1:{stalled.Port}",
                _ => "tcp://receiver.invalid:514",
            });
            (options.MaxQueueMemory, options.MaxQueueLength) = (QueueMemory, 10_000_000);
            options.ShutdownTimeout = TimeSpan.FromMilliseconds(100);
        });
        pipeline.Log(100);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        int logged = 100;
        while (pipeline.Status.DroppedBeforeAcceptance < 100_000)
        {
            pipeline.Log(10_000, logged, length: 200);
            logged += 10_000;
        }

        long grown = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.True(grown < QueueMemory * MostOfQueueMemory, $"{grown} bytes more after {logged} records, {(double)grown / QueueMemory:0.00} times the bound");
        SinkStatus status = pipeline.AssertConservation(logged);
        Assert.Equal([DropReason.QueueMemory], status.Drops.Select(static drop => drop.Reason).Distinct());
    }
}
