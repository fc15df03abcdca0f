using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Queue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Survival;

public sealed class CrashRegionsTests : IDisposable
{
    private const int HeaderPage = 4096;
    private const int NamesLength = 256 << 10;

    // The last one of the magic.
    private const int VersionByte = 7;

    // In a slot.
    private const int OutcomeByte = 8;

    // In the header of a segment.
    private const int NumberOfMarks = 56;
    private const int StateWordAt = 128;
    private readonly List<Process> _processes = [];
    private MemoryCrashFiles _files = new();

    [Fact]
    public async Task Records_whose_Log_returned_are_delivered_by_the_next_process_before_its_own()
    {
        var killed = Start(new BrokenSink());
        killed.Log(0, 100);
        var sink = new TestSink();
        var next = Restart(sink);
        Assert.Equal((100, 100), (next.Status.Enqueued, next.Status.Recovered));
        next.Log(100, 10);
        Assert.True(await next.Pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 110), Process.NumbersOf(sink));
        next.AssertCounters(110);
        Assert.Matches($@"test/default: 100 records of process {Environment.ProcessId}, killed after \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\dZ, are recovered\.", next.Pipeline.Said);
    }

    [Fact]
    public async Task The_output_says_behind_the_records_that_they_were_recovered()
    {
        Start(new BrokenSink()).Log(0, 1);
        var sink = new TestSink();
        var next = Restart(sink);
        Assert.True(await next.Pipeline.Flush());
        await Eventually.Holds(() => sink.Records.Count == 2);
        Assert.Equal("0 ", sink.Records[0]);
        Assert.Matches($@"^1 record of process {Environment.ProcessId}, killed after \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\dZ, was recovered$", sink.Records[1]);
    }

    [Fact]
    public async Task An_orderly_end_leaves_no_file_behind()
    {
        var sink = new TestSink();
        var process = Start(sink);
        process.Log(0, 1_000);
        Assert.Single(_files.Paths);
        Assert.True(await process.Pipeline.Flush());
        process.Dispose();
        Assert.Empty(_files.Paths);
        Assert.Equal(1_000, sink.Records.Count);
        var next = Restart(new TestSink());
        Assert.True(await next.Pipeline.Flush());
        Assert.Equal(0, next.Status.Enqueued);
    }

    [Fact]
    public void A_buffer_takes_one_and_a_half_times_the_memory_of_its_queue_at_start()
    {
        Start(new TestSink(), configure: static options => options.MaxQueueMemory = 16 << 20);
        // 16 bytes of index for 32 bytes of records; names and headers take less than 2 MB.
        Assert.InRange(_files.ContentOf(Assert.Single(_files.Paths)).Length, 24 << 20, 26 << 20);
    }

    [Fact]
    public void Without_a_path_of_the_configuration_the_files_are_in_the_default_directory()
    {
        Start(new TestSink(), process: static options => options.CrashBufferPath = null);
        Assert.StartsWith("/memory/test-", Assert.Single(_files.Paths), StringComparison.Ordinal);
    }

    [Fact]
    [OnLinux("its shared memory")]
    public async Task The_default_directory_is_in_shared_memory_and_has_the_number_of_the_user_in_its_name()
    {
        using var folder = new TempFolder();
        using var id = new ChildProgram("id", ["-u"], folder.Path);
        Assert.True(await id.Ended() == 0, id.Printed);
        Assert.Equal($"/dev/shm/asynclog-{Assert.Single(id.Output)}", CrashFiles.Instance.DefaultDirectory);
    }

    [Fact]
    public async Task The_end_waits_for_a_worker_that_is_deleting_its_file()
    {
        using var hasEnded = new ManualResetEventSlim();
        var process = Start(new TestSink());
        process.Log(0, 10);
        Assert.True(await process.Pipeline.Flush());
        _files.Before = (operation, _) =>
        {
            // Longer than the end would take that does not wait.
            if (operation == "delete")
                hasEnded.Wait(TimeSpan.FromMilliseconds(500), CancellationToken.None);
        };

        process.Dispose();
        var left = _files.Paths.Count;
        hasEnded.Set();

        Assert.Equal(0, left);
    }

    [Fact]
    public async Task What_belongs_to_a_process_that_lives_is_not_touched()
    {
        var first = Start(new BrokenSink());
        first.Log(0, 10);
        var sink = new TestSink();
        var second = Start(sink);
        Assert.True(await second.Pipeline.Flush());
        Assert.Empty(sink.Records);
        second.AssertCounters(0);
        Assert.Equal(2, _files.Paths.Count);
    }

    [Fact]
    public async Task Another_application_does_not_touch_it()
    {
        Start(new BrokenSink()).Log(0, 10);
        var sink = new TestSink();
        var other = Restart(sink, application: "Other");
        Assert.True(await other.Pipeline.Flush());
        Assert.Empty(sink.Records);
        other.AssertCounters(0);
        Assert.Equal(10, Restart(new TestSink()).Status.Recovered);
    }

    [Fact]
    public async Task A_claim_without_a_commit_is_skipped_and_counted()
    {
        var killed = Start(new BrokenSink());
        // The worker holds the first one, and takes none of the others.
        killed.Log(0, 1);
        await Eventually.Holds(() => killed.Status.Errors.Count > 0);
        killed.Log(1, 2);
        _ = SuspendedCaller.Claim(killed.Queue, "not yet", LogLevel.Error);
        killed.Log(3, 3);
        var sink = new TestSink();
        var next = Restart(sink);
        Assert.True(await next.Pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 6), Process.NumbersOf(sink));
        Assert.Equal([new DropCount(DropReason.CrashUncommitted, LogLevel.Information, 1)], next.Status.Drops);
        Assert.Equal((7, 6), (next.Status.Enqueued, next.Status.Recovered));
        next.AssertCounters(7);
    }

    [Fact]
    public async Task What_a_killed_process_lost_is_counted_by_one_process_only()
    {
        var killed = Start(new BrokenSink());
        // The worker holds the first one, and takes none of the others.
        killed.Log(0, 1);
        await Eventually.Holds(() => killed.Status.Errors.Count > 0);
        killed.Log(1, 10);
        _ = SuspendedCaller.Claim(killed.Queue, "not yet", LogLevel.Error);
        var segment = killed.Queue.Kernel.Current;
        var batch = new LogBatch();
        batch.Load(segment.Memory, 10, segment.ByteCount, new CategoryTable());
        batch.Refuse(0, DropReason.Rejected);
        batch.Refuse(3, DropReason.Rejected);
        killed.Log(11, 1);
        var first = Restart(new BrokenSink());
        Assert.Equal([(DropReason.Rejected, 2L), (DropReason.CrashUncommitted, 1L)], first.Status.Drops.Select(static drop => (drop.Reason, drop.Count)).OrderBy(static drop => drop.Reason));
        Assert.Equal((13L, 10L), (first.Status.Enqueued, first.Status.Recovered));
        first.AssertCounters(13);

        for (var kill = 0; kill < 2; kill++)
        {
            var next = Restart(new BrokenSink());
            Assert.Empty(next.Status.Drops);
            Assert.Equal((10L, 10L), (next.Status.Enqueued, next.Status.Recovered));
            next.AssertCounters(10);
        }

        var sink = new TestSink();
        var last = Restart(sink);
        Assert.True(await last.Pipeline.Flush());
        Assert.Equal([0, 2, 3, 4, 6, 7, 8, 9, 10, 11], Process.NumbersOf(sink));
        Assert.Empty(last.Status.Drops);
        last.AssertCounters(10);
    }

    [Fact]
    public async Task What_was_settled_before_the_kill_does_not_come_again()
    {
        var sink = new TestSink();
        var killed = Start(sink);
        killed.Log(0, 5_000);
        Assert.True(await killed.Pipeline.Flush());
        sink.Before = static _ => throw new LogSinkException("refused", "nobody listens");
        killed.Log(5_000, 50);
        Assert.Equal(Enumerable.Range(0, 5_000), Process.NumbersOf(sink));
        var next = new TestSink();
        var restarted = Restart(next);
        Assert.True(await restarted.Pipeline.Flush());
        Assert.Equal(Enumerable.Range(5_000, 50), Process.NumbersOf(next));
        restarted.AssertCounters(50);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_process_that_is_killed_while_it_recovers_loses_none_and_sends_none_twice(bool advances)
    {
        Start(new BrokenSink()).Log(0, 3_000);
        var arrived = new List<int>();
        for (var kill = 0; kill < 5; kill++)
        {
            // Each delivers one segment more.
            var sink = new TestSink { Advances = advances };
            var left = 2;
            sink.Before = _ =>
            {
                if (--left < 0)
                    throw new LogSinkException("refused", "nobody listens any more");
            };
            var process = Restart(sink);
            process.Log(3_000 + kill, 1);
            await Eventually.Holds(() => left < 0);
            arrived.AddRange(Process.NumbersOf(sink));
        }

        var last = new TestSink();
        Assert.True(await Restart(last).Pipeline.Flush());
        arrived.AddRange(Process.NumbersOf(last));
        // Each once: settled ones stay away.
        Assert.Equal(Enumerable.Range(0, 3_005), arrived.Order());
    }

    [Fact]
    public async Task What_is_not_delivered_when_a_process_ends_stays_for_the_next_one()
    {
        Start(new BrokenSink()).Log(0, 100);
        var second = Restart(new BrokenSink());
        second.Dispose();
        Assert.Single(_files.Paths);
        var sink = new TestSink();
        Assert.True(await Restart(sink).Pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 100), Process.NumbersOf(sink));
        // The worker deletes a file outside the lock, after the last record in it has an outcome, so a flush can end before.
        await Eventually.Holds(() => _files.Paths.Count == 1);
    }

    [Fact]
    public async Task A_spool_takes_what_is_found()
    {
        var disk = new MemoryDisk();
        Start(new BrokenSink()).Log(0, 100);
        var second = Restart(new BrokenSink(), disk);
        // The worker may have read the first file.
        Assert.Equal(100, second.Status is var status ? status.Spooled + status.InFlight : 0);
        Assert.Contains(disk.Files.Keys, static path => path.EndsWith(".seg", StringComparison.Ordinal));
        second.AssertCounters(100);
        Assert.Single(_files.Paths);
        var sink = new TestSink();
        Assert.True(await Restart(sink, disk.Restart()).Pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 100), Process.NumbersOf(sink));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task What_a_spool_with_a_full_disk_does_not_take_is_delivered_behind_what_it_has(int taken)
    {
        var disk = new MemoryDisk();
        using (var before = Start(new BrokenSink(), disk))
            before.Log(0, 10);
        _files = _files.Restart();
        disk = disk.Restart();
        Start(new BrokenSink()).Log(10, 5_000);
        var writes = 0;
        disk.Before = (operation, _) =>
        {
            if (operation == "write" && writes++ >= taken)
                throw new LogSinkException("no_space", "the disk is full");
        };
        var sink = new TestSink();
        var next = Restart(sink, disk);
        next.Log(5_010, 10);
        Assert.True(await next.Pipeline.Flush());
        Assert.InRange(writes, taken + 1, int.MaxValue);
        Assert.Equal(Enumerable.Range(0, 5_020), Process.NumbersOf(sink));
        next.AssertCounters(5_020);
    }

    [Fact]
    public async Task Records_of_a_killed_process_on_their_way_to_a_disk_that_hangs_hold_up_no_start_and_keep_their_order()
    {
        var disk = new MemoryDisk();
        Start(new BrokenSink()).Log(0, 3_000);
        using var answers = new ManualResetEventSlim();
        var writes = 0;
        disk.Before = (operation, _) =>
        {
            if (operation == "write" && Interlocked.Increment(ref writes) > 1)
                answers.Wait();
        };
        try
        {
            var sink = new TestSink();
            var next = await Task.Run(() => Restart(sink, disk), TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
            Assert.Equal(3_000, next.Status.Enqueued);
            next.AssertCounters(3_000);
            answers.Set();
            Assert.True(await next.Pipeline.Flush());
            Assert.Equal(Enumerable.Range(0, 3_000), Process.NumbersOf(sink));
            next.AssertCounters(3_000);
            await Eventually.Holds(() => !disk.Files.Keys.Any(static path => path.EndsWith(".seg", StringComparison.Ordinal)));
        }
        finally
        {
            answers.Set();
        }
    }

    [Fact]
    public async Task A_start_line_comes_behind_the_recovered_records()
    {
        Start(new BrokenSink()).Log(0, 100);
        var sink = new TestSink();
        _files = _files.Restart();
        var next = Start(sink, process: static options => options.StartupReport = true);
        Assert.True(await next.Pipeline.Flush());
        await Eventually.Holds(() => sink.Records.Count == 102);
        Assert.Equal(Enumerable.Range(0, 100), Process.NumbersOf(sink));
        Assert.Equal("99 ", sink.Records[99]);
        Assert.Single(sink.Records.Skip(100), static line => line.StartsWith("test \"default\" ->", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Categories_are_those_of_the_killed_process()
    {
        var killed = Start(new BrokenSink());
        killed.Pipeline.Factory.CreateLogger("Shop.Orders").LogInformation("one");
        killed.Pipeline.Factory.CreateLogger("Größe").LogInformation("two");
        var sink = new TestSink();
        var categories = new ConcurrentQueue<string>();
        sink.Before = batch =>
        {
            for (var index = 0; index < batch.Count; index++)
                categories.Enqueue(batch[index].Category);
        };
        Assert.True(await Restart(sink, first: "Other").Pipeline.Flush());
        // The last one is that of the notice behind them.
        await Eventually.Holds(() => categories.Count >= 3);
        Assert.Equal(["Shop.Orders", "Größe", "AsyncLog"], categories);
    }

    [Fact]
    public async Task Records_of_another_form_are_set_aside_and_counted()
    {
        Start(new BrokenSink()).Log(0, 100);
        var sink = new TestSink();
        var next = Restart(sink, wire: "other");
        Assert.True(await next.Pipeline.Flush());
        Assert.Equal([new DropCount(DropReason.SpoolForeign, LogLevel.Information, 100)], next.Status.Drops);
        next.AssertCounters(100);
        Assert.Empty(Process.NumbersOf(sink));
        var path = _files.Paths[0];
        Assert.EndsWith(".ring.foreign", path, StringComparison.Ordinal);
        var kept = Encoding.UTF8.GetString(_files.ContentOf(path));
        Assert.All(Enumerable.Range(0, 100), number => Assert.Matches($@"(?<!\d){number} \n", kept));
        Assert.Contains(
            $"AsyncLog: warn test/default: {path[..^".foreign".Length]} was written with settings that give records another form. "
                + $"It is kept as {path}: read it with 'asynclog recover', and delete it.",
            next.Pipeline.Said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_crash_buffer_of_another_version_is_kept_and_reported()
    {
        Start(new BrokenSink()).Log(0, 100);
        _files = _files.Restart();
        var path = Assert.Single(_files.Paths);
        _files.ContentOf(path)[VersionByte]++;
        var content = _files.ContentOf(path).ToArray();
        var sink = new TestSink();
        var next = Start(sink);
        Assert.True(await next.Pipeline.Flush());
        next.AssertCounters(0);
        Assert.Empty(sink.Records);
        Assert.Equal(path + ".foreign", _files.Paths[0]);
        Assert.True(_files.ContentOf(_files.Paths[0]).SequenceEqual(content));
        Assert.Contains(
            $"AsyncLog: warn test/default: {path} was written by another version of AsyncLog. "
                + $"It is kept as {path}.foreign: read it with 'asynclog recover', and delete it.",
            next.Pipeline.Said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("mkdir")]
    [InlineData("create")]
    public async Task A_refusal_is_said_with_key_and_reason_and_logging_goes_on(string operation)
    {
        var refused = "";
        _files.Before = (wanted, path) =>
        {
            if (wanted != operation)
                return;
            refused = path;
            throw new LogSinkException("no_space", $"{path} has no room");
        };
        var sink = new TestSink();
        var process = Start(sink);
        process.Log(0, 10);
        Assert.True(await process.Pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 10), Process.NumbersOf(sink));
        Assert.Equal((SinkState.Degraded, "crash_buffer"), (process.Status.State, process.Status.Reason));
        Assert.StartsWith("/crash", refused, StringComparison.Ordinal);
        Assert.EndsWith(
            $" AsyncLog: warn test/default: AsyncLog:CrashBufferPath '/crash': {refused} has no room (no_space). Logging goes on without a crash buffer.",
            Assert.Single(process.Pipeline.Said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/crash")]
    [InlineData(null)]
    public async Task Elsewhere_it_is_off_and_said_once(string? directory)
    {
        _files.Limitation = "it needs Linux";
        var sink = new TestSink();
        var process = Start(sink, process: options => options.CrashBufferPath = directory);
        process.Log(0, 10);
        Assert.True(await process.Pipeline.Flush());
        Assert.Equal(10, sink.Records.Count);
        Assert.Equal(SinkState.Healthy, process.Status.State);
        Assert.EndsWith(
            " AsyncLog: warn test/default: CrashBuffer 'true' has no effect here: it needs Linux.",
            Assert.Single(process.Pipeline.Said.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        Assert.Empty(_files.Operations);
    }

    [Fact]
    public async Task Switched_off_it_does_no_operation()
    {
        var sink = new TestSink();
        var process = Start(sink, configure: static options => options.CrashBuffer = false);
        process.Log(0, 10);
        Assert.True(await process.Pipeline.Flush());
        process.Dispose();
        Assert.Equal(Enumerable.Range(0, 10), Process.NumbersOf(sink));
        Assert.Empty(_files.Operations);
    }

    [Fact]
    public async Task Records_cost_no_operation()
    {
        var sink = new TestSink();
        var process = Start(sink);
        var before = _files.Operations.Count;
        Assert.True(before > 0);
        process.Log(0, 5_000);
        Assert.True(await process.Pipeline.Flush());
        Assert.Equal(Enumerable.Range(0, 5_000), Process.NumbersOf(sink));
        Assert.Equal(before, _files.Operations.Count);
    }

    [Fact]
    [Trait("Category", "slow")]
    public async Task Damage_of_any_byte_of_the_headers_and_slots_never_throws_and_the_counters_add_up()
    {
        var killed = Start(new BrokenSink());
        killed.Log(0, 6);
        await Eventually.Holds(() => killed.Status.Errors.Count > 0);
        _files = _files.Restart();
        var whole = _files;
        var path = Assert.Single(whole.Paths);
        // The header of the file, the first names, and the header and slots of the block with records.
        var block = HeaderPage + NamesLength;
        var slots = block + SegmentMemory.HeaderLength;
        var places = Enumerable.Range(0, 80).Concat(Enumerable.Range(HeaderPage, 40)).Concat(Enumerable.Range(block, 256 + (7 * 16)));
        foreach (var place in places)
        {
            foreach (var mask in place < HeaderPage ? new byte[] { 0x80, 0xFF } : [0xFF])
            {
                _files = whole.Restart();
                _files.ContentOf(path)[place] ^= mask;
                var sink = new TestSink();
                var process = Start(sink);
                process.Log(100, 1);
                Assert.True(await process.Pipeline.Flush(), $"byte {place}: {process.Pipeline.Said}");
                // Damage can make a block read as a free one, or a record as one that has its outcome. Elsewhere the test knows all seven.
                var (status, arrived) = (process.Status, Process.NumbersOf(sink).ToList());
                if (_files.Paths.Any(static path => !path.EndsWith(".ring", StringComparison.Ordinal)))
                {
                    process.AssertCounters(1);
                    Assert.Contains("It is kept as ", process.Pipeline.Said, StringComparison.Ordinal);
                }
                else if (place < block || (place >= slots && (place - slots) % 16 != OutcomeByte))
                {
                    process.AssertCounters(7);
                }

                Assert.Null(Counters.FaultOf(status));
                // The text of the damaged record may be another.
                Assert.InRange(status.Offered - status.Dropped - arrived.Count, 0, 1);
                Assert.Equal(arrived.Distinct().Count(), arrived.Count);
                Assert.Subset(new HashSet<int> { 0, 1, 2, 3, 4, 5, 100 }, arrived.ToHashSet());
                Assert.Contains("100 ", sink.Records);
                process.Dispose();
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [InlineData(4096)]
    [InlineData(300_000)]
    public async Task A_file_that_is_too_short_never_throws(int length)
    {
        Start(new BrokenSink()).Log(0, 20);
        var content = _files.ContentOf(_files.Paths[0])[..length].ToArray();
        var path = _files.Paths[0];
        _files = new MemoryCrashFiles();
        using (var file = _files.Create(path, length)!)
            content.CopyTo(_files.ContentOf(path));
        var sink = new TestSink();
        var process = Start(sink);
        process.Log(100, 1);
        Assert.True(await process.Pipeline.Flush());
        Assert.Equal([100], Process.NumbersOf(sink));
        process.AssertCounters(1);
    }

    [Fact]
    public async Task A_record_that_is_refused_amid_others_moves_none_in_memory_that_survives()
    {
        var killed = Start(new BrokenSink());
        // The worker holds the first one, and takes none of the others.
        killed.Log(0, 1);
        await Eventually.Holds(() => killed.Status.Errors.Count > 0);
        killed.Log(1, 10);
        var segment = killed.Queue.Kernel.Current;
        var before = segment.Memory.Bytes.Span[..segment.ByteCount].ToArray();
        var batch = new LogBatch();
        batch.Load(segment.Memory, segment.Count, segment.ByteCount, new CategoryTable());
        batch.MarkWrite(new WriteMark(1, 2, 3));
        batch.Refuse(4, DropReason.DiskLow);
        batch.Refuse(6, DropReason.DiskLow);
        Assert.Equal("1 \n2 \n3 \n4 \n6 \n7 \n9 \n10 \n", Encoding.UTF8.GetString(batch.Bytes.Span));
        Assert.Equal(before, segment.Memory.Bytes.Span[..segment.ByteCount].ToArray());
        batch.Advance("1 \n2 \n3 \n4 \n6".Length);
        batch.MarkWrite(new WriteMark(1, 2, 17));
        Assert.Equal((new WriteMark(1, 2, 17), 5, 1), segment.Memory.LastMark);
        var next = Restart(new BrokenSink());
        Assert.Equal((1 + 4 + 2, 1 + 4), (next.Status.Enqueued, next.Status.Recovered));
        Assert.Equal([new DropCount(DropReason.DiskLow, LogLevel.Information, 2)], next.Status.Drops);
        next.AssertCounters(7);
    }

    [Fact]
    public unsafe void A_mark_that_is_being_written_leaves_the_one_before()
    {
        var memory = new SegmentMemory(4, 64) { Sequence = 1 };
        Assert.Null(memory.LastMark);
        memory.Mark(new WriteMark(1, 2, 3), 4, 5);
        var before = Header().ToArray();
        memory.Mark(new WriteMark(6, 7, 8), 9, 10);
        Assert.Equal((new WriteMark(6, 7, 8), 9, 10), memory.LastMark);
        // A kill before the number of the second mark: its bytes are there, in whole or in part.
        before.AsSpan(NumberOfMarks, sizeof(long)).CopyTo(Header()[NumberOfMarks..]);
        Assert.Equal((new WriteMark(1, 2, 3), 4, 5), memory.LastMark);
        memory.Sequence = 2;
        Assert.Null(memory.LastMark);

        Span<byte> Header() => new((byte*)memory.StatePointer - StateWordAt, SegmentMemory.HeaderLength);
    }

    public void Dispose() => _processes.ForEach(static process => process.Dispose());

    private Process Start(ILogSink sink, MemoryDisk? disk = null, string wire = "lines", string application = "Shop", string first = "Test", Action<TestOptions>? configure = null, Action<AsyncLogOptions>? process = null)
    {
        var started = new Process(_files, sink, disk, wire, application, first, configure, process);
        _processes.Add(started);
        return started;
    }

    // After a kill: what the processes before do from now on has no effect.
    private Process Restart(ILogSink sink, MemoryDisk? disk = null, string wire = "lines", string application = "Shop", string first = "Test")
    {
        _files = _files.Restart();
        return Start(sink, disk, wire, application, first);
    }

    /// <summary>Takes nothing.</summary>
    private sealed class BrokenSink : ILogSink
    {
        public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken) => throw new LogSinkException("refused", "nobody listens");

        public ValueTask DisposeAsync() => default;
    }

    private sealed class Process : IDisposable
    {
        private bool _isDisposed;

        public Process(MemoryCrashFiles files, ILogSink sink, MemoryDisk? disk, string wire, string application, string first, Action<TestOptions>? configure, Action<AsyncLogOptions>? process)
        {
            Pipeline = new TestPipeline(
                sink,
                options =>
                {
                    options.CrashBuffer = true;
                    options.MaxQueueMemory = 512 << 10;
                    options.ShutdownTimeout = TimeSpan.Zero;
                    options.QueueFullMode = QueueFullMode.Wait;
                    options.SpoolPath = disk is null ? null : "/spool";
                    configure?.Invoke(options);
                },
                process: options =>
                {
                    options.CrashBufferPath = "/crash";
                    process?.Invoke(options);
                },
                type: new TestDefinition<TestOptions>("test", (_, _) => sink) { Wire = _ => wire, Retry = new Backoff(TimeSpan.FromMilliseconds(5), TimeSpan.FromMilliseconds(5)) },
                services: services =>
                {
                    services.AddSingleton<ICrashFiles>(files);
                    services.AddSingleton<Microsoft.Extensions.Hosting.IHostEnvironment>(new Environment(application));
                    if (disk is not null)
                        services.AddSingleton<ISpoolFiles>(disk);
                });
            Logger = Pipeline.Factory.CreateLogger(first);
        }

        public TestPipeline Pipeline { get; }

        public ILogger Logger { get; }

        public SinkStatus Status => Pipeline.Status;

        public SegmentQueue Queue => ((TestLoggerProvider)Pipeline.Provider).Find("test/default")!.Instance.Pipeline!.Queue;

        public static IEnumerable<int> NumbersOf(TestSink sink)
            => sink.Records.Select(static line => line.Split(' ')).Where(static words => words is [_, ""]).Select(static words => int.Parse(words[0], CultureInfo.InvariantCulture));

        public void Log(int from, int count)
        {
            for (var number = from; number < from + count; number++)
                Logger.LogInformation("{Number} ", number);
        }

        public void AssertCounters(long offered) => Counters.AssertAddUp(Status, offered);

        public void Dispose()
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
            Pipeline.Dispose();
        }

        private sealed class Environment(string application) : Microsoft.Extensions.Hosting.IHostEnvironment
        {
            public string EnvironmentName { get; set; } = "Test";

            public string ApplicationName { get; set; } = application;

            public string ContentRootPath { get; set; } = "/srv/shop";

            public Microsoft.Extensions.FileProviders.IFileProvider ContentRootFileProvider { get; set; } = new Microsoft.Extensions.FileProviders.NullFileProvider();
        }
    }
}
