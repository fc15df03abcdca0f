using System.Diagnostics;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The sink against real descriptors.</summary>
public sealed class StandardStreamTests
{
    private static readonly DateTimeOffset Now = new(2026, 11, 22, 12, 0, 0, TimeSpan.Zero);

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_batch_comes_out_of_a_pipe_in_order_and_whole()
    {
        using var pipe = Descriptors.Pipe();
        var (batch, text) = BatchOf(Enumerable.Range(1, 2_000).Select(static number => $"line {number}\n"));
        var read = pipe.ReadUntil("line 2000\n");

        await SinkOf(pipe).WriteAsync(batch, Cancelled);

        Assert.Equal(0, batch.Count);
        Assert.Equal(text, await read);
    }

    [Fact]
    public async Task A_record_longer_than_the_pipe_comes_out_whole()
    {
        using var pipe = Descriptors.Pipe();
        var (batch, text) = BatchOf([new string('x', 300_000) + "\n", "end\n"]);
        var read = pipe.ReadUntil("end\n");

        await SinkOf(pipe).WriteAsync(batch, Cancelled);

        Assert.Equal(text, await read);
    }

    [Theory]
    [InlineData("pipe")]
    [InlineData("non-blocking pipe")]
    [InlineData("socket")]
    [InlineData("terminal")]
    public async Task A_reader_that_stops_makes_the_write_fail_after_a_second_and_nothing_is_lost_or_doubled_when_it_goes_on(string kind)
    {
        using var descriptors = kind switch { "socket" => Descriptors.Socket(), "terminal" => Descriptors.Terminal(), _ => Descriptors.Pipe() };
        if (kind == "non-blocking pipe")
            descriptors.MakeNonBlocking();
        if (kind == "terminal")
            descriptors.StopTerminal();
        var time = new SteppingClock();
        var sink = SinkOf(descriptors, time);
        var (batch, text) = BatchOf(Enumerable.Range(1, 30_000).Select(static number => $"a line that is a little longer {number}\n"));

        // The first attempt fills the stream; the second one writes nothing.
        await Assert.ThrowsAsync<LogSinkException>(Write);
        var left = batch.Bytes.Length;
        time.Stamps.Clear();
        var failure = await Assert.ThrowsAsync<LogSinkException>(Write);

        Assert.Equal(("timeout", false), (failure.ErrorType, failure.IsPermanent));
        Assert.Equal(TimeSpan.FromSeconds(1).Ticks, time.Stamps[^1] - time.Stamps[0]);
        Assert.InRange(batch.Count, 1, 30_000);
        Assert.Equal(left, batch.Bytes.Length);
        if (kind == "terminal")
            descriptors.ResumeTerminal();
        // A terminal returns the carriage, too.
        var lineEnd = kind == "terminal" ? "\r\n" : "\n";
        var read = descriptors.ReadUntil("30000" + lineEnd);
        await sink.WriteAsync(batch, Cancelled);
        Assert.Equal(text.Replace("\n", lineEnd, StringComparison.Ordinal), await read);

        // On a thread of its own: a write that never came back would hold the test.
        Task Write() => Task.Factory
            .StartNew(() => sink.WriteAsync(batch, Cancelled).AsTask(), Cancelled, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            .Unwrap().WaitAsync(TimeSpan.FromSeconds(30), Cancelled);
    }

    [Fact]
    public async Task The_wait_for_a_reader_ends_with_the_shutdown_budget()
    {
        using var pipe = Descriptors.Pipe();
        var (batch, _) = BatchOf(Enumerable.Repeat("a line that fills the pipe in the end\n", 30_000));
        using var budget = new CancellationTokenSource(TimeSpan.FromMilliseconds(100));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await SinkOf(pipe, new FakeTimeProvider()).WriteAsync(batch, budget.Token));

        Assert.True(batch.Count > 0);
    }

    [Fact]
    public async Task A_pipe_without_a_reader_cannot_come_back()
    {
        using var pipe = Descriptors.Pipe();
        pipe.CloseReader();
        var (batch, _) = BatchOf(["line\n"]);

        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await SinkOf(pipe).WriteAsync(batch, Cancelled));

        Assert.Equal(("broken_pipe", false, true, 1), (failure.ErrorType, failure.IsPermanent, failure.IsGone, batch.Count));
    }

    [Fact]
    [OnLinux("the size of its pipes")]
    public async Task The_64_KB_that_a_pipe_holds_are_lost_after_they_were_written_when_the_reader_exits()
    {
        using var pipe = Descriptors.Pipe();
        // 1,024 lines of 64 bytes.
        var (batch, _) = BatchOf(Enumerable.Range(0, 1024).Select(static number => $"{number:0000} {new string('x', 58)}\n"));
        await SinkOf(pipe).WriteAsync(batch, Cancelled);
        Assert.Equal(0, batch.Count);

        pipe.CloseReader();
        var (next, _) = BatchOf(["next\n"]);
        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await SinkOf(pipe).WriteAsync(next, Cancelled));

        Assert.Equal(("broken_pipe", 1), (failure.ErrorType, next.Count));
    }

    [Fact]
    public async Task A_named_pipe_without_a_reader_may_get_another_one()
    {
        using var folder = new TempFolder();
        var path = folder.File("fifo");
        using (var make = new ChildProgram("mkfifo", [path], folder.Path))
            Assert.Equal(0, await make.Ended());
        using var both = Descriptors.Of(path);
        using var writer = Descriptors.ForWriting(path);
        both.CloseWriter();
        var (batch, _) = BatchOf(["line\n"]);

        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await SinkOf(writer).WriteAsync(batch, Cancelled));

        Assert.Equal(("broken_pipe", false, 1), (failure.ErrorType, failure.IsGone, batch.Count));
    }

    [Fact]
    public async Task The_next_reader_of_a_named_pipe_gets_what_comes_then()
    {
        using var folder = new TempFolder();
        var path = folder.File("fifo");
        using (var make = new ChildProgram("mkfifo", [path], folder.Path))
            Assert.Equal(0, await make.Ended());
        using var keeper = Descriptors.Of(path);
        var sink = SinkOf(keeper);
        var (batch, text) = BatchOf(["for the next reader\n"]);

        await sink.WriteAsync(batch, Cancelled);

        using var reader = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
        Assert.Equal(text, await reader.ReadLineAsync(Cancelled) + "\n");
    }

    [Fact]
    public async Task A_full_device_is_no_space()
    {
        using var full = Descriptors.Of("/dev/full");
        var (batch, _) = BatchOf(["line\n"]);

        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await SinkOf(full).WriteAsync(batch, Cancelled));

        Assert.Equal(("no_space", false, 1), (failure.ErrorType, failure.IsGone, batch.Count));
    }

    [Fact]
    public async Task A_file_gets_the_batch()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("out"), "", Cancelled);
        using var file = Descriptors.Of(folder.File("out"));
        var (batch, text) = BatchOf(Enumerable.Range(1, 2_000).Select(static number => $"line {number}\n"));

        await SinkOf(file).WriteAsync(batch, Cancelled);

        Assert.Equal(text, await File.ReadAllTextAsync(folder.File("out"), Cancelled));
    }

    [Fact]
    public async Task A_descriptor_that_the_process_opened_itself_is_not_the_standard_stream()
    {
        using var pipe = Descriptors.Pipe();
        pipe.CloseOnExecution();
        var (batch, _) = BatchOf(["line\n"]);

        var failure = await Assert.ThrowsAsync<LogSinkException>(async () => await SinkOf(pipe).WriteAsync(batch, Cancelled));

        Assert.Equal(("closed", true, true), (failure.ErrorType, failure.IsPermanent, failure.IsGone));
    }

    [Fact]
    public async Task Records_from_ErrorLevel_on_go_to_the_other_stream_each_in_its_order()
    {
        using var output = Descriptors.Pipe();
        using var error = Descriptors.Pipe();
        var sink = new ConsoleSink(Descriptors.StreamOf(output), Descriptors.StreamOf(error), LogLevel.Error, new SinkContext("console/test"));
        LogLevel[] levels = [LogLevel.Information, LogLevel.Error, LogLevel.Warning, LogLevel.Critical, LogLevel.Critical, LogLevel.Debug];
        var batch = LogBatch.Create([.. levels.Select(static (level, index) => new BatchRecord(Encoding.UTF8.GetBytes($"{index} {level}\n"), level, Now, "Test"))]);

        await sink.WriteAsync(batch, Cancelled);

        Assert.Equal("0 Information\n2 Warning\n5 Debug\n", output.ReadSome());
        Assert.Equal("1 Error\n3 Critical\n4 Critical\n", error.ReadSome());
    }

    [Fact]
    public async Task Lines_below_4096_bytes_of_two_writers_of_one_pipe_stay_whole()
    {
        const int lines = 1_500;
        using var pipe = Descriptors.Pipe();
        var read = pipe.ReadUntil("the end\n");
        await Task.WhenAll(Task.Run(() => WriteLines('a'), Cancelled), Task.Run(() => WriteLines('b'), Cancelled));
        await SinkOf(pipe).WriteAsync(BatchOf(["the end\n"]).Batch, Cancelled);

        var got = (await read).Split('\n');

        Assert.Equal((2 * lines) + 2, got.Length);
        Assert.Equal(LinesOf('a'), got.Where(static line => line.StartsWith('a')));
        Assert.Equal(LinesOf('b'), got.Where(static line => line.StartsWith('b')));
        Assert.Equal(["the end", ""], got[^2..]);

        // Letters, and how many there are.
        static IEnumerable<string> LinesOf(char letter) => Enumerable.Range(0, lines).Select(number =>
        {
            var length = 10 + (number * 37 % 4_000);
            return $"{new string(letter, length - 1 - $"{length}".Length)} {length}";
        });

        async Task WriteLines(char letter) => await SinkOf(pipe).WriteAsync(BatchOf(LinesOf(letter).Select(static line => line + "\n")).Batch, Cancelled);
    }

    [Fact]
    public async Task The_most_bytes_of_one_write_to_a_pipe_are_those_that_the_system_keeps_together()
    {
        using var pipe = Descriptors.Pipe();
        using var getconf = Process.Start(new ProcessStartInfo("getconf", ["PIPE_BUF", "/"]) { RedirectStandardOutput = true })!;

        var limit = int.Parse(await getconf.StandardOutput.ReadToEndAsync(Cancelled), CultureInfo.InvariantCulture);

        Assert.Equal(limit, Descriptors.StreamOf(pipe).MaxWrite);
    }

    [Theory]
    [InlineData(true, 4096)]
    [InlineData(false, 512)]
    public void The_most_bytes_of_one_write_to_a_pipe_are_512_where_the_system_is_not_Linux(bool isLinux, int limit) => Assert.Equal(limit, UnixStream.PipeBufferOf(isLinux));

    private static ConsoleSink SinkOf(Descriptors descriptors, TimeProvider? timeProvider = null) =>
        new(Descriptors.StreamOf(descriptors), Descriptors.StreamOf(descriptors), LogLevel.None, new SinkContext("console/test", timeProvider));

    private static (LogBatch Batch, string Text) BatchOf(IEnumerable<string> lines)
    {
        var records = lines.Select(static line => new BatchRecord(Encoding.UTF8.GetBytes(line), LogLevel.Information, Now, "Test")).ToArray();
        return (LogBatch.Create(records), string.Concat(records.Select(static record => Encoding.UTF8.GetString(record.Bytes.Span))));
    }

    // A quarter of a second passes from each look to the next.
    private sealed class SteppingClock : TimeProvider
    {
        private long _now;

        public List<long> Stamps { get; } = [];

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp()
        {
            _now += TimeSpan.TicksPerSecond / 4;
            Stamps.Add(_now);
            return _now;
        }
    }
}
