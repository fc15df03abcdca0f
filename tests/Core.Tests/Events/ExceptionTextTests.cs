using System.Text.Json;
using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

public sealed class ExceptionTextTests
{
    private const int Deep = 100_000;
    private const int Longest = 1 << 20;
    private readonly CapturingLogger _logger = new();

    // The event of a thread keeps the limit of the records that were rendered last.
    public ExceptionTextTests() => _logger.Look = static logEvent => logEvent.MaxRecordSize = 64 << 10;

    [Fact]
    public void An_ordinary_exception_is_its_own_text()
    {
        var exception = new InvalidOperationException("outer", new AggregateException(new IOException("a"), new FormatException("b")));
        Assert.Equal(exception.ToString(), Log(exception));
        Assert.Equal(0, _logger.RenderErrors);
    }

    [Fact]
    public void Without_an_exception_there_is_no_text()
    {
        _logger.LogInformation("m");
        Assert.Null(_logger.ExceptionText);
    }

    [Fact]
    public void An_exception_whose_members_throw_is_named()
    {
        Assert.Equal("<error: AsyncLog.Tests.Capture.BadException>", Log(new BadException()));
        Assert.Equal(1, _logger.RenderErrors);
    }

    [Fact]
    public void A_chain_100_000_deep_is_shortened()
    {
        var exception = new Exception("innermost");
        for (var i = 0; i < Deep; i++)
            exception = new InvalidOperationException($"level {i}", exception);
        var text = Log(exception);
        AssertShortened(
            text,
            $"System.InvalidOperationException: level {Deep - 1}\n ---> (innermost) System.Exception: innermost\n"
            + $" ---> System.InvalidOperationException: level {Deep - 2}\n",
            Deep);
    }

    [Fact]
    public void Aggregates_inside_aggregates_are_shortened()
    {
        var exception = new AggregateException(new Exception("innermost"));
        for (var i = 0; i < 10_000; i++)
            exception = new AggregateException("x", exception);
        var text = Log(exception);
        AssertShortened(
            text,
            "System.AggregateException (1 inner exceptions)\n ---> (innermost) System.Exception: innermost\n"
            + " ---> System.AggregateException (1 inner exceptions)\n",
            10_001);
    }

    [Fact]
    public void An_aggregate_of_thousands_is_shortened()
    {
        var text = Log(new AggregateException(Enumerable.Range(0, 10_000).Select(i => new IOException($"part {i}"))));
        AssertShortened(
            text,
            "System.AggregateException (10000 inner exceptions)\n ---> (innermost) System.IO.IOException: part 0\n ---> System.IO.IOException: part 1\n",
            10_000);
    }

    [Fact]
    public async Task Of_300_failed_tasks_every_one_is_in_the_record()
    {
        var record = await Write("Json", 64 << 10, new AggregateException(Enumerable.Range(0, 300).Select(static i => new IOException($"failure {i}."))));
        Assert.All(Enumerable.Range(0, 300), i => Assert.Contains($"failure {i}.", record, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Of_thousands_of_failed_tasks_as_many_as_fit_are_in_the_record_and_the_rest_is_counted()
    {
        var text = JsonDocument.Parse(await Write("Json", 16 << 10, new AggregateException(Enumerable.Range(0, 10_000).Select(static i => new IOException($"failure {i}.")))))
            .RootElement.GetProperty("Exception").GetString()!;
        var shown = Enumerable.Range(0, 10_000).TakeWhile(i => text.Contains($"failure {i}.", StringComparison.Ordinal)).Count();
        Assert.InRange(text.Length, (16 << 10) * 3 / 4, 16 << 10);
        Assert.InRange(shown, 200, 600);
        Assert.EndsWith($" ---> ... {10_000 - shown} inner exceptions left out", text);
    }

    [Theory]
    [InlineData("Text", 33, 64 << 10)]
    [InlineData("Json", 33, 64 << 10)]
    [InlineData("Clef", 1000, 64 << 10)]
    [InlineData("Text", 1000, 1024)]
    [InlineData("Json", 1000, 1024)]
    public async Task The_root_cause_of_a_deep_chain_is_in_the_record_whatever_the_size_of_the_others(string format, int depth, int limit)
    {
        Exception exception = new TimeoutException("the root cause");
        for (var level = 1; level < depth; level++)
            exception = new InvalidOperationException(new string('x', 20_000) + level, exception);
        Assert.Contains("System.TimeoutException: the root cause", await Write(format, limit, exception), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_deep_chain_that_fits_is_written_whole_the_innermost_second()
    {
        Exception exception = new TimeoutException("root");
        for (var level = 1; level <= 40; level++)
            exception = new IOException($"level {level}", exception);
        string[] expected =
        [
            "System.IO.IOException: level 40", " ---> (innermost) System.TimeoutException: root",
            .. Enumerable.Range(1, 39).Reverse().Select(static level => $" ---> System.IO.IOException: level {level}"),
        ];
        Assert.Equal(expected.Prepend("failed"), (await Write("Text", 64 << 10, exception)).Split('\n').Select(static line => line.StartsWith("  ", StringComparison.Ordinal) ? line[2..] : line));
    }

    [Fact]
    public void The_message_of_an_aggregate_that_contains_its_children_twice_is_their_number()
    {
        Exception exception = new IOException("innermost");
        for (var i = 0; i < 40; i++)
            exception = new AggregateException(exception, exception);
        Assert.Equal("(2 inner exceptions)", MessageOf(exception));
        Assert.Equal(0, _logger.RenderErrors);
    }

    [Fact]
    public void The_message_of_aggregates_100_000_deep_is_their_number()
    {
        Exception exception = new IOException("innermost");
        for (var i = 0; i < Deep; i++)
            exception = new AggregateException(exception);
        Assert.Equal("(1 inner exceptions)", MessageOf(exception));
    }

    [Fact]
    public void The_message_of_an_ordinary_exception_is_its_own()
    {
        Assert.Equal("both (a) (b)", MessageOf(new AggregateException("both", new IOException("a"), new FormatException("b"))));
        Assert.Equal("outer", MessageOf(new InvalidOperationException("outer", new IOException("inner"))));
    }

    [Fact]
    public void A_message_that_throws_is_a_placeholder_and_an_error()
    {
        var errors = 0;
        string? message = null;
        _logger.Look = logEvent => (message, errors) = (logEvent.ExceptionMessage, logEvent.RenderErrors);
        Log(new BadException());
        Assert.Equal(("<error: AsyncLog.Tests.Capture.BadException>", 1), (message, errors));
    }

    [Fact]
    public void Without_an_exception_there_is_no_message()
    {
        var message = "none was asked for";
        _logger.Look = logEvent => message = logEvent.ExceptionMessage;
        _logger.LogInformation("m");
        Assert.Null(message);
    }

    [Fact]
    public void Members_of_a_deep_chain_that_throw_leave_a_placeholder()
    {
        Exception exception = new BadException();
        for (var i = 0; i < 100; i++)
            exception = new BadException(exception);
        // The message and the stack trace of each.
        const string Text = "AsyncLog.Tests.Capture.BadException: <error: AsyncLog.Tests.Capture.BadException>\n<error: AsyncLog.Tests.Capture.BadException>";
        Assert.Equal(
            string.Concat(
                Enumerable.Range(0, 101).Select(static level => level switch { 0 => Text, 1 => "\n ---> (innermost) " + Text, _ => "\n ---> " + Text })),
            Log(exception).ReplaceLineEndings("\n"));
    }

    [Fact]
    public void A_stack_that_is_almost_used_up_still_gives_a_text()
    {
        string? text = null;
        var thread = new Thread(() => text = Dive(0), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.StartsWith("System.InvalidOperationException: deep", text);
        Assert.EndsWith("|(1 inner exceptions)", text);
    }

    // The text begins with these lines; each further exception is in it or counted as left out.
    private static void AssertShortened(string text, string first, int inner)
    {
        text = text.ReplaceLineEndings("\n");
        Assert.StartsWith(first, text, StringComparison.Ordinal);
        var lines = text.Split('\n');
        var shown = lines.Length - 2;
        Assert.InRange(shown, 100, inner - 1);
        Assert.Equal($" ---> ... {inner - shown} inner exceptions left out", lines[^1]);
        Assert.True(text.Length < Longest);
    }

    private string Dive(int depth)
    {
        if (System.Runtime.CompilerServices.RuntimeHelpers.TryEnsureSufficientExecutionStack())
            return Dive(depth + 1);
        var logEvent = new LogEvent();
        return ExceptionText.Of(new InvalidOperationException("deep", new IOException("inner")), logEvent)
            + "|" + ExceptionText.MessageOf(new AggregateException("deep", new IOException("inner")), logEvent);
    }

    private string? MessageOf(Exception exception)
    {
        string? message = null;
        _logger.Look = logEvent => message = logEvent.ExceptionMessage;
        Log(exception);
        return message;
    }

    private static async Task<string> Write(string format, int limit, Exception exception)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(
            sink, options => (options.Format, options.Template, options.MaxRecordSize) = (format, format == "Text" ? "{Message}{NewLine}{Exception}" : null, limit));
        pipeline.Logger.LogError(exception, "failed");
        Assert.True(await pipeline.Flush());
        return Assert.Single(sink.Records);
    }

    private string Log(Exception exception)
    {
        _logger.LogError(exception, "m");
        return _logger.ExceptionText!;
    }
}
