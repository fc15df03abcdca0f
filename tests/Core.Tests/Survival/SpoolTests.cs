using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Queue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Survival;

public sealed class SpoolTests
{
    private const int SegmentBytes = 64 << 10;
    private readonly FakeTimeProvider _clock = new();
    private readonly MemoryDisk _disk = new();
    private readonly TestSink _sink = new();

    // As long as one of sixteen records of a segment.
    private static readonly string Filler = new('x', 4000);

    [Fact]
    public async Task Records_go_to_the_disk_when_memory_is_short_and_nothing_was_delivered_for_a_second()
    {
        using var process = Start();
        DateTimeOffset? written = null;
        _disk.Before = (operation, _) =>
        {
            if (operation == "write")
                written ??= _clock.GetUtcNow();
        };
        Break();
        var began = _clock.GetUtcNow();
        await process.Log(400);
        Assert.InRange(process.Status.Spooled, 250, 400);
        Assert.True(written - began >= TimeSpan.FromSeconds(1), $"The first file was written after {written - began}.");
        process.AssertCounters(400);
        Mend();
        await process.AdvanceUntil(() => process.Status.Written == 400);
        Assert.Equal(Enumerable.Range(0, 400), process.Received());
        // A file is deleted after its records are counted.
        await process.AdvanceUntil(() => Segments(_disk).Count == 0);
        process.AssertCounters(400);
    }

    [Fact]
    public async Task The_next_process_sends_what_is_on_the_disk_first()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(400);
        }

        var next = _disk.Restart();
        var sink = new TestSink();
        using var second = new Process(next, sink, _clock);
        Assert.Equal(400, second.Status.Enqueued);
        await second.Log(10, from: 400);
        await second.AdvanceUntil(() => second.Status.Written == 410);
        Assert.Equal(Enumerable.Range(0, 410), second.Received());
        second.AssertCounters(410);
    }

    [Fact]
    public void Records_that_one_worker_has_are_given_to_another_after_its_deadline_only()
    {
        var services = new InstanceServices(
            _clock,
            new ApplicationInfo { ApplicationName = "Shop", EnvironmentName = "Test", ContentRootPath = "/" },
            new SelfReport(LogLevel.None, _clock, static () => TextWriter.Null),
            new CategoryTable(),
            new MeterHistograms());
        var instance = new SinkInstance("test", "default", new TestOptions(), services, static (_, _, _) => []);
        using var spool = new Spool(instance.State, instance.Usage, static () => [], "/spool", _disk);
        var record = new Slot { Ticks = _clock.GetUtcNow().UtcTicks, Word = Slot.Pack(0, 4, LogLevel.Information, services.Categories.Add("Test")) };
        spool.Add([new Segment("one\n"u8, [record])], wireId: 1, static _ => { });
        var (replaced, next) = (Queue(), Queue());

        var taken = spool.Take(replaced);
        Assert.NotNull(taken);
        Assert.Same(taken, spool.Take(replaced));
        Assert.Null(spool.Take(next));
        replaced.Stop();
        Assert.Equal(1, spool.Take(next)?.Count);

        SegmentQueue Queue() => new(QueueBounds.For(64 << 10, 0, 256 << 10, 1000), new QueueRules(), _clock, instance.State.Metrics, instance.Usage) { WireId = 1 };
    }

    [Fact]
    public async Task A_healthy_sink_never_touches_the_disk()
    {
        using var process = Start();
        var before = _disk.Operations.Count;
        await process.Log(1_000);
        await process.AdvanceUntil(() => process.Status.Written == 1_000);
        Assert.Equal(Enumerable.Range(0, 1_000), process.Received());
        Assert.Equal(before, _disk.Operations.Count);
    }

    [Fact]
    public async Task What_is_left_at_the_shutdown_is_on_the_disk_in_the_order_of_acceptance()
    {
        var process = Start();
        Break();
        await process.Log(60);
        await process.AdvanceUntil(() => process.Status.InFlight > 0);
        process.Dispose();
        Assert.Equal(60, process.Status.Spooled);
        Assert.Empty(process.Status.Drops);
        process.AssertCounters(60);
        using var next = new Process(_disk.Restart(), new TestSink(), _clock);
        await next.AdvanceUntil(() => next.Status.Written == 60);
        Assert.Equal(Enumerable.Range(0, 60), next.Received());
    }

    [Fact]
    public async Task A_caller_suspended_before_its_commit_is_counted_as_lost_when_the_rest_of_its_segment_is_saved()
    {
        var process = Start();
        Break();
        await process.Log(1);
        await process.AdvanceUntil(() => process.Status.Retries > 0);
        await process.Log(10, from: 1);
        _ = SuspendedCaller.Claim(process.Queue, "not yet", LogLevel.Error);
        await process.Log(3, from: 11);
        process.Dispose();
        Assert.Equal((14L, 1L), (process.Status.Spooled, process.Status.Dropped));
        // Nobody knows its level.
        Assert.Equal([(DropReason.ShutdownTimeout, LogLevel.Information, 1L)], process.Status.Drops.Select(static drop => (drop.Reason, drop.Level, drop.Count)));
        process.AssertCounters(15);
        using var next = new Process(_disk.Restart(), new TestSink(), _clock);
        await next.AdvanceUntil(() => next.Status.Written == 14);
        Assert.Equal(Enumerable.Range(0, 14), next.Received());
    }

    [Fact]
    public async Task Of_a_segment_that_was_delivered_in_part_the_rest_is_saved()
    {
        var process = Start();
        Break();
        await process.Log(1);
        await process.AdvanceUntil(() => process.Status.Retries > 0);
        await process.Log(11, from: 1);
        _sink.Before = batch =>
        {
            if (batch.Count == 1)
                return;
            if (batch.Count == 11)
            {
                for (var record = 0; record < 4; record++)
                    _sink.Take(batch, batch[0].Bytes.Length);
                batch.Refuse(2, DropReason.Rejected);
            }

            throw new LogSinkException("reset", "gone");
        };
        await process.AdvanceUntil(() => process.Received().Any() && process.Status.LastError?.Type == "reset");
        process.Dispose();
        Assert.Equal((5L, 6L, 1L), (process.Status.Written, process.Status.Spooled, process.Status.Dropped));
        process.AssertCounters(12);
        using var next = new Process(_disk.Restart(), new TestSink(), _clock);
        await next.AdvanceUntil(() => next.Status.Written == 6);
        Assert.Equal([5, 6, 8, 9, 10, 11], next.Received());
    }

    [Fact]
    public async Task Before_the_limit_is_passed_the_oldest_file_goes_and_is_counted_by_level()
    {
        using var process = Start(static options => options.SpoolSizeLimit = 8L << 20);
        var most = 0L;
        // Between any two operations.
        _disk.Before = (_, _) => most = Math.Max(most, _disk.Files.Values.Sum(static content => content.LongLength));
        Break();
        await process.Log(3_000);
        var status = process.Status;
        Assert.InRange(status.SpooledBytes, 7L << 20, 8L << 20);
        Assert.Equal(["spool_full"], status.Drops.Select(static drop => drop.ReasonName).Distinct());
        Mend();
        await process.AdvanceUntil(() => process.Status.Written + process.Status.Dropped == 3_000);
        var missing = Enumerable.Range(0, 3_000).Except(process.Received()).ToList();
        Assert.Equal(process.Status.Dropped, missing.Count);
        Assert.Equal(Enumerable.Range(0, 3_000).Except(missing), process.Received());
        // The oldest of those on the disk: behind the ones that the worker has in hand.
        Assert.Equal(Enumerable.Range(missing[0], missing.Count), missing);
        Assert.InRange(missing[0], 1, 16);
        Assert.InRange(most, 7L << 20, 8L << 20);
        Assert.Equal(
            [(LogLevel.Information, missing.LongCount(static number => number % 10 != 0)), (LogLevel.Warning, missing.LongCount(static number => number % 10 == 0))],
            process.Status.Drops.Select(static drop => (drop.Level, drop.Count)));
        process.AssertCounters(3_000);
    }

    [Fact]
    public async Task Files_older_than_the_limit_go_although_the_destination_takes_nothing()
    {
        var limit = TimeSpan.FromMinutes(3);
        using var process = Start(options => options.SpoolTimeLimit = limit);
        Break();
        var began = _clock.GetUtcNow();
        await process.Log(200);
        var logged = _clock.GetUtcNow();
        Assert.True(process.Status.Spooled > 0);
        Assert.Equal(0, process.Status.Dropped);
        var files = Segments(_disk);
        var first = TimeSpan.Zero;
        await Eventually.Holds(() =>
        {
            // No time passes while the worker has something to do.
            if (_clock.ArmedOnceCount > 0)
                _clock.Advance(TimeSpan.FromSeconds(1));
            if (first == TimeSpan.Zero && process.Status.Dropped > 0)
                first = _clock.GetUtcNow() - began;
            return process.Status.Spooled == 0;
        });
        Assert.True(first > limit, $"The first file went after {first}.");
        Assert.InRange(_clock.GetUtcNow() - logged, TimeSpan.Zero, 3 * limit);
        Assert.Equal(["spool_expired"], process.Status.Drops.Select(static drop => drop.ReasonName).Distinct());
        Assert.Empty(process.Received());
        // The worker has one in hand.
        Assert.InRange(Segments(_disk).Intersect(files).Count(), 0, 1);
        process.AssertCounters(200);
    }

    [Fact]
    public async Task Nothing_is_spooled_on_a_file_system_that_is_nearly_full()
    {
        _disk.Space = (90 << 20, 100L << 30);
        using var process = Start();
        Break();
        await process.AdvanceUntil(() => process.TryFill(400));
        await process.AdvanceUntil(() => process.Said.Contains("is nearly full", StringComparison.Ordinal));
        Assert.Empty(_disk.Files);
        Assert.Equal("spool_unwritable", process.ReasonOnceMended(Mend));
        process.AssertCounters(400);
    }

    [Fact]
    public async Task A_disk_that_fails_stops_neither_callers_nor_delivery()
    {
        _disk.Before = static (operation, _) =>
        {
            if (operation == "write")
                throw new LogSinkException("io_error", "the disk is broken");
        };
        using var process = Start();
        Break();
        await process.AdvanceUntil(() => process.TryFill(400));
        await process.AdvanceUntil(() => process.Said.Contains("SpoolPath: the disk is broken (io_error)", StringComparison.Ordinal));
        Mend();
        await process.AdvanceUntil(() => process.Status.QueueSize + process.Status.InFlight == 0);
        process.AssertCounters(400);
        Assert.True(process.Status.Written > 100);
        _disk.Before = null;
        Break();
        await process.Log(200, from: 400);
        Assert.True(process.Status.Spooled > 0);
        Assert.Contains("the spool works again", process.Said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_disk_that_hangs_at_the_shutdown_counts_no_record_twice()
    {
        using var hangs = new ManualResetEventSlim();
        using var released = new ManualResetEventSlim();
        _disk.Before = (operation, _) =>
        {
            if (operation != "write")
                return;
            hangs.Set();
            released.Wait();
        };
        var process = Start();
        Break();
        process.TryFill(400);
        await process.AdvanceUntil(() => hangs.IsSet);
        process.Dispose();
        process.AssertCounters(400);
        released.Set();
        await Eventually.Holds(() => _disk.Operations.Any(static operation => operation.StartsWith("delete", StringComparison.Ordinal)));
        Assert.Empty(Segments(_disk));
        process.AssertCounters(400);
        Assert.Equal(0, process.Status.Spooled);
    }

    [Fact]
    [OnLinux("the test names files with /")]
    public async Task A_disk_that_does_not_answer_holds_up_neither_the_start_nor_the_end()
    {
        using var answers = new ManualResetEventSlim();
        _disk.Before = (_, _) => answers.Wait();
        Break();
        try
        {
            using var process = await Task.Run(() => Start(), TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
            Assert.Contains("SpoolPath: /spool did not answer within half a second.", process.Said, StringComparison.Ordinal);
            process.TryFill(40);
            await Task.Run(process.Dispose, TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
            Assert.False(answers.IsSet);
            AssertLost(process);
            answers.Set();
            // The directory is the next process's.
            using var next = Start();
            await Eventually.Holds(() => _disk.Operations.Any(static operation => operation.StartsWith("list", StringComparison.Ordinal)));
            AssertLost(process);
            Assert.Empty(Segments(_disk));
        }
        finally
        {
            answers.Set();
        }

        static void AssertLost(Process process)
        {
            Assert.Equal([(DropReason.ShutdownTimeout, 40L)], process.Status.Drops.GroupBy(static drop => drop.Reason, static (reason, drops) => (reason, drops.Sum(static drop => drop.Count))));
            process.AssertCounters(40);
        }
    }

    [Fact]
    [OnLinux("the test names files with /")]
    public async Task Records_in_a_directory_that_did_not_answer_at_the_start_are_sent_when_it_answers()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(60);
        }

        using var answers = new ManualResetEventSlim();
        var disk = _disk.Restart();
        disk.Before = (_, _) => answers.Wait();
        try
        {
            using var second = await Task.Run(() => new Process(disk, new TestSink(), _clock), TestContext.Current.CancellationToken)
                .WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
            await second.Log(10, from: 100);
            await second.AdvanceUntil(() => second.Status.Written == 10);
            Assert.Equal((SinkState.Degraded, "spool_unwritable"), (second.Status.State, second.Status.Reason));
            answers.Set();
            await Eventually.Holds(() => second.Status.Written == 70, () => $"{second.Status} {second.Said}");
            Assert.Equal([.. Enumerable.Range(100, 10), .. Enumerable.Range(0, 60)], second.Received());
            Assert.Contains("AsyncLog: warn test/default: SpoolPath: /spool answers now.", second.Said, StringComparison.Ordinal);
            Assert.NotEqual("spool_unwritable", second.Status.Reason);
            second.AssertCounters(70);
        }
        finally
        {
            answers.Set();
        }
    }

    [Fact]
    public async Task A_disk_that_hangs_when_the_last_records_are_saved_does_not_hold_up_the_end_and_each_record_is_counted_once()
    {
        using var answers = new ManualResetEventSlim();
        using var hangs = new ManualResetEventSlim();
        var process = Start();
        _sink.Before = _ => answers.Wait();
        process.TryFill(40);
        await Eventually.Holds(() => process.Status.InFlight > 0);
        _disk.Before = (operation, path) =>
        {
            // The second file, so that the first is saved.
            if (operation != "write" || Segments(_disk).Count == 0)
                return;
            hangs.Set();
            answers.Wait();
        };
        try
        {
            await Task.Run(process.Dispose, TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
            Assert.True(hangs.IsSet);
            var (saved, lost) = (process.Status.Spooled, process.Status.Dropped);
            Assert.InRange(saved, 1, 39);
            Assert.Equal(40 - saved, lost);
            process.AssertCounters(40);
            answers.Set();
            await Eventually.Holds(() => _disk.TryLock("/spool/test-default/.lock") is not null);
            Assert.Equal((saved, lost), (process.Status.Spooled, process.Status.Dropped));
            Assert.Equal(saved, NumbersIn(_disk).Count);
            process.AssertCounters(40);
        }
        finally
        {
            answers.Set();
        }
    }

    [Fact]
    public void The_last_records_of_several_instances_are_saved_at_the_same_time()
    {
        using var writes = new CountdownEvent(2);
        using var answers = new ManualResetEventSlim();
        // Slower than one instance waits, if the other one does not write beside it.
        _disk.Before = (operation, _) =>
        {
            if (operation != "write")
                return;
            writes.Signal();
            Assert.True(writes.Wait(TimeSpan.FromSeconds(20)));
        };
        var type = new TestDefinition<TestOptions>("test", (_, _) => new TestSink { Before = _ => answers.Wait() }) { Children = "Files", Main = false, Wire = static _ => "lines" };
        var services = new ServiceCollection();
        services.AddLogging(builder => builder
            .AddSink<TestLoggerProvider, TestOptions>(type, "one", Configure)
            .AddSink<TestLoggerProvider, TestOptions>(type, "two", Configure));
        services.AddSingleton<ISpoolFiles>(_disk);
        services.AddSingleton(new SelfReport(LogLevel.None, TimeProvider.System, static () => TextWriter.Null));
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.FlushOnCrash) = (false, false));
        using var provider = services.BuildServiceProvider();
        var control = provider.GetRequiredService<IAsyncLogControl>();
        provider.GetRequiredService<ILoggerFactory>().CreateLogger("Test").LogInformation("left");
        provider.Dispose();
        answers.Set();
        Assert.Equal([("test/one", 1L, 0L), ("test/two", 1L, 0L)], control.GetStatus().Instances.Select(static status => (status.Name, status.Spooled, status.Dropped)).Order());

        static void Configure(TestOptions options) => (options.SpoolPath, options.ShutdownTimeout, options.Template) = ("/spool", TimeSpan.Zero, "{Message}{NewLine}");
    }

    [Fact]
    public async Task Records_in_spool_files_that_are_deleted_or_truncated_at_run_time_are_counted()
    {
        using var process = Start();
        Break();
        await process.Log(400);
        await process.AdvanceUntil(() => Segments(_disk).Count > 4);
        var files = Segments(_disk).Order(StringComparer.Ordinal).ToList();
        int[] lost = [.. NumbersIn(_disk.Files[files[2]]), .. NumbersIn(_disk.Files[files[3]])];
        _disk.Delete(files[2]);
        _disk.Put(files[3], _disk.Files[files[3]][..100]);
        Mend();
        await process.AdvanceUntil(() => process.Status.Written + process.Status.Dropped == 400);
        Assert.Equal(lost.Length, process.Status.Dropped);
        Assert.Equal(["spool_corrupt"], process.Status.Drops.Select(static drop => drop.ReasonName).Distinct());
        Assert.Equal(Enumerable.Range(0, 400).Except(lost), process.Received());
        process.AssertCounters(400);
    }

    [Fact]
    public async Task The_start_of_a_process_with_a_spool_of_a_gigabyte_reads_names_and_the_first_file_only()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(60);
        }

        var disk = _disk.Restart();
        var oldest = Segments(disk).Min(StringComparer.Ordinal)!;
        var (name, content) = (SegmentFileName.Parse(Path.GetFileName(oldest))!, disk.Files[oldest]);
        Assert.Equal(content.Length, name.Length);
        var files = (1 << 30) / content.Length;
        // One content for all of them.
        for (var number = 1; number <= files; number++)
            disk.Put($"/spool/test-default/{name with { Sequence = name.Sequence + 1_000 + number }}", content);
        using var second = new Process(disk, _sink, _clock);
        await second.AdvanceUntil(() => second.Status.Retries > 0);

        Assert.Equal(60 + ((long)files * NumbersIn(content).Count), second.Status.Spooled + second.Status.InFlight);
        Assert.Equal([$"read {name}"], disk.Operations.Where(static operation => operation.StartsWith("read", StringComparison.Ordinal)));
        Assert.InRange(disk.Operations.Count, 1, 10);
    }

    [Fact]
    [Trait("Category", "slow")]
    [NotUnderWine("it is too slow for this test")]
    public async Task A_spool_of_a_gigabyte_delays_neither_the_start_nor_a_call_by_300_ms()
    {
        var folder = Directory.CreateTempSubdirectory("spool-").FullName;
        try
        {
            var spool = Path.Combine(folder, "spool");
            Action<TestOptions> bounds = options =>
            {
                options.SpoolPath = spool;
                options.SpoolSizeLimit = 2L << 30;
            };
            Break();
            using (var first = new Process(SpoolFiles.Instance, _sink, _clock, bounds))
                await first.Log(60);
            // A full segment; the directory may list the last one first, which has one record.
            var model = new DirectoryInfo(spool).EnumerateFiles("*.seg", SearchOption.AllDirectories).MaxBy(static file => file.Length)!;
            var name = SegmentFileName.Parse(model.Name)!;
            for (var number = 1; number * name.Length < 1L << 30; number++)
            {
                // Sparse: only the first file is read.
                using var file = File.Create(Path.Combine(model.DirectoryName!, (name with { Sequence = name.Sequence + 1_000 + number }).ToString()));
                file.SetLength(name.Length);
            }

            // The best of a few: compiled code, and a machine that did nothing else.
            var best = TimeSpan.MaxValue;
            for (var start = 0; start < 5; start++)
            {
                var started = System.Diagnostics.Stopwatch.GetTimestamp();
                using var process = new Process(SpoolFiles.Instance, _sink, _clock, bounds);
                await process.Log(1);
                var taken = System.Diagnostics.Stopwatch.GetElapsedTime(started);
                best = taken < best ? taken : best;
                // On a slow disk the start does not wait for the end of the listing.
                await Eventually.Holds(() => process.Status.SpooledBytes > (1L << 30) - (2 * name.Length));
            }

            Assert.True(best < TimeSpan.FromMilliseconds(300), $"the start and a call took {best.TotalMilliseconds} ms");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Spooled_records_that_are_always_refused_are_counted_and_kept_and_the_rest_is_delivered()
    {
        using var process = Start(static options => options.SpoolRejected = true);
        Break();
        await process.Log(200);
        var spooled = Segments(_disk).Count;
        Assert.True(spooled > 0);
        _sink.Before = static batch =>
        {
            for (var record = batch.Count - 1; record >= 0; record--)
            {
                if (batch[record].Level == LogLevel.Warning)
                    batch.Refuse(record, DropReason.Rejected);
            }
        };
        await process.AdvanceUntil(() => process.Status.Written + process.Status.Dropped == 200);
        Assert.Equal(20, process.Status.Dropped);
        Assert.Equal(Enumerable.Range(0, 200).Where(static number => number % 10 != 0), process.Received());
        // A file is deleted after its records are counted and kept.
        await process.AdvanceUntil(() => OnlyRejectedIn(_disk));
        var kept = NumbersIn(_disk).Order().ToList();
        Assert.NotEmpty(kept);
        Assert.Equal(kept.Distinct(), kept);
        Assert.Subset(Enumerable.Range(0, 20).Select(static ten => 10 * ten).ToHashSet(), kept.ToHashSet());
        process.AssertCounters(200);
    }

    [Fact]
    [OnLinux("the test names files with /")]
    public async Task What_a_failed_write_of_refused_records_left_behind_is_gone_with_the_next_one()
    {
        using var process = Start(static options => options.SpoolRejected = true);
        Break();
        await process.Log(200);
        var failed = 0;
        _disk.Before = (operation, path) =>
        {
            if (operation == "rename" && path.Contains("/rejected/", StringComparison.Ordinal) && failed++ == 0)
                throw new LogSinkException("io_error", "the disk is gone");
        };
        _sink.Before = static batch => batch.RefuseRest(DropReason.Rejected);
        await process.AdvanceUntil(() => process.Status.Dropped == 200);
        await process.AdvanceUntil(() => OnlyRejectedIn(_disk));
        Assert.True(failed > 1);
        Assert.NotEmpty(NumbersIn(_disk));
        Assert.DoesNotContain(_disk.Files.Keys, static path => path.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [Fact]
    [OnLinux("the test names files with /")]
    public async Task Files_of_another_form_are_set_aside_and_not_sent()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(100);
        }

        var disk = _disk.Restart();
        Assert.Equal(Enumerable.Range(0, 100), NumbersIn(disk).Order());
        var contents = disk.Files.Values.ToList();
        using var second = new Process(disk, new TestSink(), _clock, wire: "other");
        await second.AdvanceUntil(() => second.Status.Spooled == 0);
        Assert.Equal(100, second.Status.Drops.Where(static drop => drop.Reason == DropReason.SpoolForeign).Sum(static drop => drop.Count));
        Assert.Equal(contents, disk.Files.Values);
        Assert.All(disk.Files.Keys, static path => Assert.Contains("/foreign/", path, StringComparison.Ordinal));
        Assert.Contains(
            "AsyncLog: warn test/default: files in /spool/test-default were written with settings that give records another form. "
                + "They are set aside in /spool/test-default/foreign and not sent.",
            second.Said, StringComparison.Ordinal);
        Assert.Empty(second.Received());
        second.AssertCounters(100);
    }

    [Fact]
    [OnLinux("the test names files with /")]
    public async Task A_file_that_cannot_be_read_for_a_minute_is_counted_and_stays_and_the_rest_is_delivered()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(100);
        }

        var disk = _disk.Restart();
        var path = Segments(disk).Min(StringComparer.Ordinal)!;
        var records = NumbersIn(disk.Files[path]).Count;
        disk.Before = (operation, file) =>
        {
            if (operation == "read" && file == path)
                throw new LogSinkException("io_error", "the sector is gone");
        };
        using var second = new Process(disk, new TestSink(), _clock);
        var began = _clock.GetTimestamp();
        await second.AdvanceUntil(() => second.Status.Spooled + second.Status.InFlight == 0);
        Assert.InRange(_clock.GetElapsedTime(began), TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(180));
        Assert.Equal([(DropReason.SpoolCorrupt, (long)records)], second.Status.Drops.GroupBy(static drop => drop.Reason, static (reason, drops) => (reason, drops.Sum(static drop => drop.Count))));
        Assert.Equal(Enumerable.Range(records, 100 - records), second.Received());
        // A file is deleted after its records are counted.
        await second.AdvanceUntil(() => Segments(disk).Count == 1);
        Assert.Equal([path], Segments(disk));
        Assert.Contains(
            $"AsyncLog: error test/default: {path} cannot be read: its {records} records are passed over and counted as spool_corrupt. "
                + "The next process tries again.",
            second.Said, StringComparison.Ordinal);
        second.AssertCounters(100);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_a_failed_write_left_behind_is_gone_before_its_records_are_written_again_and_at_the_end(bool ends)
    {
        using var process = Start();
        var fails = true;
        _disk.Before = (operation, _) =>
        {
            if (fails && (operation is "rename" or "delete"))
                throw new LogSinkException("read_only", "the disk cannot be written");
        };
        Break();
        await process.AdvanceUntil(() => process.TryFill(100));
        await process.AdvanceUntil(() => process.Said.Contains("the disk cannot be written", StringComparison.Ordinal));
        var leftover = Assert.Single(_disk.Files.Keys, static path => path.EndsWith(".tmp", StringComparison.Ordinal));
        if (ends)
        {
            Mend();
            await process.AdvanceUntil(() => process.Status.QueueSize + process.Status.InFlight == 0);
            Assert.Contains(leftover, _disk.Files.Keys);
            fails = false;
            process.Dispose();
        }
        else
        {
            fails = false;
            await process.AdvanceUntil(() => process.Status.Spooled > 0);
        }

        Assert.DoesNotContain(leftover, _disk.Files.Keys);
    }

    [Fact]
    [OnLinux("the test names files with /")]
    public async Task Files_of_another_version_are_set_aside_and_not_deleted()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(100);
        }

        var disk = _disk.Restart();
        var path = Segments(disk).Min(StringComparer.Ordinal)!;
        var content = disk.Files[path];
        var records = NumbersIn(content).Count;
        content[7] = 2;
        disk.Put(path, content);
        using var second = new Process(disk, new TestSink(), _clock);
        await second.AdvanceUntil(() => second.Status.Spooled + second.Status.InFlight == 0);
        Assert.Equal([(DropReason.SpoolForeign, (long)records)], second.Status.Drops.GroupBy(static drop => drop.Reason, static (reason, drops) => (reason, drops.Sum(static drop => drop.Count))));
        Assert.Equal(Enumerable.Range(records, 100 - records), second.Received());
        // A file is deleted after its records are counted.
        await second.AdvanceUntil(() => Segments(disk).Count == 1);
        Assert.Equal($"/spool/test-default/foreign/{Path.GetFileName(path)}", Segments(disk).Single());
        Assert.Equal(content, disk.Files[Segments(disk).Single()]);
        Assert.Contains(
            "AsyncLog: warn test/default: files in /spool/test-default were written by another version of AsyncLog. "
                + "They are set aside in /spool/test-default/foreign and not sent.",
            second.Said, StringComparison.Ordinal);
        second.AssertCounters(100);
    }

    [Fact]
    public async Task A_file_that_was_not_finished_is_removed_and_its_records_are_not_counted()
    {
        using (var first = Start())
        {
            Break();
            await first.Log(60);
        }

        var disk = _disk.Restart();
        var path = Segments(disk).Max(StringComparer.Ordinal)!;
        var records = NumbersIn(disk.Files[path]).Count;
        disk.Put(path + ".tmp", disk.Files[path][..100]);
        disk.Delete(path);
        using var second = new Process(disk, new TestSink(), _clock);
        Assert.Equal(60 - records, second.Status.Enqueued);
        Assert.DoesNotContain(disk.Files.Keys, static name => name.EndsWith(".tmp", StringComparison.Ordinal));
        await second.AdvanceUntil(() => second.Status.Written == 60 - records);
        Assert.Equal(Enumerable.Range(0, 60 - records), second.Received());
        Assert.Empty(second.Status.Drops);
        second.AssertCounters(60 - records);
    }

    [Fact]
    public async Task A_second_process_takes_a_directory_of_its_own_and_adopts_the_first_one_when_it_ended()
    {
        var first = Start();
        Break();
        await first.Log(100);
        var other = new TestSink();
        using var second = new Process(_disk, other, _clock);
        Assert.Equal(0, second.Status.Enqueued);
        Assert.Contains("mkdir test-default~1", _disk.Operations);
        await second.Log(10, from: 1_000);
        await second.AdvanceUntil(() => second.Status.Written == 10);
        first.Dispose();
        await second.AdvanceUntil(() => second.Status.Written == 110);
        Assert.Equal([.. Enumerable.Range(1_000, 10), .. Enumerable.Range(0, 100)], second.Received());
        second.AssertCounters(110);
    }

    [Fact]
    public async Task A_flush_waits_for_what_is_on_the_disk()
    {
        using var process = Start();
        Break();
        await process.Log(200);
        var flush = process.Flush();
        await process.AdvanceUntil(() => process.Status.Spooled > 0);
        Assert.False(flush.IsCompleted);
        Mend();
        await process.AdvanceUntil(() => flush.IsCompleted);
        Assert.True(await flush);
        Assert.Equal(200, process.Status.Written);
    }

    [Fact]
    [OnLinux("the test names files with /")]
    public async Task A_flush_is_not_promised_what_the_shutdown_left_on_the_disk()
    {
        using var process = Start(static options => options.ShutdownTimeout = TimeSpan.FromMinutes(1));
        Break();
        process.TryFill(40);
        await process.AdvanceUntil(() => process.Status.InFlight > 0);
        var flush = process.Flush();
        // What the worker has in hand is the oldest, and saved last: it is sent after all.
        _disk.Before = (operation, path) =>
        {
            if (operation != "write" || Segments(_disk).Exists(file => string.CompareOrdinal(path, file) > 0) || Segments(_disk).Count == 0)
                return;
            Mend();
            throw new LogSinkException("io_error", "the disk is gone");
        };
        var end = Task.Run(process.Dispose, TestContext.Current.CancellationToken);
        await process.AdvanceUntil(() => end.IsCompleted);
        Assert.False(await flush);
        Assert.False(await process.Flush());
        Assert.InRange(NumbersIn(_disk).Count, 1, 39);
        Assert.Equal(Enumerable.Range(0, 40), process.Received().Concat(NumbersIn(_disk)).Order());
    }

    [Fact]
    public async Task A_flush_after_the_deadline_is_not_promised_what_is_on_the_disk()
    {
        var process = Start();
        Break();
        process.TryFill(40);
        process.Dispose();
        Assert.Equal(Enumerable.Range(0, 40), NumbersIn(_disk).Order());
        Assert.False(await process.Flush());
    }

    // The process dies at each of its operations on the disk, a write with any part of the file on it; what it had delivered or had on the disk is there.
    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(int.MaxValue)]
    public async Task A_death_at_any_operation_loses_nothing_that_was_on_the_disk(int tornBytes)
    {
        for (var diesAt = 4; ; diesAt++)
        {
            var disk = new MemoryDisk { DiesAt = diesAt, TornBytes = tornBytes };
            var sink = new TestSink();
            var process = new Process(disk, sink, _clock);
            sink.Before = static _ => throw new LogSinkException("refused", "nobody listens");
            Assert.True(process.TryFill(120));
            await process.AdvanceUntil(() => disk.IsDead || Segments(disk).Count >= 3);
            sink.Before = null;
            await process.AdvanceUntil(() => disk.IsDead || process.Status.Written + process.Status.DroppedBeforeAcceptance == 120);
            var refused = process.Status.DroppedBeforeAcceptance;
            var left = disk.Restart();
            var onDisk = NumbersIn(left);
            var delivered = process.Received().ToList();
            var next = new Process(left, new TestSink(), _clock);
            await next.AdvanceUntil(() => next.Status.Spooled + next.Status.InFlight == 0);
            var sent = next.Received().ToList();
            next.AssertCounters(onDisk.Count);

            // Everything whole on the disk is sent, once and in order; only one file is sent by both.
            Assert.Equal(onDisk.Order(), sent);
            Assert.Equal(sent.Distinct(), sent);
            Assert.InRange(sent.Intersect(delivered).Count(), 0, 16);
            next.Dispose();
            process.Dispose();
            if (!disk.IsDead)
            {
                Assert.Equal(120 - refused, delivered.Count);
                return;
            }
        }
    }

    [Fact]
    public async Task A_change_of_any_byte_loses_records_of_its_file_only_and_invents_none()
    {
        using (var first = Start(static options => options.MaxQueueMemory = 256 << 10))
        {
            Break();
            first.LogShort(6);
        }

        var (path, content) = _disk.Files.First(static file => file.Key.EndsWith(".seg", StringComparison.Ordinal));
        for (var position = 0; position < content.Length; position++)
        {
            var damaged = (byte[])content.Clone();
            damaged[position] ^= 0x5A;
            var disk = _disk.Restart();
            disk.Put(path, damaged);
            using var process = new Process(disk, new TestSink(), _clock);
            await process.AdvanceUntil(() => process.Status.Spooled + process.Status.InFlight == 0);
            var received = process.Received().ToList();
            Assert.Equal(received.Order().Distinct().Where(static number => number < 6), received);
            Assert.Equal(6, received.Count + process.Status.Dropped);
            process.AssertCounters(6);
        }
    }

    // The records of all files with as many bytes as their names say, one that waits for its name included.
    private static List<int> NumbersIn(MemoryDisk disk) => [.. disk.Files
        .Where(static file => file.Key.Contains(FormattableString.Invariant($"-{file.Value.Length}.seg"), StringComparison.Ordinal))
        .SelectMany(static file => NumbersIn(file.Value))];

    // Without the code under test. The records are behind the header, the categories and the slots.
    private static List<int> NumbersIn(byte[] file)
    {
        var (records, categories) = (BinaryPrimitives.ReadInt32LittleEndian(file.AsSpan(12)), BinaryPrimitives.ReadInt32LittleEndian(file.AsSpan(40)));
        var lines = Encoding.UTF8.GetString(file.AsSpan(64 + categories + (20 * records))).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(records, lines.Length);
        return [.. lines.Select(Process.NumberOf)];
    }

    private static bool OnlyRejectedIn(MemoryDisk disk) => Segments(disk).TrueForAll(static path => path.Contains("/rejected/", StringComparison.Ordinal));

    private Process Start(Action<TestOptions>? configure = null) => new(_disk, _sink, _clock, configure);

    private void Break() => _sink.Before = static _ => throw new LogSinkException("refused", "nobody listens");

    private void Mend() => _sink.Before = null;

    private static List<string> Segments(MemoryDisk disk) => [.. disk.Files.Keys.Where(static path => path.EndsWith(".seg", StringComparison.Ordinal))];

    // A process with a spool: four segments of memory for each sixteen records of 4 KB, and a clock that moves when the test waits.
    private sealed class Process : IDisposable
    {
        private readonly TestSink _sink;
        private readonly FakeTimeProvider _clock;
        private readonly TestPipeline _pipeline;
        private bool _filled;

        public Process(ISpoolFiles disk, TestSink sink, FakeTimeProvider clock, Action<TestOptions>? configure = null, string wire = "lines")
        {
            _sink = sink;
            _clock = clock;
            _pipeline = new TestPipeline(
                sink,
                options =>
                {
                    options.SpoolPath = "/spool";
                    options.MaxQueueMemory = 8 * SegmentBytes;
                    options.ShutdownTimeout = TimeSpan.Zero;
                    configure?.Invoke(options);
                },
                clock,
                type: new TestDefinition<TestOptions>("test", (_, _) => sink) { Wire = _ => wire, Retry = new Backoff(TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(100)) },
                services: services => services.AddSingleton(disk));
        }

        public SegmentQueue Queue => ((SinkLoggerProvider)_pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;

        public SinkStatus Status => _pipeline.Status;

        public string Said => _pipeline.Said;

        // As fast as the spool takes them.
        public async Task Log(int records, int from = 0)
        {
            for (var number = from; number < from + records; number++)
            {
                if (Status.QueueFill >= 0.8)
                    await AdvanceUntil(() => Status.QueueFill < 0.8);
                _pipeline.Logger.Log(number % 10 == 0 ? LogLevel.Warning : LogLevel.Information, "{Number} {Filler}", number, Filler);
            }
        }

        public static int NumberOf(string line) => int.Parse(line.Split(' ')[0], CultureInfo.InvariantCulture);

        public IEnumerable<int> Received() => _sink.Records.Where(static line => !line.Contains("dropped", StringComparison.Ordinal)).Select(NumberOf);

        public void LogShort(int records)
        {
            for (var number = 0; number < records; number++)
                _pipeline.Logger.Log(LogLevel.Information, "{Number}", number);
        }

        // At once: what does not fit is refused and counted.
        public bool TryFill(int records)
        {
            if (_filled)
                return true;
            _filled = true;
            for (var number = 0; number < records; number++)
                _pipeline.Logger.Log(LogLevel.Warning, "{Number} {Filler}", number, Filler);
            return true;
        }

        public Task<bool> Flush() => _pipeline.Flush();

        // A failing delivery hides the other reasons.
        public string? ReasonOnceMended(Action mend)
        {
            mend();
            Eventually.True(() => Status.Reason != "refused", () => _clock.Advance(TimeSpan.FromMilliseconds(50)));
            return Status.Reason;
        }

        public Task AdvanceUntil(Func<bool> condition) => Eventually.Holds(
            () =>
            {
                _clock.Advance(TimeSpan.FromMilliseconds(50));
                return condition();
            },
            () => $"{Status} {Said}");

        public void AssertCounters(long offered) => Counters.AssertAddUp(Status, offered);

        public void Dispose() => _pipeline.Dispose();
    }
}
