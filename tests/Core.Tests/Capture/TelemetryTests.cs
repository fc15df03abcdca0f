using System.Collections;
using System.Diagnostics;
using System.Text.Json;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Tests.Capture;

/// <summary>Behind Microsoft.Extensions.Telemetry. Its packages cannot be restored here, so doubles stand for its factory, its buffer and its scopes.</summary>
public sealed class TelemetryTests
{
    private const string Type = "System.Collections.Generic.KeyNotFoundException";
    private const string Frames = "   at Shop.Cart.Add()";
    private static readonly string Told = $"{Type}: No such item{Environment.NewLine}{Frames}";

    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    [InlineData("Text")]
    public async Task An_empty_exception_of_a_buffered_record_is_none(string format)
    {
        var record = await Write(format, logger => logger.LogRecords([new Buffered("")]));
        Assert.EndsWith(
            format switch
            {
                "Json" => ",\"Message\":\"order failed\"}",
                "Clef" => ",\"@m\":\"order failed\",\"SourceContext\":\"Shop\"}",
                _ => "order failed||",
            },
            record, StringComparison.Ordinal);
    }

    [Fact]
    public void An_empty_exception_is_none_for_a_formatter()
    {
        var logEvent = new LogEvent();
        BufferedEvents.Read(new Buffered(""), LogLevel.Error, 0, new LogCategory("C"), 4096, logEvent);
        Assert.False(logEvent.HasException);
        Assert.Null(logEvent.ExceptionText);
        Assert.Null(logEvent.ExceptionStackTrace);
    }

    [Theory]
    [InlineData("Json", "Exception")]
    [InlineData("Clef", "@x")]
    public async Task The_exception_of_a_buffered_record_is_made_of_its_attributes_and_told_once(string format, string field)
    {
        var record = await Write(format, logger => logger.LogRecords([new Buffered("No such item", new("exception.type", Type), new("Id", 7), new("exception.stacktrace", Frames))]));
        using var json = JsonDocument.Parse(record);
        Assert.Equal(Told, json.RootElement.GetProperty(field).GetString());
        Assert.Equal(1, Count(record, Type));
        Assert.DoesNotContain("exception.", record, StringComparison.Ordinal);
        Assert.Contains("\"Id\":7", record, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_text_of_a_buffered_record_has_type_and_stack_once()
    {
        var record = await Write("Text", logger => logger.LogRecords([new Buffered("No such item", new("exception.type", Type), new("Id", 7), new("exception.stacktrace", Frames))]));
        Assert.Equal($"order failed|Id=7|  {Type}: No such item\n     at Shop.Cart.Add()", record);
    }

    [Fact]
    public async Task A_stack_trace_that_begins_with_type_and_message_is_the_whole_text()
    {
        var stack = $"{Type}: No such item\n{Frames}";
        var record = await Write("Json", logger => logger.LogRecords([new Buffered("No such item", new("exception.type", Type), new("exception.message", "No such item"), new("exception.stacktrace", stack))]));
        using var json = JsonDocument.Parse(record);
        Assert.Equal(stack, json.RootElement.GetProperty("Exception").GetString());
    }

    [Fact]
    public async Task A_stack_trace_without_the_message_gets_it()
    {
        var record = await Write("Json", logger => logger.LogRecords([new Buffered("No such item", new("exception.type", Type), new("exception.stacktrace", $"{Type}: \n{Frames}"))]));
        using var json = JsonDocument.Parse(record);
        Assert.Equal(Told, json.RootElement.GetProperty("Exception").GetString());
    }

    [Fact]
    public async Task An_exception_with_an_empty_message_is_there_by_its_attributes()
    {
        var record = await Write("Json", logger => logger.LogRecords([new Buffered("", new KeyValuePair<string, object?>("exception.type", Type))]));
        using var json = JsonDocument.Parse(record);
        Assert.Equal(Type, json.RootElement.GetProperty("Exception").GetString());
    }

    [Fact]
    public async Task An_exception_of_the_call_is_written_as_it_is_whatever_the_attributes_say_of_it()
    {
        var fault = new Coded("outer", new FormatException("inner"));
        using var joiner = new Joiner(withText: false, new("exception.type", typeof(Coded).FullName!), new("exception.message", "outer"), new("exception.stacktrace", Frames), new("Id", 7));
        var record = await Write("Json", logger => joiner.Log((ILogger)logger, fault));
        using var json = JsonDocument.Parse(record);
        Assert.Equal("Coded (0x80004005): outer ---> inner", json.RootElement.GetProperty("Exception").GetString());
        Assert.Equal(["Id"], json.RootElement.GetProperty("State").EnumerateObject().Select(member => member.Name));
    }

    [Fact]
    public async Task Names_of_exceptions_are_ordinary_properties_where_there_is_none()
    {
        using var joiner = new Joiner(withText: true, new KeyValuePair<string, object?>("exception.type", "Shop.Gone"));
        var record = await Write("Json", logger => joiner.Log((ILogger)logger, null));
        Assert.Contains("\"exception.type\":\"Shop.Gone\"", record, StringComparison.Ordinal);
        Assert.DoesNotContain("\"Exception\"", record, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    public async Task The_activity_scope_of_another_factory_does_not_repeat_the_ids(string format)
    {
        using var activity = new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();
        var record = await Write(format, logger => ((ILogger)logger).LogInformation("m"), new TrackingProvider());
        Assert.Equal(1, Count(record, activity.SpanId.ToHexString()));
        Assert.Equal(1, Count(record, activity.TraceId.ToHexString()));
        Assert.DoesNotContain("ParentId", record, StringComparison.Ordinal);
        Assert.DoesNotContain("Scope", record, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_activity_scope_stays_where_nothing_else_has_its_ids()
    {
        using var activity = new Activity("request").SetIdFormat(ActivityIdFormat.Hierarchical).Start();
        var record = await Write("Json", logger => ((ILogger)logger).LogInformation("m"), new TrackingProvider());
        using var json = JsonDocument.Parse(record);
        var scope = Assert.Single(json.RootElement.GetProperty("Scopes").EnumerateArray());
        Assert.Equal("s1", scope.GetProperty("SpanId").GetString());
        Assert.Equal("t1", scope.GetProperty("TraceId").GetString());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_joined_state_is_read_before_it_is_cleared(bool withText)
    {
        using var joiner = new Joiner(withText, new("Id", 7), new("tag", new Redacted()), new("Id", 8), new("{OriginalFormat}", "Item {Id}"));
        var record = await Write("Json", logger => joiner.Log((ILogger)logger, null));
        Assert.Contains("\"Message\":\"joined 4\"", record, StringComparison.Ordinal);
        // Names may repeat: the last counts. A redacted value is its own text.
        Assert.Contains("\"State\":{\"tag\":\"*****\",\"Id\":8,\"{OriginalFormat}\":\"Item {Id}\"}", record, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_struct_of_the_caller_that_arrives_boxed_is_read_as_a_list()
    {
        var record = await Write("Json", logger => ((ILogger)logger).Log<object>(LogLevel.Information, default, new PairState("a", 1), null, static (state, _) => state.ToString()!));
        Assert.Contains("\"Message\":\"pair\",\"State\":{\"a\":1}", record, StringComparison.Ordinal);
    }

    [Fact]
    public void Whatever_the_records_do_nothing_reaches_the_caller_and_each_fault_leaves_a_record()
    {
        var sink = new TestSink();
        using (var pipeline = new TestPipeline(sink, options => options.LogLevel["Default"] = LogLevel.Warning))
        {
            var logger = (IBufferedLogger)pipeline.Provider.CreateLogger("Shop");
            logger.LogRecords([new Buffered("") { Said = "first" }, new Unreadable(), null!, new Buffered("") { Said = "quiet", At = LogLevel.Information }, new Buffered("") { Said = "last" }]);
            logger.LogRecords(Throwing());
            logger.LogRecords(null!);
        }
        Assert.Equal(
            [
                "first", "<error formatting message: System.InvalidOperationException>", "<error formatting message: System.NullReferenceException>", "last",
                "before", "<error formatting message: System.IO.IOException>", "<error formatting message: System.NullReferenceException>",
            ],
            sink.Records);
    }

    [Fact]
    public async Task A_record_that_cannot_be_read_is_counted_as_a_render_error()
    {
        using var pipeline = new TestPipeline(new TestSink());
        ((IBufferedLogger)pipeline.Provider.CreateLogger("Shop")).LogRecords([new Unreadable()]);
        Assert.True(await pipeline.Flush());
        Assert.Equal(1, pipeline.Status.RenderErrors);
        pipeline.AssertConservation(1);
    }

    [Theory]
    [InlineData(5, ",\"State\":{\"k0\":0,\"k1\":1}}")]
    [InlineData(1, ",\"State\":{\"k0\":0}}")]
    [InlineData(0, "}")]
    public async Task A_list_that_changes_its_count_is_asked_once(int then, string end)
    {
        var list = new MovingList(2, then);
        var record = await Write("Json", logger => ((ILogger)logger).Log<IReadOnlyList<KeyValuePair<string, object?>>>(LogLevel.Information, default, list, null, static (_, _) => "said"));
        Assert.Equal(1, list.Asked);
        Assert.EndsWith("\"Message\":\"said\"" + end, record, StringComparison.Ordinal);
    }

    private static async Task<string> Write(string format, Action<IBufferedLogger> log, IExternalScopeProvider? scopes = null)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Message}|{Properties}|{Exception}{NewLine}" : null));
        if (scopes is not null)
            ((ISupportExternalScope)pipeline.Provider).SetScopeProvider(scopes);
        log((IBufferedLogger)pipeline.Provider.CreateLogger("Shop"));
        Assert.True(await pipeline.Flush());
        return Assert.Single(sink.Records);
    }

    private static int Count(string text, string part) => text.Split(part).Length - 1;

    private static IEnumerable<BufferedLogRecord> Throwing()
    {
        yield return new Buffered("") { Said = "before" };
        throw new IOException();
    }

    /// <summary>What the buffer hands over: strings, the message of the exception or "", and nothing of scopes, ids, thread and template.</summary>
    private sealed class Buffered(string exception, params KeyValuePair<string, object?>[] attributes) : BufferedLogRecord
    {
        public string Said { get; init; } = "order failed";
        public LogLevel At { get; init; } = LogLevel.Error;
        public override DateTimeOffset Timestamp => TestEvents.DefaultTime;
        public override LogLevel LogLevel => At;
        public override EventId EventId => default;
        public override string Exception => exception;
        public override string FormattedMessage => Said;
        public override IReadOnlyList<KeyValuePair<string, object?>> Attributes => attributes;
    }

    /// <summary>Has a text of its own, as WebSocketException.</summary>
    private sealed class Coded(string message, Exception inner) : Exception(message, inner)
    {
        public override string ToString() => $"Coded (0x80004005): {Message} ---> {InnerException!.Message}";
    }

    private sealed class Unreadable : BufferedLogRecord
    {
        public override DateTimeOffset Timestamp => default;
        public override LogLevel LogLevel => throw new InvalidOperationException();
        public override EventId EventId => default;
    }

    /// <summary>One list per thread for all calls: its count is live, and it is empty after the call.</summary>
    private class Joiner(bool withText, params KeyValuePair<string, object?>[] pairs) : IReadOnlyList<KeyValuePair<string, object?>>, IDisposable
    {
        [ThreadStatic]
        private static List<KeyValuePair<string, object?>>? _joined;

        public int Count => _joined!.Count;

        public KeyValuePair<string, object?> this[int index] => _joined![index];

        public void Log(ILogger logger, Exception? exception)
        {
            _joined = [.. pairs];
            if (withText)
                logger.Log(LogLevel.Error, default, new JoinerWithText(pairs), exception, static (state, _) => state.ToString());
            else
                logger.Log(LogLevel.Error, default, this, exception, static (state, _) => $"joined {state.Count}");
            _joined.Clear();
        }

        public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => _joined!.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        public void Dispose() => _joined = null;
    }

    private sealed class JoinerWithText(params KeyValuePair<string, object?>[] pairs) : Joiner(true, pairs)
    {
        public override string ToString() => $"joined {Count}";
    }

    private sealed class Redacted : ISpanFormattable
    {
        public string ToString(string? format, IFormatProvider? formatProvider) => "*****";

        public bool TryFormat(Span<char> destination, out int charsWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
            => (charsWritten = "*****".TryCopyTo(destination) ? 5 : 0) > 0;
    }

    private readonly struct PairState(string key, object value) : IReadOnlyList<KeyValuePair<string, object?>>
    {
        public int Count => 1;

        public KeyValuePair<string, object?> this[int index] => new(key, value);

        public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
        {
            yield return this[0];
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        public override string ToString() => "pair";
    }

    private sealed class MovingList(int first, int then) : IReadOnlyList<KeyValuePair<string, object?>>
    {
        public int Asked { get; private set; }

        public int Count => Asked++ == 0 ? first : then;

        public KeyValuePair<string, object?> this[int index]
            => index < Math.Max(then, 0) ? new($"k{index}", index) : throw new ArgumentOutOfRangeException(nameof(index));

        public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => throw new NotSupportedException();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    /// <summary>Hands over a scope type of its own, which the activity keeps.</summary>
    private sealed class TrackingProvider : IExternalScopeProvider
    {
        private readonly LoggerExternalScopeProvider _pushed = new();

        public void ForEachScope<TState>(Action<object?, TState> callback, TState state)
        {
            if (Activity.Current is { } activity)
            {
                if (activity.GetCustomProperty("__ActivityLogScope__") is not OwnActivityLogScope scope)
                    activity.SetCustomProperty("__ActivityLogScope__", scope = new OwnActivityLogScope(activity));
                callback(scope, state);
            }
            _pushed.ForEachScope(callback, state);
        }

        public IDisposable Push(object? state) => _pushed.Push(state);
    }

    private sealed class OwnActivityLogScope(Activity activity) : List<KeyValuePair<string, object?>>(activity.IdFormat == ActivityIdFormat.W3C
        ? [new("SpanId", activity.SpanId.ToHexString()), new("TraceId", activity.TraceId.ToHexString()), new("ParentId", activity.ParentSpanId.ToHexString())]
        : [new("SpanId", "s1"), new("TraceId", "t1")]);
}
