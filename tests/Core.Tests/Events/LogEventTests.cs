using System.Diagnostics;
using System.Text;
using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog.Tests.Events;

public sealed class LogEventTests
{
    private readonly LogEvent _event = new();

    [Fact]
    public void The_ids_are_those_of_the_current_W3C_activity()
    {
        using var activity = new Activity("a").SetIdFormat(ActivityIdFormat.W3C);
        activity.ActivityTraceFlags = ActivityTraceFlags.Recorded;
        activity.Start();
        Begin();
        Assert.True(_event.HasTrace);
        Assert.Equal(activity.TraceId, _event.TraceId);
        Assert.Equal(activity.SpanId, _event.SpanId);
        Assert.Equal(ActivityTraceFlags.Recorded, _event.TraceFlags);
        activity.Stop();
        _event.Reset();
        Begin();
        Assert.False(_event.HasTrace);
        Assert.Equal((default(ActivityTraceId), default(ActivitySpanId), ActivityTraceFlags.None), (_event.TraceId, _event.SpanId, _event.TraceFlags));
    }

    [Fact]
    public void An_activity_of_another_format_or_with_zero_ids_is_ignored()
    {
        using (new Activity("a").SetIdFormat(ActivityIdFormat.Hierarchical).Start())
        {
            Begin();
            Assert.False(_event.HasTrace);
            _event.Reset();
        }
        Begin();
        _event.SetBuffered(null, ActivityTraceId.CreateFromBytes(new byte[16]), ActivitySpanId.CreateRandom(), null);
        Assert.False(_event.HasTrace);
        _event.Reset();
        Begin();
        _event.SetBuffered(null, ActivityTraceId.CreateRandom(), ActivitySpanId.CreateFromBytes(new byte[8]), null);
        Assert.False(_event.HasTrace);
        _event.Reset();
        Begin();
        _event.SetBuffered(null, ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), null);
        Assert.True(_event.HasTrace);
    }

    [Fact]
    public void An_event_made_without_a_logger_has_what_a_logger_gives()
    {
        var scopes = new LoggerExternalScopeProvider();
        using var scope = scopes.Push("import 7");
        KeyValuePair<string, object?>[] state = [new("Id", 42), new("@Name", "anvil"), new("{OriginalFormat}", "Item {Id} {@Name}")];
        var fault = new IOException("disk");
        var entry = new LogEntry<KeyValuePair<string, object?>[]>(
            LogLevel.Warning, "Shop.Cart", new EventId(3, "Three"), state, fault, static (_, e) => "Item 42 anvil: " + e!.Message);
        var e = LogEvent.Create(entry, TestEvents.DefaultTime, scopes, maxRecordSize: 4096);
        Assert.Equal(TestEvents.DefaultTime, e.Timestamp);
        Assert.Equal(LogLevel.Warning, e.Level);
        Assert.Equal("Shop.Cart", e.Category);
        Assert.Equal((3, "Three"), (e.EventId.Id, e.EventId.Name));
        Assert.Equal("Item {Id} {@Name}", e.MessageTemplate);
        Assert.Equal(["Id=42", "Name=anvil"], e.Properties.ToArray().Select(p => CapturingLogger.Text(p)));
        Assert.Equal("Item 42 anvil: disk", e.Text());
        Assert.Same(fault, e.Exception);
        Assert.Equal(1, e.ScopeCount);
        Assert.Equal("import 7"u8.ToArray(), e.GetScope(0).Text.ToArray());
        Assert.Equal(4096, e.MaxRecordSize);
        Assert.Equal(0, e.RenderErrors);
    }

    [Fact]
    public void An_event_made_without_a_logger_renders_as_one_of_a_logger()
    {
        var formatter = LogFormatters.Create(new RecordLayout { Format = "Json" }, new ApplicationInfo { ApplicationName = "Shop", EnvironmentName = "Staging", ContentRootPath = "/srv/shop" }, TimeProvider.System);
        KeyValuePair<string, object?>[] state = [new("Id", 42), new("Name", "anvil")];
        var entry = new LogEntry<KeyValuePair<string, object?>[]>(LogLevel.Warning, "Shop.Cart", 3, state, null, static (_, _) => "Item 42");
        var record = Render(formatter, LogEvent.Create(entry, TestEvents.DefaultTime));
        Assert.EndsWith(
            "\"EventId\":3,\"LogLevel\":\"Warning\",\"Category\":\"Shop.Cart\",\"Message\":\"Item 42\",\"State\":{\"Id\":42,\"Name\":\"anvil\"}}\n", record,
            StringComparison.Ordinal);
        Assert.Equal(Render(formatter, TestEvents.Create(new() { Level = LogLevel.Warning, EventId = 3, State = state, Message = "Item 42" })), record);
    }

    [Fact]
    public void The_end_of_a_large_event_allocates_nothing()
    {
        // Memory may be what is missing then, and an exception would leave the call.
        var large = new string('x', 200_000);
        End(large);
        var before = End(large);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void An_event_that_follows_one_that_was_not_ended_has_its_own_properties()
    {
        var logger = new UnendingLogger();
        var define = LoggerMessage.Define<int, string>(LogLevel.Information, default, "{Number} of {Secret}");
        // Read where they lie, once the layout of the state is known.
        for (var i = 0; i < 40; i++)
            define(logger, i, "before", null);
        logger.Log(LogLevel.Information, default, new KeyValuePair<string, object?>[] { new("mine", 42) }, null, static (_, _) => "m");
        Assert.Equal(["mine=42"], logger.Properties);
        Assert.InRange(logger.Unended, 20, 40);
    }

    [Fact]
    public void What_was_given_is_told()
    {
        var time = TestEvents.DefaultTime;
        var e = TestEvents.Create(new() { Level = LogLevel.Critical, EventId = new EventId(3, "Three"), Exception = new IOException("x") });
        Assert.Equal(time, e.Timestamp);
        Assert.Equal(TimeSpan.Zero, e.Timestamp.Offset);
        Assert.Equal(time.UtcTicks, e.UtcTicks);
        Assert.Equal(LogLevel.Critical, e.Level);
        Assert.Equal((3, "Three"), (e.EventId.Id, e.EventId.Name));
        Assert.Equal("Shop.Cart", e.Category);
        Assert.Equal("Shop.Cart"u8.ToArray(), e.CategoryUtf8.ToArray());
        Assert.Equal(Environment.CurrentManagedThreadId, e.ThreadId);
        Assert.IsType<IOException>(e.Exception);
        Assert.Equal("hello", e.Text());
    }

    [Fact]
    public void The_memory_of_a_huge_message_is_given_back_at_the_end_of_its_event()
    {
        for (var i = 0; i < 3; i++)
        {
            Begin(1 << 22);
            _event.SetMessage(new string('x', 1 << 22));
            Assert.Equal(1 << 22, _event.Message.Length);
            Assert.InRange(KeptMemory.Largest(_event), 1 << 22, int.MaxValue);
            _event.Reset();
            Assert.InRange(KeptMemory.Largest(_event), 0, 64 << 10);
        }
        Begin();
        _event.SetMessage("short");
        Assert.Equal("short", Encoding.UTF8.GetString(_event.Message));
    }

    private static string Render(ILogFormatter formatter, LogEvent logEvent)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        formatter.Format(logEvent, output);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    private void Begin(int limit = 4096) => _event.Begin(0, LogLevel.Information, new LogCategory("C"), default, null, null, limit);

    // An event that grew every buffer: the bytes allocated on the thread before its end.
    private static long End(string large)
    {
        var state = Enumerable.Range(0, 1000).Select(static i => KeyValuePair.Create("k" + i, (object?)i)).ToArray();
        var logEvent = TestEvents.Create(new() { State = state, Message = large, Scopes = [large, state], Exception = new InvalidOperationException(large) });
        logEvent.Record.Reset(int.MaxValue);
        logEvent.Record.Append(Encoding.UTF8.GetBytes(large));
        _ = logEvent.Message;
        _ = logEvent.GetText(LogValue.FromObject(new[] { large, large }), 400_000);
        for (var i = 0; i < logEvent.ScopeCount; i++)
            _ = logEvent.GetScope(i).Text;
        Assert.InRange(KeptMemory.Largest(logEvent), large.Length, int.MaxValue);
        var before = GC.GetAllocatedBytesForCurrentThread();
        logEvent.Reset();
        return before;
    }

    // As after an end that failed: the event of the call before was begun, and not ended.
    private sealed class UnendingLogger : ILogger
    {
        private readonly LogEvent _event = new();

        public string[] Properties { get; private set; } = [];

        /// <summary>The events that were not ended while their values were still to be read from the state.</summary>
        public int Unended { get; private set; }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            _event.Begin(0, logLevel, new LogCategory("C"), eventId, exception, null, 4096);
            StateReader<TState>.Instance.Read(ref state, formatter, _event);
            if (state is KeyValuePair<string, object?>[])
                Properties = [.. _event.Properties.ToArray().Select(static property => CapturingLogger.Text(property))];
            else if (!_event.IsLazy)
                _event.Reset();
            else
                Unended++;
        }
    }
}
