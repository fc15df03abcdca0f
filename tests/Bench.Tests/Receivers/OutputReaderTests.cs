using System.Diagnostics;
using System.IO.Pipes;
using System.Text;

namespace AsyncLog.Tests.Receivers;

public sealed class OutputReaderTests : IDisposable
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(30);

    private readonly AnonymousPipeServerStream _application = new(PipeDirection.Out);
    private readonly AnonymousPipeClientStream _pipe;

    public OutputReaderTests() => _pipe = new AnonymousPipeClientStream(PipeDirection.In, _application.ClientSafePipeHandle);

    public void Dispose()
    {
        _pipe.Dispose();
        _application.Dispose();
    }

    [Theory]
    [InlineData(OutputReaderKind.Reading)]
    [InlineData(OutputReaderKind.Stopping)]
    [InlineData(OutputReaderKind.Never)]
    public void Every_line_is_counted_also_across_reads(object kind)
    {
        using var reader = new OutputReader(_pipe, (OutputReaderKind)kind);
        foreach (var part in (string[])["one\ntw", "o\n", "\nfour\n", "five"])
            _application.Write(Encoding.UTF8.GetBytes(part));
        _application.Dispose();
        Assert.Equal(4, reader.ReadToEnd());
    }

    [Fact]
    public async Task A_reader_that_never_reads_leaves_the_pipe_full_until_it_reads_on()
    {
        using var reader = new OutputReader(_pipe, OutputReaderKind.Never);
        var write = Task.Run(() => _application.Write(Lines(10_000)), TestContext.Current.CancellationToken);
        await Assert.ThrowsAsync<TimeoutException>(() => write.WaitAsync(TimeSpan.FromMilliseconds(100), TestContext.Current.CancellationToken));
        reader.ReadOn();
        await write.WaitAsync(Deadline, TestContext.Current.CancellationToken);
        _application.Dispose();
        Assert.Equal(10_000, reader.ReadToEnd());
    }

    [Fact]
    public void A_reader_that_stops_makes_the_application_wait_and_loses_nothing()
    {
        using var reader = new OutputReader(_pipe, OutputReaderKind.Stopping);
        var lines = Lines(100);
        var writes = 0;
        var start = Stopwatch.GetTimestamp();
        var longest = TimeSpan.Zero;
        while (longest < TimeSpan.FromMilliseconds(150) && Stopwatch.GetElapsedTime(start) < Deadline)
        {
            var before = Stopwatch.GetTimestamp();
            _application.Write(lines);
            writes++;
            var took = Stopwatch.GetElapsedTime(before);
            longest = took > longest ? took : longest;
        }

        _application.Dispose();
        Assert.InRange(longest, TimeSpan.FromMilliseconds(150), Deadline);
        Assert.Equal(writes * 100, reader.ReadToEnd());
    }

    private static byte[] Lines(int count) => Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat("0123456789\n", count)));
}
