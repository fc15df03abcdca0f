using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Real requests of HttpClientFactory, logged at Trace with their headers.</summary>
public sealed class HttpClientHeadersTests
{
    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    [InlineData("Text")]
    public async Task A_header_that_HttpClientFactory_redacts_is_in_no_record(string format)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options =>
        {
            (options.Format, options.Template) = (format, format == "Text" ? "{Message}|{Properties}{NewLine}" : null);
            options.LogLevel["Default"] = LogLevel.Trace;
        });
        await HeaderRequest.Send(pipeline.Factory);
        Assert.True(await pipeline.Flush());
        Assert.Contains(sink.Records, static record => record.Contains("Authorization: *", StringComparison.Ordinal));
        Assert.Contains(sink.Records, static record => record.Contains("Set-Cookie: *", StringComparison.Ordinal));
        Assert.All(sink.Records, static record => Assert.DoesNotContain(HeaderRequest.Secret, record, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_header_state_that_a_wrapper_passes_on_as_an_object_or_as_its_pairs_has_no_properties_either(bool asPairs)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => (options.Format, options.Template, options.LogLevel["Default"]) = ("Json", null, LogLevel.Trace));
        using var wrapping = LoggerFactory.Create(builder => builder.SetMinimumLevel(LogLevel.Trace).AddProvider(new WrappingProvider(pipeline.Factory, asPairs)));
        await HeaderRequest.Send(wrapping);
        Assert.True(await pipeline.Flush());
        var withHeaders = sink.Records
            .Where(static record => record.Contains("Set-Cookie: *", StringComparison.Ordinal) || record.Contains("Authorization: *", StringComparison.Ordinal)).ToList();
        // Of the pipeline and of the handler, of the request and of the answer.
        Assert.Equal(4, withHeaders.Count);
        Assert.All(withHeaders, static record => Assert.DoesNotContain("\"State\"", record, StringComparison.Ordinal));
        Assert.InRange(sink.Records.Count, 4, int.MaxValue);
        Assert.All(sink.Records, static record => Assert.DoesNotContain(HeaderRequest.Secret, record, StringComparison.Ordinal));
    }

    private sealed class WrappingProvider(ILoggerFactory inner, bool asPairs) : ILoggerProvider
    {
        public ILogger CreateLogger(string categoryName) => new WrappingLogger(inner.CreateLogger(categoryName), asPairs);

        public void Dispose()
        {
            // The factory is the test's.
        }
    }

    private sealed class WrappingLogger(ILogger inner, bool asPairs) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => inner.BeginScope(state);

        public bool IsEnabled(LogLevel logLevel) => inner.IsEnabled(logLevel);

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (asPairs && state is IEnumerable<KeyValuePair<string, object?>> pairs)
                inner.Log(logLevel, eventId, pairs.ToList(), exception, (_, fault) => formatter(state, fault));
            else
                inner.Log<object?>(logLevel, eventId, state, exception, (_, fault) => formatter(state, fault));
        }
    }
}
