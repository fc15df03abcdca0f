using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The standard streams of Windows, over a handle of the test.</summary>
public sealed class WindowsStreamTests
{
    private const int InvalidHandle = 6;
    private const int NotEnoughMemory = 8;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public void A_service_without_a_console_is_a_failure_that_says_how_to_end_it()
    {
        var failure = Assert.Throws<LogSinkException>(static () => Write(new Handle { Error = InvalidHandle }, "line\n"));

        Assert.Equal(("closed", true, true), (failure.ErrorType, failure.IsPermanent, failure.IsGone));
        Assert.Equal("standard output is not open: a Windows service has no console; set Enabled to false there", failure.Message);
    }

    [Theory]
    [InlineData("line\n", 3, 3)]
    [InlineData("grün\n", 3, 4)]
    [InlineData("日本\n", 1, 3)]
    [InlineData("a😀b\n", 3, 5)]
    [InlineData("a😀b\n", 2, 5)]
    public void What_a_console_shows_of_a_text_counts_as_written_and_is_not_shown_again(string text, int shown, int bytes)
    {
        var console = new Handle { IsTerminal = true, Limit = shown };

        Assert.Equal(bytes, Write(console, text));
        Assert.Equal(text[..shown], console.Written);
    }

    [Fact]
    public void A_console_that_fails_after_a_part_shows_each_record_once()
    {
        var console = new Handle { IsTerminal = true, Limit = 10 };
        var sink = new ConsoleSink(
            new WindowsStream(console, "standard output"), new WindowsStream(console, "standard error"), LogLevel.None, new SinkContext("console/test"));
        string[] lines = ["first line\n", "second line\n", "third line\n"];
        var batch = LogBatch.Create([.. lines.Select(static line => new BatchRecord(Encoding.UTF8.GetBytes(line), LogLevel.Information, DateTimeOffset.UnixEpoch, "Test"))]);
        console.FailsAfter = 2;

        var failure = Assert.Throws<LogSinkException>(() => sink.WriteAsync(batch, Cancelled).AsTask().GetAwaiter().GetResult());
        console.FailsAfter = int.MaxValue;
        sink.WriteAsync(batch, Cancelled).AsTask().GetAwaiter().GetResult();

        Assert.Equal("other", failure.ErrorType);
        Assert.Equal(string.Concat(lines), console.Written);
    }

    private static int Write(Handle handle, string text) => new WindowsStream(handle, "standard output").Write(Encoding.UTF8.GetBytes(text), TimeProvider.System, Cancelled);

    private sealed class Handle : IStandardHandle
    {
        private readonly StringBuilder _written = new();
        private int _writes;

        public bool IsTerminal { get; init; }

        public bool ShowsColors => IsTerminal;

        /// <summary>What each write fails with; 0: it does not.</summary>
        public int Error { get; init; }

        /// <summary>The most characters of one write.</summary>
        public int Limit { get; init; } = int.MaxValue;

        /// <summary>Writes that succeed; later ones fail.</summary>
        public int FailsAfter { get; set; } = int.MaxValue;

        public string Written => _written.ToString();

        public int Write(ReadOnlySpan<char> text, out int written)
        {
            written = 0;
            if (Error != 0 || _writes++ >= FailsAfter)
                return Error != 0 ? Error : NotEnoughMemory;
            written = Math.Min(text.Length, Limit);
            _written.Append(text[..written]);
            return 0;
        }

        public int Write(ReadOnlySpan<byte> bytes, out int written) => Write(Encoding.UTF8.GetString(bytes), out written);
    }
}
