using System.Diagnostics;
using System.Text;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Tests.Capture;

public sealed class BufferedEventsTests
{
    private const int Limit = 4096;
    private readonly LogEvent _event = new();

    [Fact]
    public void A_buffered_record_keeps_its_own_time_ids_and_texts()
    {
        using var activity = new Activity("now").Start();
        var trace = ActivityTraceId.CreateRandom();
        var span = ActivitySpanId.CreateRandom();
        BufferedEvents.Read(
            new Buffered
            {
                Time = TestEvents.DefaultTime,
                Level = LogLevel.Warning,
                Id = new EventId(7, "Seven"),
                Said = "Item 42",
                Template = "Item {Id}",
                Pairs = [new("Id", 42), new("{OriginalFormat}", "Item {Id}")],
                Fault = "System.IO.IOException: lost",
                Trace = trace,
                Span = span,
                Thread = 99,
            },
            LogLevel.Warning, 0, new LogCategory("C"), Limit, _event);
        Assert.Equal(TestEvents.DefaultTime, _event.Timestamp);
        Assert.Equal(LogLevel.Warning, _event.Level);
        Assert.Equal((7, "Seven"), (_event.EventId.Id, _event.EventId.Name));
        Assert.Equal("Item 42", Encoding.UTF8.GetString(_event.Message));
        Assert.Equal("Item {Id}", _event.MessageTemplate);
        Assert.Equal("Id=42", CapturingLogger.Text(Assert.Single(_event.Properties.ToArray())));
        Assert.Equal("System.IO.IOException: lost", _event.ExceptionText);
        Assert.Null(_event.Exception);
        Assert.True(_event.HasTrace);
        Assert.Equal((trace, span, 99), (_event.TraceId, _event.SpanId, _event.ThreadId));
        Assert.Equal(0, _event.ScopeCount);
    }

    [Fact]
    public void What_a_buffered_record_lacks_is_not_taken_from_the_thread()
    {
        using var activity = new Activity("now").Start();
        BufferedEvents.Read(new Buffered(), LogLevel.Trace, 0, new LogCategory("C"), Limit, _event);
        Assert.False(_event.HasTrace);
        Assert.True(_event.IsMessageNull);
        Assert.Null(_event.ExceptionText);
        Assert.Equal(0, _event.ThreadId);
        var record = new RecordBuffer();
        LogFormatters.Create(Said.Text("[{ThreadId}{TraceId}{SpanId}{Message}]"), Said.Application, TimeProvider.System).Format(_event, record);
        Assert.Equal("[]\n", Encoding.UTF8.GetString(record.WrittenSpan));
        _event.Reset();
        _event.Begin(0, LogLevel.Information, new LogCategory("C"), default, null, null, Limit);
        Assert.Equal((Environment.CurrentManagedThreadId, activity.TraceId), (_event.ThreadId, _event.TraceId));
    }

    [Fact]
    public void A_buffered_record_that_throws_leaves_a_placeholder()
    {
        using var activity = new Activity("now").Start();
        BufferedEvents.Read(new Buffered { Throws = true }, LogLevel.Error, 7, new LogCategory("C"), Limit, _event);
        Assert.Equal((LogLevel.Error, 7), (_event.Level, _event.UtcTicks));
        Assert.Equal("<error: System.NotSupportedException>", Encoding.UTF8.GetString(_event.Message));
        Assert.Equal(1, _event.RenderErrors);
        Assert.Equal((false, 0), (_event.HasTrace, _event.ThreadId));
    }

    private sealed class Buffered : BufferedLogRecord
    {
        public DateTimeOffset Time { get; init; }
        public LogLevel Level { get; init; }
        public EventId Id { get; init; }
        public string? Said { get; init; }
        public string? Template { get; init; }
        public string? Fault { get; init; }
        public ActivityTraceId? Trace { get; init; }
        public ActivitySpanId? Span { get; init; }
        public int? Thread { get; init; }
        public KeyValuePair<string, object?>[] Pairs { get; init; } = [];
        public bool Throws { get; init; }

        public override DateTimeOffset Timestamp => Throws ? throw new NotSupportedException() : Time;
        public override LogLevel LogLevel => Level;
        public override EventId EventId => Id;
        public override string? FormattedMessage => Said;
        public override string? MessageTemplate => Template;
        public override string? Exception => Fault;
        public override ActivityTraceId? ActivityTraceId => Trace;
        public override ActivitySpanId? ActivitySpanId => Span;
        public override int? ManagedThreadId => Thread;
        public override IReadOnlyList<KeyValuePair<string, object?>> Attributes => Pairs;
    }
}
