using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncLog;

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
        _event.End();
        Begin();
        Assert.False(_event.HasTrace);
        Assert.Equal(default, _event.TraceId);
    }

    [Fact]
    public void C_18_zero_An_activity_of_another_format_or_with_zero_ids_is_none()
    {
        using (new Activity("a").SetIdFormat(ActivityIdFormat.Hierarchical).Start())
        {
            Begin();
            Assert.False(_event.HasTrace);
            _event.End();
        }
        Begin();
        _event.SetBuffered(null, ActivityTraceId.CreateFromBytes(new byte[16]), ActivitySpanId.CreateRandom(), null);
        Assert.False(_event.HasTrace);
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
        Assert.Equal(new EventId(3, "Three"), e.EventId);
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
        Assert.Equal(
            Render(formatter, TestEvents.Create(new() { Level = LogLevel.Warning, EventId = 3, State = state, Message = "Item 42" })),
            Render(formatter, LogEvent.Create(entry, TestEvents.DefaultTime)));
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
        Assert.Equal("Three", e.EventId.Name);
        Assert.Equal("Shop.Cart", e.Category);
        Assert.Equal("Shop.Cart"u8.ToArray(), e.CategoryUtf8.ToArray());
        Assert.Equal(Environment.CurrentManagedThreadId, e.ThreadId);
        Assert.IsType<IOException>(e.Exception);
        Assert.Equal("hello", e.Text());
    }

    [Fact]
    public void A_short_message_after_a_huge_one_gives_the_memory_back()
    {
        for (var i = 0; i < 3; i++)
        {
            Begin(1 << 22);
            _event.SetMessage(new string('x', 1 << 22));
            Assert.Equal(1 << 22, _event.Message.Length);
            _event.End();
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
}
