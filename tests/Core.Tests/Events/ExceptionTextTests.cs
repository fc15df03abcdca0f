using AsyncLog.Tests.Capture;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

public sealed class ExceptionTextTests
{
    private const int Deep = 100_000;
    private const int Longest = 1 << 20;
    private readonly CapturingLogger _logger = new();

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
        Assert.StartsWith($"System.InvalidOperationException: level {Deep - 1}", text);
        Assert.Contains("inner exceptions left out", text, StringComparison.Ordinal);
        Assert.True(text.Length < Longest);
    }

    [Fact]
    public void Aggregates_inside_aggregates_are_shortened()
    {
        var exception = new AggregateException(new Exception("innermost"));
        for (var i = 0; i < 10_000; i++)
            exception = new AggregateException("x", exception);
        Assert.Contains("System.AggregateException (1 inner exceptions)", Log(exception), StringComparison.Ordinal);
    }

    [Fact]
    public void An_aggregate_of_thousands_is_shortened()
    {
        var text = Log(new AggregateException(Enumerable.Range(0, 10_000).Select(i => new IOException($"part {i}"))));
        Assert.StartsWith("System.AggregateException (10000 inner exceptions)", text);
        Assert.Contains("System.IO.IOException: part 0", text, StringComparison.Ordinal);
        Assert.True(text.Length < Longest);
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
        Assert.StartsWith("AsyncLog.Tests.Capture.BadException: <error: AsyncLog.Tests.Capture.BadException>", Log(exception));
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

    private string Log(Exception exception)
    {
        _logger.LogError(exception, "m");
        return _logger.ExceptionText!;
    }
}
