using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Text;

public sealed class FormatScratchTests
{
    // What each thread that logs keeps: buffers of 32,768 elements at most, whatever was logged.
    [Theory]
    [InlineData("Text")]
    [InlineData("Json")]
    [InlineData("Clef")]
    public void A_truncated_record_leaves_no_large_buffers_behind(string format)
    {
        var text = new string('ü', 150_000);
        var logEvent = TestEvents.Create(new TestEvents.TestEvent
        {
            Level = LogLevel.Error,
            Template = "Request {Path} {Body} {@More,10}",
            Args = ["/x", text, new[] { text, text }],
            Exception = new InvalidOperationException(text),
        });
        var layout = new RecordLayout { Format = format, MaxRecordSize = 64 << 10, Template = format == "Text" ? "{Message}{Properties}{Exception}" : null };
        var formatter = new FormatterCache(new Dictionary<string, ILogFormatter>(), new ApplicationInfo { ApplicationName = "app", EnvironmentName = "Production", ContentRootPath = "/" }, TimeProvider.System).For(layout);
        var record = new RecordBuffer();
        record.Reset(256 << 10);

        formatter.Format(logEvent, record);

        Assert.True(logEvent.WasTruncated);
        AssertEndsSmall(logEvent);
    }

    [Theory]
    [InlineData("Text")]
    [InlineData("Json")]
    [InlineData("Clef")]
    public void A_large_value_in_a_record_that_is_whole_leaves_no_large_buffers_behind(string format)
    {
        var logEvent = TestEvents.FromTemplate("Value {Value}", new LongText());
        var layout = new RecordLayout { Format = format, MaxRecordSize = 1 << 20, Template = format == "Text" ? "{Value,10}" : null };
        var record = new RecordBuffer();
        record.Reset(4 << 20);

        LogFormatters.Create(layout, Said.Application, TimeProvider.System).Format(logEvent, record);

        Assert.False(logEvent.WasTruncated);
        AssertEndsSmall(logEvent);
    }

    [Fact]
    public void The_text_of_a_large_value_for_a_formatter_leaves_no_large_buffers_behind()
    {
        var logEvent = TestEvents.FromTemplate("Value {Value}", new LongText());

        Assert.Equal(240_000, logEvent.GetText(logEvent.Properties[0].Value, 300_000).Length);
        AssertEndsSmall(logEvent);
    }

    [Fact]
    public void A_formatter_gets_its_own_object_again_and_another_event_has_another()
    {
        var scratch = new LogEvent().Scratch;
        var list = scratch.Get<List<int>>();
        Assert.Same(list, scratch.Get<List<int>>());
        var other = scratch.Get<List<long>>();
        Assert.Same(list, scratch.Get<List<int>>());
        Assert.Same(other, scratch.Get<List<long>>());
        Assert.NotSame(list, new LogEvent().Scratch.Get<List<int>>());
    }

    private static void AssertEndsSmall(LogEvent logEvent)
    {
        Assert.InRange(KeptMemory.Largest(logEvent), 200_000, int.MaxValue);
        logEvent.Reset();
        Assert.InRange(KeptMemory.Largest(logEvent), 1, 32 << 10);
    }

    private sealed class LongText
    {
        public override string ToString() => new('ü', 120_000);
    }
}
