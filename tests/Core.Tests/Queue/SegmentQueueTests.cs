using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Queue;

public sealed class SegmentQueueTests
{
    [Fact]
    public async Task A_flush_of_a_queue_waits_for_segments_on_the_disk_that_came_from_the_one_it_replaced()
    {
        var (metrics, usage) = (new SinkMetrics(), new InstanceQueueState());
        var (first, second, third) = (Next(), Next(), Next());
        usage.InForce = first;
        while (first.TryWrite(new byte[1000], LogLevel.Information, 1, 0) == WriteOutcome.Accepted)
        {
        }

        var segment = first.Spooling.Begin(TimeSpan.Zero, out _)!;
        var sequence = segment.Sequence;
        lock (metrics.Gate)
        {
            first.Spooling.End(segment, isSpooled: true);
            usage.AddOnDisk(sequence);
        }

        first.Close();
        usage.InForce = second;
        var ofSecond = second.Flush(TestContext.Current.CancellationToken);
        usage.InForce = third;
        var ofThird = third.Flush(TestContext.Current.CancellationToken);
        Assert.False(ofSecond.IsCompleted || ofThird.IsCompleted);

        // Its file was sent.
        lock (metrics.Gate)
        {
            usage.Spooled--;
            usage.RemoveOnDisk(sequence);
        }

        Assert.True(await ofSecond.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.True(await ofThird.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.True(await third.Flush(TestContext.Current.CancellationToken));

        SegmentQueue Next() => new(QueueBounds.For(64 << 10, 0, 256 << 10, 100_000), new QueueRules(), TimeProvider.System, metrics, usage);
    }

    [Fact]
    public void An_urgent_record_in_a_segment_that_a_caller_filled_does_not_make_the_next_one_urgent()
    {
        var harness = new QueueHarness();
        harness.Write("urgent", LogLevel.Error);
        Assert.True(harness.Queue.HasUrgent);
        var first = harness.Queue.Kernel.Current;
        while (ReferenceEquals(harness.Queue.Kernel.Current, first))
            harness.Write(1_000);
        Assert.False(harness.Queue.HasUrgent);
        harness.Write("urgent", LogLevel.Error);
        Assert.True(harness.Queue.HasUrgent);
    }

    [Fact]
    public void A_snapshot_counts_records_in_flight_by_level_after_the_sink_refused_one_of_them()
    {
        var harness = new QueueHarness();
        harness.Write("first");
        harness.Write("second", LogLevel.Debug);
        harness.Write("third", LogLevel.Error);
        var segment = harness.Queue.Take(sealCurrent: true)!;
        harness.Load(segment).Refuse(1, DropReason.DiskLow);
        Assert.Equal([0, 1, 1, 0, 1, 0], harness.Snapshot().Levels);
        Assert.Equal(3, harness.Snapshot().InFlight);
    }

    [Fact]
    public void Records_come_out_in_the_order_they_were_accepted_in()
    {
        var harness = new QueueHarness();
        Assert.Equal(WriteOutcome.Accepted, harness.Write("one "));
        Assert.Equal(WriteOutcome.Accepted, harness.Write("two "));
        Assert.Equal("one two ", harness.TakeText());
        Assert.Null(harness.TakeText());
        harness.AssertConservation(2);
        Assert.Equal(2, harness.Metrics.Written);
    }

    [Fact]
    public void A_batch_tells_level_time_and_category_of_each_record()
    {
        var harness = new QueueHarness();
        harness.Write("a", LogLevel.Debug, 10);
        harness.Write("bcd", LogLevel.Critical, 20, harness.AddCategory("Other"));
        var batch = harness.Load(harness.Queue.Take(sealCurrent: true)!);
        Assert.Equal(2, batch.Count);
        Assert.Equal((LogLevel.Debug, 10, 1, "Test"), (batch[0].Level, batch[0].Timestamp.UtcTicks, batch[0].Bytes.Length, batch[0].Category));
        Assert.Equal((LogLevel.Critical, 20, 3, "Other"), (batch[1].Level, batch[1].Timestamp.UtcTicks, batch[1].Bytes.Length, batch[1].Category));
    }

    [Fact]
    public void A_full_segment_is_posted_and_the_next_one_opened()
    {
        var harness = new QueueHarness();
        harness.Write(40_000);
        harness.Write(40_000);
        Assert.Equal(40_000, harness.TakeText()!.Length);
        Assert.Equal(40_000, harness.TakeText()!.Length);
        harness.AssertConservation(2);
    }

    [Fact]
    public void A_record_may_fill_a_whole_segment_to_the_last_byte()
    {
        var harness = new QueueHarness();
        Assert.Equal(WriteOutcome.Accepted, harness.Write(64 << 10));
        Assert.Equal(WriteOutcome.Accepted, harness.Write(1));
        Assert.Equal(64 << 10, harness.TakeText()!.Length);
        Assert.Equal(1, harness.TakeText()!.Length);
    }

    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(4001)]
    [InlineData(64 << 10)]
    public void The_largest_segment_keeps_place_length_level_and_category_of_every_record(int length)
    {
        const int Largest = 4 << 20;
        var harness = new QueueHarness(maxQueueLength: Largest, maxQueueMemory: 10 * Largest, requestedSegment: int.MaxValue);
        var expected = Math.Min(Largest / length, Largest / 32);
        for (var i = 0; i < expected; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Queue.TryWrite(RecordOf(i, length), (LogLevel)(i % 6), i + 1, harness.Category));
        var segment = harness.Queue.Take(sealCurrent: true)!;
        var batch = harness.Load(segment);

        Assert.Equal(expected, batch.Count);
        for (var i = 0; i < expected; i++)
        {
            var record = batch[i];
            Assert.Equal(((LogLevel)(i % 6), i + 1, "Test"), (record.Level, record.Timestamp.UtcTicks, record.Category));
            Assert.True(record.Bytes.Span.SequenceEqual(RecordOf(i, length)), $"record {i} has other bytes");
        }

        harness.Queue.Settle(segment, batch);
        Assert.Null(harness.TakeText());
        harness.AssertConservation(expected);

        static byte[] RecordOf(int number, int length)
        {
            var bytes = new byte[length];
            BinaryPrimitives.WriteInt32LittleEndian(bytes, number);
            bytes[^1] = 0xFF;
            return bytes;
        }
    }

    [Theory]
    [InlineData(16 << 20, 4 << 20, 10, (16 << 20) / 10)]
    [InlineData(64 << 20, 4 << 20, 16, 4 << 20)]
    [InlineData(64 << 20, 512 << 10, 128, 512 << 10)]
    [InlineData(64 << 20, int.MaxValue, 16, 4 << 20)]
    [InlineData(256 << 10, 512 << 10, 4, 64 << 10)]
    public void A_wished_segment_leaves_the_reserve_a_segment_of_its_own(int memory, int wished, int segments, int segmentBytes)
    {
        var bounds = QueueBounds.For(64 << 10, wished, memory, 100_000);
        Assert.Equal((segments, segmentBytes), (bounds.Segments, bounds.SegmentBytes));
        // A tenth.
        Assert.Equal(segments / 10, bounds.ReservedSegments(new QueueRules()));
    }

    [Fact]
    public void The_byte_bound_refuses_with_queue_memory()
    {
        var harness = new QueueHarness();
        for (var i = 0; i < 4; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write(64 << 10));
        Assert.Equal(WriteOutcome.QueueMemory, harness.Write(64 << 10));
        Assert.Equal(LogLevel.None, harness.Queue.AdmitFrom);
        harness.TakeText();
        Assert.Equal(LogLevel.Trace, harness.Queue.AdmitFrom);
        Assert.Equal(WriteOutcome.Accepted, harness.Write(64 << 10));
        harness.AssertConservation(5);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(64)]
    [InlineData(5000)]
    public void The_record_bound_is_exact(int bound)
    {
        var harness = new QueueHarness(new QueueRules { ReservedPercentage = 0 }, maxQueueLength: bound);
        for (var i = 0; i < bound; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write("x"));
        Assert.Equal(WriteOutcome.QueueFull, harness.Write("x"));
        harness.AssertConservation(bound);
        while (harness.TakeText() is not null)
        {
        }

        Assert.Equal(WriteOutcome.Accepted, harness.Write("x"));
        harness.AssertConservation(bound + 1);
    }

    [Fact]
    public void The_last_tenth_of_the_record_bound_is_for_warning_and_above()
    {
        var harness = new QueueHarness(maxQueueLength: 100);
        for (var i = 0; i < 90; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write("i"));
        Assert.Equal(WriteOutcome.QueueFull, harness.Write("i"));
        Assert.Equal(LogLevel.Warning, harness.Queue.AdmitFrom);
        for (var i = 0; i < 10; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write("w", LogLevel.Warning));
        Assert.Equal(WriteOutcome.QueueFull, harness.Write("w", LogLevel.Warning));
        Assert.Equal(LogLevel.None, harness.Queue.AdmitFrom);
        harness.AssertConservation(100);
    }

    [Fact]
    public void The_reserve_of_the_byte_bound_is_for_warning_and_above()
    {
        var harness = new QueueHarness(new QueueRules { ReservedPercentage = 25 });
        for (var i = 0; i < 3; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write(64 << 10));
        Assert.Equal(WriteOutcome.QueueMemory, harness.Write(64 << 10));
        Assert.Equal(LogLevel.Warning, harness.Queue.AdmitFrom);
        Assert.Equal(WriteOutcome.Accepted, harness.Write(64 << 10, LogLevel.Error));
        harness.AssertConservation(4);
    }

    [Fact]
    public void DropOldest_evicts_the_oldest_segment_and_counts_its_records_by_level()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.DropOldest, ReservedPercentage = 0 });
        for (var i = 0; i < 5; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write(64 << 10, i == 0 ? LogLevel.Error : LogLevel.Information));
        Assert.Equal(1, harness.Metrics.Drops[DropReason.Evicted, LogLevel.Error]);
        Assert.Equal(0, harness.Metrics.Drops[DropReason.Evicted, LogLevel.Information]);
        harness.AssertConservation(5);
    }

    [Fact]
    public void DropOldest_refuses_the_new_record_when_all_is_in_the_workers_hands()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.DropOldest, ReservedPercentage = 0 }, maxQueueLength: 1);
        harness.Write("x");
        Assert.NotNull(harness.Queue.Take(sealCurrent: true));
        Assert.Equal(WriteOutcome.QueueFull, harness.Write("y"));
        harness.AssertConservation(1);
    }

    [Fact]
    public async Task Wait_holds_the_caller_until_the_worker_returns_room()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMinutes(1), ReservedPercentage = 0 }, maxQueueLength: 1);
        harness.Write("first ");
        var second = Task.Run(() => harness.Write("second "), TestContext.Current.CancellationToken);
        await Eventually.Holds(() => harness.Queue.WaitingCallers == 1);
        Assert.False(second.IsCompleted);
        Assert.Equal("first ", harness.TakeText());
        Assert.Equal(WriteOutcome.Accepted, await second);
        Assert.Equal("second ", harness.TakeText());
        Assert.True(harness.Metrics.CallerWait > TimeSpan.Zero);
        harness.AssertConservation(2);
    }

    [Fact]
    public async Task Wait_refuses_after_its_timeout()
    {
        var time = new FakeTimeProvider();
        var harness = new QueueHarness(
            new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMilliseconds(5), ReservedPercentage = 0 }, maxQueueLength: 1, timeProvider: time);
        harness.Write("x");
        var waiting = Task.Run(() => harness.Write("y"), TestContext.Current.CancellationToken);
        await Eventually.Holds(() => harness.Queue.WaitingCallers == 1);
        time.Advance(TimeSpan.FromMilliseconds(4));
        Assert.Equal(1, harness.Queue.WaitingCallers);
        time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(WriteOutcome.QueueFull, await waiting.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal(TimeSpan.FromMilliseconds(5), harness.Metrics.CallerWait);
        harness.AssertConservation(1);
    }

    [Fact]
    public async Task A_flush_completes_with_what_was_accepted_before_it_and_not_when_the_queue_is_empty()
    {
        var harness = new QueueHarness();
        harness.Write("before");
        var flush = harness.Queue.Flush();
        Assert.False(flush.IsCompleted);
        var segment = harness.Queue.Take(sealCurrent: true)!;
        harness.Write("after");
        Assert.False(flush.IsCompleted);
        harness.Queue.Settle(segment, harness.Load(segment));
        Assert.True(await flush);
        Assert.Equal(1, harness.Snapshot().Waiting);
    }

    [Fact]
    public async Task A_flush_is_false_as_long_as_the_counters_do_not_add_up()
    {
        var harness = new QueueHarness();
        var isAccountedFor = false;
        harness.Usage.IsAccountedFor = () => isAccountedFor;
        Assert.False(await FlushOne());
        isAccountedFor = true;
        Assert.True(await FlushOne());

        Task<bool> FlushOne()
        {
            harness.Write("record");
            var flush = harness.Queue.Flush();
            harness.TakeText();
            return flush;
        }
    }

    [Fact]
    public async Task A_flush_of_an_empty_queue_is_done_at_once()
    {
        var harness = new QueueHarness();
        Assert.True(await FlushNow());
        harness.Write("record");
        Assert.Equal("record", harness.TakeText());
        Assert.True(await FlushNow());

        Task<bool> FlushNow()
        {
            var flush = harness.Queue.Flush(TestContext.Current.CancellationToken);
            Assert.True(flush.IsCompleted);
            return flush;
        }
    }

    [Fact]
    public async Task A_flush_answers_false_when_something_before_it_was_evicted()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.DropOldest, ReservedPercentage = 0 });
        harness.Write(64 << 10);
        var flush = harness.Queue.Flush();
        for (var i = 0; i < 4; i++)
            harness.Write(64 << 10);
        harness.TakeText();
        Assert.False(await flush);
    }

    [Fact]
    public async Task While_a_destination_cannot_come_back_every_flush_is_false_at_once_and_after_it_was_replaced_a_flush_waits_again()
    {
        var harness = new QueueHarness();
        harness.Write("record");
        for (var times = 1; times <= 2; times++)
        {
            var before = harness.Queue.Flush(TestContext.Current.CancellationToken);
            Assert.False(before.IsCompleted);
            lock (harness.Metrics.Gate)
                harness.Queue.Flushes.UseGone(true);
            Assert.False(await before.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
            Assert.False(await harness.Queue.Flush(TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
            lock (harness.Metrics.Gate)
                harness.Queue.Flushes.UseGone(false);
        }

        var after = harness.Queue.Flush(TestContext.Current.CancellationToken);
        Assert.False(after.IsCompleted);
        Assert.Equal("record", harness.TakeText());
        Assert.True(await after.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
    }

    [Fact]
    public void A_closed_queue_takes_nothing_and_gives_what_it_has()
    {
        var harness = new QueueHarness();
        harness.Write("kept");
        harness.Queue.Close();
        Assert.Equal(WriteOutcome.Closed, harness.Write("late"));
        Assert.False(harness.Queue.IsDrained);
        Assert.Equal("kept", harness.TakeText());
        Assert.True(harness.Queue.IsDrained);
        harness.AssertConservation(1);
    }

    [Fact]
    public void What_is_left_at_the_deadline_is_counted_and_nothing_is_booked_after_it()
    {
        var harness = new QueueHarness();
        harness.Write("in hand", LogLevel.Error);
        var segment = harness.Queue.Take(sealCurrent: true)!;
        harness.Write("waiting", LogLevel.Debug);
        Assert.Equal(2, harness.Queue.Finish());
        Assert.Equal(1, harness.Metrics.Drops[DropReason.ShutdownTimeout, LogLevel.Error]);
        Assert.Equal(1, harness.Metrics.Drops[DropReason.ShutdownTimeout, LogLevel.Debug]);
        Assert.False(harness.Queue.Settle(segment, harness.Load(segment)));
        Assert.Equal(0, harness.Metrics.Written);
        harness.AssertConservation(2);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(2, false)]
    public async Task A_flush_that_the_deadline_ends_is_true_if_all_is_delivered_and_nothing_is_on_the_disk(int onDisk, bool expected)
    {
        var harness = new QueueHarness();
        harness.Write("delivered");
        var segment = harness.Queue.Take(sealCurrent: true)!;
        for (var file = 1; file <= onDisk; file++)
        {
            lock (harness.Metrics.Gate)
                harness.Usage.AddOnDisk(segment.Sequence + file);
        }

        var flush = harness.Queue.Flush(TestContext.Current.CancellationToken);
        // The sink has taken the batch; the deadline comes before the worker settles it.
        var batch = harness.Load(segment);
        batch.Advance(batch.Bytes.Length);
        Volatile.Write(ref segment.Batch, batch);
        Assert.False(flush.IsCompleted);

        Assert.Equal(0, harness.Queue.Finish());

        Assert.Equal(expected, await flush.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal(expected, await harness.Queue.Flush(TestContext.Current.CancellationToken));
        Assert.Equal(1, harness.Metrics.Written);
    }

    [Theory]
    [InlineData(QueueFullMode.Wait)]
    [InlineData(QueueFullMode.DropOldest)]
    [InlineData(QueueFullMode.DropWrite)]
    public void A_lower_level_never_uses_the_byte_reserve(QueueFullMode mode)
    {
        var harness = new QueueHarness(new QueueRules { FullMode = mode, WaitTimeout = TimeSpan.FromMilliseconds(1), ReservedPercentage = 25 });
        for (var i = 0; i < 3; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write(64 << 10));
        Assert.Equal(WriteOutcome.Accepted, harness.Write(1 << 10, LogLevel.Warning));
        for (var i = 0; i < 100; i++)
            harness.Write(1 << 10);
        for (var i = 0; i < 63; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write(1 << 10, LogLevel.Error));

        // With DropOldest the lower level makes room by evicting, and then has a segment of its own.
        if (mode != QueueFullMode.DropOldest)
        {
            Assert.Equal(100, harness.Refused);
            Assert.Equal(67, harness.Snapshot().Waiting);
        }

        Assert.Equal(0, harness.Metrics.Drops[DropReason.Evicted, LogLevel.Warning]);
        Assert.Equal(0, harness.Metrics.Drops[DropReason.Evicted, LogLevel.Error]);
        harness.AssertConservation(167 - harness.Refused);
    }

    [Fact]
    public void In_Wait_mode_the_last_tenth_of_the_record_bound_is_for_warning_and_above()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMilliseconds(1) }, maxQueueLength: 100);
        for (var i = 0; i < 90; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write("i"));
        for (var i = 0; i < 10; i++)
        {
            Assert.Equal(WriteOutcome.QueueFull, harness.Write("i"));
            Assert.Equal(WriteOutcome.Accepted, harness.Write("w", LogLevel.Warning));
        }

        Assert.Equal(WriteOutcome.QueueFull, harness.Write("w", LogLevel.Warning));
        harness.AssertConservation(100);

        // Room again: the lower level gets a segment of its own, and nothing of the reserve is lost.
        while (harness.TakeText() is not null)
        {
        }

        for (var i = 0; i < 90; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write("i"));
        Assert.Equal(WriteOutcome.QueueFull, harness.Write("i"));
        harness.AssertConservation(190);
    }

    [Fact]
    public async Task In_Wait_a_lower_level_that_waits_beside_an_open_reserve_goes_on_when_room_returns()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMinutes(1), ReservedPercentage = 25 });
        for (var i = 0; i < 3; i++)
            harness.Write(64 << 10);
        harness.Write("warning", LogLevel.Warning);
        var waiting = Task.Run(() => harness.Write("information"), TestContext.Current.CancellationToken);
        await Eventually.Holds(() => harness.Queue.WaitingCallers == 1);
        for (var i = 0; i < 3; i++)
            Assert.Equal(64 << 10, harness.TakeText()!.Length);
        Assert.Equal(WriteOutcome.Accepted, await waiting);
        Assert.Equal("warning", harness.TakeText());
        Assert.Equal("information", harness.TakeText());
        harness.AssertConservation(5);
    }

    [Fact]
    public async Task One_settled_segment_releases_all_waiting_callers_that_find_room()
    {
        const int callers = 16;
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMinutes(1), ReservedPercentage = 0 });
        for (var i = 0; i < 4; i++)
            harness.Write(64 << 10);
        var waiting = Enumerable.Range(0, callers).Select(_ => Task.Factory.StartNew(
            () => harness.Write("waits"), TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default)).ToList();
        await Eventually.Holds(() => harness.Queue.WaitingCallers == callers);

        Assert.Equal(64 << 10, harness.TakeText()!.Length);
        Assert.All(await Task.WhenAll(waiting), static outcome => Assert.Equal(WriteOutcome.Accepted, outcome));
        harness.AssertConservation(4 + callers);
    }

    [Fact]
    public async Task A_waiting_caller_that_finds_no_room_waits_for_the_next_settled_segment()
    {
        const int callers = 5;
        var harness = new QueueHarness(
            new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMinutes(1), ReservedPercentage = 0 }, maxQueueLength: 1);
        harness.Write("first");
        var written = 0;
        var waiting = Enumerable.Range(0, callers).Select(_ => Task.Factory.StartNew(
            () =>
            {
                var outcome = harness.Write("waits");
                Interlocked.Increment(ref written);
                return outcome;
            },
            TestContext.Current.CancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default)).ToList();
        for (var left = callers; left > 0; left--)
        {
            // A caller that was released waits no more, but its record may still be on its way.
            await Eventually.Holds(() => harness.Queue.WaitingCallers == left && Volatile.Read(ref written) == callers - left);
            Assert.NotNull(harness.TakeText());
        }

        Assert.All(await Task.WhenAll(waiting), static outcome => Assert.Equal(WriteOutcome.Accepted, outcome));
        Assert.Equal("waits", harness.TakeText());
        harness.AssertConservation(1 + callers);
    }

    [Fact]
    public async Task An_interrupt_ends_the_wait_of_a_caller_and_stays_set_for_it()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMinutes(1), ReservedPercentage = 0 }, maxQueueLength: 1);
        harness.Write("x");
        var outcome = WriteOutcome.Accepted;
        var isInterrupted = false;
        var caller = new Thread(() =>
        {
            outcome = harness.Write("y");
            try
            {
                Thread.Sleep(Timeout.Infinite);
            }
            catch (ThreadInterruptedException)
            {
                isInterrupted = true;
            }
        });
        caller.Start();
        await Eventually.Holds(() => harness.Queue.WaitingCallers == 1);
        caller.Interrupt();
        caller.Join();
        Assert.Equal((WriteOutcome.QueueFull, true, 0), (outcome, isInterrupted, harness.Queue.WaitingCallers));

        // No caller is counted as waiting any more, and the queue goes on.
        Assert.Equal("x", harness.TakeText());
        Assert.Equal(WriteOutcome.Accepted, harness.Write("z"));
        harness.AssertConservation(2);
    }

    [Fact]
    public void Without_memory_for_a_further_segment_the_record_is_refused_and_the_queue_lives()
    {
        var isExhausted = false;
        var harness = new QueueHarness(makingMemory: () =>
        {
            if (isExhausted)
                throw new OutOfMemoryException();
        });
        harness.Write(64 << 10);
        isExhausted = true;
        Assert.Equal(WriteOutcome.QueueMemory, harness.Write("y"));
        Assert.Equal(64 << 10, harness.TakeText()!.Length);
        Assert.Equal(WriteOutcome.Accepted, harness.Write("z"));
        Assert.Equal("z", harness.TakeText());
        Assert.Equal(WriteOutcome.Accepted, harness.Write("once more"));
        Assert.Equal("once more", harness.TakeText());
        harness.AssertConservation(3);
    }

    [Fact]
    public void Free_segments_are_used_last_in_first_out()
    {
        var pool = new SegmentPool(QueueBounds.For(64 << 10, 0, 1 << 20, 100));
        var (first, second) = (pool.Get(), pool.Get());
        pool.Return(first);
        pool.Return(second);
        Assert.Same(second, pool.Get());
        pool.Return(second);
        Assert.Same(second, pool.Get());
        Assert.Same(first, pool.Get());
        Assert.Equal(2, pool.All.Count);
    }

    [Fact]
    public void Segments_that_were_not_used_since_a_time_are_given_back_and_those_in_use_are_known()
    {
        var pool = new SegmentPool(QueueBounds.For(64 << 10, 0, 1 << 20, 100));
        Use(pool, 12, at: 100);
        Assert.True(pool.Shrink(unusedSince: 100));
        Assert.Equal(12, pool.All.Count);

        // Since then six at most were needed at once.
        for (var time = 110; time < 160; time += 10)
            Use(pool, 6, time);
        Assert.True(pool.Shrink(unusedSince: 150));
        Assert.Equal(6, pool.All.Count);

        var inUse = pool.Get();
        Assert.False(pool.Shrink(unusedSince: 200));
        // Four stay for steady traffic.
        Assert.Equal(4 + 1, pool.All.Count);
        Assert.Contains(inUse, pool.All);
        pool.Return(inUse);
        Assert.False(pool.Shrink(unusedSince: 200));
        Assert.Equal(4, pool.All.Count);
        Assert.Equal([0, 1, 2, 3], pool.All.Select(static segment => segment.Index));
    }

    private static void Use(SegmentPool pool, int count, long at)
    {
        var used = Enumerable.Range(0, count).Select(_ => pool.Get()).ToList();
        used.ForEach(segment => segment.SealedAt = at);
        used.ForEach(pool.Return);
    }

    [Fact]
    public void Memory_of_a_burst_is_given_back_when_it_is_over()
    {
        var harness = new QueueHarness(maxQueueMemory: 4 << 20);
        for (var i = 0; i < 58; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write(60_000));
        while (harness.TakeText() is not null)
        {
        }

        Assert.Equal(58, harness.SegmentsAlive);
        Assert.False(harness.Queue.Shrink(unusedSince: harness.TimeProvider.GetTimestamp() + 1));
        // Four that stay, and the one that takes records.
        Assert.Equal(5, harness.SegmentsAlive);
        for (var i = 0; i < 10; i++)
            Assert.Equal(WriteOutcome.Accepted, harness.Write(60_000));
        harness.AssertConservation(68);
    }

    [Fact]
    public async Task A_worker_that_sleeps_gives_back_after_a_minute_what_a_burst_needed()
    {
        using var gate = new ManualResetEventSlim();
        var time = new FakeTimeProvider();
        var sink = new TestSink { Before = _ => gate.Wait() };
        using var pipeline = new TestPipeline(sink, static options => options.MaxQueueMemory = 2 << 20, time);
        var queue = ((SinkLoggerProvider)pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;
        var text = new string('x', 10_000);
        var used = new List<WeakReference>();
        for (var i = 0; i < 150; i++)
        {
            pipeline.Logger.LogInformation("{Text}", text);
            NoteSegment(queue, used);
        }

        // Six records of 10 KB in each segment of 64 KB.
        Assert.InRange(used.Count, 25, 32);
        gate.Set();
        Assert.True(await pipeline.Flush());
        var ended = time.GetUtcNow();
        await Eventually.Holds(() =>
        {
            AdvanceAtRest();
            return time.GetUtcNow() - ended >= TimeSpan.FromSeconds(58);
        });
        // Pauses between bursts do not cost the next one its memory.
        Assert.Equal(used.Count, Alive());
        // Four stay for steady traffic, and the one that takes records.
        await Eventually.Holds(() =>
        {
            AdvanceAtRest();
            return Alive() <= 5;
        });
        Assert.InRange(time.GetUtcNow() - ended, TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(70));

        // No time passes while the worker has something to do.
        void AdvanceAtRest()
        {
            if (time.ArmedOnceCount > 0)
                time.Advance(TimeSpan.FromSeconds(1));
        }

        int Alive()
        {
            GC.Collect();
            return used.Count(static segment => segment.IsAlive);
        }
    }

    // Not inlined: a local of the test would keep the segment.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void NoteSegment(SegmentQueue queue, List<WeakReference> used)
    {
        var current = queue.Kernel.Current;
        if (used.Count == 0 || !ReferenceEquals(used[^1].Target, current))
            used.Add(new WeakReference(current));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_clock_that_throws_at_a_rotation_costs_no_accepted_record(int failingCall)
    {
        var clock = new FailingClock();
        var harness = new QueueHarness(timeProvider: clock);
        Assert.Equal(WriteOutcome.Accepted, harness.Write(60_000));
        clock.FailAt(failingCall);
        Assert.Throws<InvalidOperationException>(() => harness.Write(60_000));
        Assert.Equal(WriteOutcome.Accepted, harness.Write(50_000));
        Assert.Equal(60_000, harness.TakeText()!.Length);
        Assert.Equal(50_000, harness.TakeText()!.Length);
        Assert.Null(harness.TakeText());
        harness.AssertConservation(2);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_clock_that_throws_when_the_worker_takes_a_segment_costs_no_accepted_record(int failingCall)
    {
        var clock = new FailingClock();
        var harness = new QueueHarness(timeProvider: clock);
        Assert.Equal(WriteOutcome.Accepted, harness.Write("before "));
        clock.FailAt(failingCall);
        Assert.Throws<InvalidOperationException>(() => harness.Queue.Take(sealCurrent: true));
        Assert.Equal(WriteOutcome.Accepted, harness.Write("after "));
        Assert.Equal("before after ", harness.TakeText() + harness.TakeText());
        harness.AssertConservation(2);
    }

    [Fact]
    public async Task A_clock_that_throws_when_the_worker_starts_does_not_end_it()
    {
        var clock = new FailingClock("AsyncLog test/default");
        clock.FailAt(1);
        using var pipeline = new TestPipeline(new TestSink(), timeProvider: clock);
        pipeline.Logger.LogInformation("one");
        Assert.True(await pipeline.Flush());
        Assert.True(clock.HasFailed);
        pipeline.AssertConservation(1);
        Assert.Equal(1, pipeline.Status.Written);
    }

    // Throws once, at one of the next time stamps that are asked for, on one thread or on any.
    private sealed class FailingClock(string? thread = null) : TimeProvider
    {
        private int _left;

        public bool HasFailed { get; private set; }

        public void FailAt(int call) => _left = call;

        public override long GetTimestamp()
        {
            if ((thread is not null && Thread.CurrentThread.Name != thread) || Interlocked.Decrement(ref _left) != 0)
                return base.GetTimestamp();
            HasFailed = true;
            throw new InvalidOperationException("The clock failed.");
        }
    }

    [Fact]
    public void A_queue_that_takes_no_record_has_no_segment()
    {
        var made = 0;
        var harness = new QueueHarness(makingMemory: () => made++);
        Assert.Null(harness.TakeText());
        Assert.Equal(0, made);
        harness.Write("x");
        Assert.Equal(1, made);
    }

    [Fact]
    public async Task A_waiting_caller_is_released_when_the_queue_closes()
    {
        var harness = new QueueHarness(new QueueRules { FullMode = QueueFullMode.Wait, WaitTimeout = TimeSpan.FromMinutes(1), ReservedPercentage = 0 }, maxQueueLength: 1);
        harness.Write("x");
        var waiting = Task.Run(() => harness.Write("y"), TestContext.Current.CancellationToken);
        await Eventually.Holds(() => harness.Queue.WaitingCallers == 1);
        harness.Queue.Close();
        Assert.Equal(WriteOutcome.Closed, await waiting.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken));
        Assert.Equal("x", harness.TakeText());
        harness.AssertConservation(1);
    }

    [Fact]
    public void A_full_segment_leaves_the_worker_in_a_long_nap_until_more_than_a_quarter_of_the_memory_is_used()
    {
        // 16 segments of 64 KB.
        var harness = new QueueHarness(maxQueueMemory: 1 << 20);
        harness.Queue.Kernel.BeginNap(WorkerStates.LongNap);
        for (var segment = 0; segment < 4; segment++)
            harness.Write(40_000);
        Assert.False(harness.IsWorkerWoken);
        harness.Write(40_000);
        Assert.True(harness.IsWorkerWoken);
    }

    [Fact]
    public void A_full_segment_leaves_the_worker_in_a_long_nap_until_more_than_a_quarter_of_the_record_bound_is_used()
    {
        // Of 64 KB, which hold 2,048 records.
        var harness = new QueueHarness(maxQueueLength: 10_000, maxQueueMemory: 16 << 20);
        harness.Queue.Kernel.BeginNap(WorkerStates.LongNap);
        for (var record = 0; record < 4_096; record++)
            harness.Write(1);
        Assert.False(harness.IsWorkerWoken);
        harness.Write(1);
        Assert.True(harness.IsWorkerWoken);
    }

    [Fact]
    public void A_record_that_finds_the_queue_full_wakes_the_worker_from_a_long_nap()
    {
        var harness = new QueueHarness(maxQueueLength: 1);
        harness.Write("x");
        harness.Queue.Kernel.BeginNap(WorkerStates.LongNap);
        Assert.False(harness.IsWorkerWoken);
        Assert.Equal(WriteOutcome.QueueFull, harness.Write("y"));
        Assert.True(harness.IsWorkerWoken);
    }

    [Theory]
    [InlineData(WorkerStates.ShortNap, LogLevel.Information, false)]
    [InlineData(WorkerStates.ShortNap, LogLevel.Error, true)]
    [InlineData(WorkerStates.LongNap, LogLevel.Information, false)]
    [InlineData(WorkerStates.LongNap, LogLevel.Error, true)]
    [InlineData(WorkerStates.Holding, LogLevel.Information, false)]
    [InlineData(WorkerStates.Holding, LogLevel.Error, true)]
    [InlineData(WorkerStates.Parked, LogLevel.Information, true)]
    public void A_record_wakes_the_worker_as_its_level_and_the_state_of_the_worker_demand(int state, LogLevel level, bool isWoken)
    {
        var harness = new QueueHarness();
        harness.Write("opens a segment");
        harness.Queue.Kernel.BeginNap(state);
        Assert.False(harness.IsWorkerWoken);
        harness.Write("x", level);
        Assert.Equal(isWoken, harness.IsWorkerWoken);
    }

    [Fact]
    public void A_full_segment_wakes_the_worker_from_a_batch_delay()
    {
        var harness = new QueueHarness(maxQueueMemory: 16 << 20);
        harness.Write(40_000);
        Assert.True(harness.Queue.TryHold());
        Assert.False(harness.IsWorkerWoken);
        harness.Write(40_000);
        Assert.True(harness.IsWorkerWoken);
        Assert.False(harness.Queue.TryHold());
    }

    [Fact]
    public void No_batch_delay_begins_with_an_urgent_record()
    {
        var harness = new QueueHarness();
        harness.Write("x");
        Assert.True(harness.Queue.TryHold());
        harness.Write("x", LogLevel.Error);
        Assert.False(harness.Queue.TryHold());
    }

    [Fact]
    public void A_record_that_its_caller_awaits_does_not_hurry_those_after_it()
    {
        var harness = new QueueHarness();
        Assert.Equal(WriteOutcome.Accepted, harness.Queue.TryWrite("x"u8, LogLevel.Error, 1, harness.Category, new Awaited()));
        Assert.True(harness.Queue.HasAwaited);
        Assert.Equal("x", harness.TakeText());
        harness.Write("y");
        Assert.False(harness.Queue.HasAwaited);
    }

    private sealed class Awaited() : Acknowledgement(LogLevel.Error);
}
