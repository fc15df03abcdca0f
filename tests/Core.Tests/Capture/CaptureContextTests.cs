using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

public sealed class CaptureContextTests
{
    private readonly CapturingLogger _logger = new();

    [Theory]
    [InlineData(1, 0)]
    [InlineData(3, 0)]
    [InlineData(4, 1)]
    [InlineData(1000, 1)]
    public void A_logger_used_while_rendering_gets_its_own_event_down_to_depth_four(int depth, int reentrant)
    {
        _logger.LogInformation("outer {Value} end {Second}", new LoggingValue(_logger, depth), 2);
        Assert.Equal($"outer logged {depth} end 2", _logger.Message);
        Assert.Equal(reentrant, _logger.Reentrant);
    }

    [Fact]
    public void Leaving_gives_the_same_event_to_the_next_call()
    {
        var context = CaptureContext.Current;
        Assert.True(context.TryEnter());
        var first = context.Event;
        context.Exit();
        Assert.True(context.TryEnter());
        var second = context.Event;
        context.Exit();
        Assert.Same(first, second);
        Assert.Same(first.Record, second.Record);
    }

    [Fact]
    public void Nothing_of_a_call_is_kept()
    {
        var references = Log();
        Assert.Equal("m System.Object " + new string('x', 100), _logger.Message);
        for (var i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Assert.Equal([false, false, false, false, false], references.Select(static reference => reference.IsAlive));
    }

    [Fact]
    public void Contexts_are_freed_with_their_threads()
    {
        var references = new List<WeakReference>();
        for (var i = 0; i < 50; i++)
        {
            var thread = new Thread(() =>
            {
                _logger.LogInformation("m {A}", 1);
                references.Add(new WeakReference(CaptureContext.Current));
            });
            thread.Start();
            thread.Join();
        }
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        // The last thread may still be known to the runtime.
        Assert.Equal(50, references.Count);
        Assert.True(references.Count(reference => reference.IsAlive) <= 2);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference[] Log()
    {
        var value = new object();
        var scope = new List<KeyValuePair<string, object?>> { new("s", new object()) };
        var exception = new IOException("x");
        var text = new string('x', 100);
        using (_logger.BeginScope(scope))
            _logger.LogError(exception, "m {A} {B}", value, text);
        return [new(value), new(scope), new(exception), new(text), new(scope[0].Value)];
    }

    private sealed class LoggingValue(ILogger logger, int depth)
    {
        public override string ToString()
        {
            logger.LogInformation("inner {Value} and some text that would damage a shared buffer", depth == 1 ? "x" : new LoggingValue(logger, depth - 1));
            return $"logged {depth}";
        }
    }
}
