using Microsoft.Extensions.Logging;

namespace AsyncLog;

public sealed class FormatScratchTests
{
    // What each thread that logs keeps after a truncated record: five buffers of 32 KB at most, whatever was logged.
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
        var scratch = logEvent.Scratch;
        foreach (var buffer in (RecordBuffer[])[scratch.Value, scratch.Raw, scratch.Aligned, scratch.Part, scratch.Kept])
        {
            buffer.Reset(int.MaxValue);
            Assert.InRange(buffer.GetSpan().Length, 1, 32 << 10);
        }
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
}
