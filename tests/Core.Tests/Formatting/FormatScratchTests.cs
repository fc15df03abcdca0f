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
        logEvent.End();
        var scratch = logEvent.Scratch;
        foreach (var buffer in (RecordBuffer[])[scratch.Value, scratch.Raw, scratch.Aligned, scratch.Part, scratch.Kept])
        {
            buffer.Reset(int.MaxValue);
            Assert.InRange(buffer.GetSpan().Length, 1, 32 << 10);
        }
    }

    // Each thread that logs keeps its buffers, in no budget of a queue.
    [Theory]
    [InlineData("Text", 1 << 20)]
    [InlineData("Json", 1 << 20)]
    [InlineData("Clef", 64 << 10)]
    public void A_large_value_leaves_no_large_buffers_behind_though_its_record_is_not_truncated(string format, int maxRecordSize)
    {
        var logEvent = TestEvents.FromTemplate("Request {Body}", new LargeObject(maxRecordSize / 4));
        var layout = new RecordLayout { Format = format, MaxRecordSize = maxRecordSize };
        var formatter = new FormatterCache(new Dictionary<string, ILogFormatter>(), new ApplicationInfo { ApplicationName = "app", EnvironmentName = "Production", ContentRootPath = "/" }, TimeProvider.System).For(layout);
        var record = new RecordBuffer();
        record.Reset(4 << 20);

        formatter.Format(logEvent, record);
        Assert.False(logEvent.WasTruncated);
        logEvent.End();

        var scratch = logEvent.Scratch;
        foreach (var buffer in (RecordBuffer[])[scratch.Value, scratch.Raw, scratch.Aligned, scratch.Part, scratch.Kept])
        {
            buffer.Reset(int.MaxValue);
            Assert.InRange(buffer.GetSpan().Length, 1, 32 << 10);
        }
    }

    [Fact]
    public void Ending_an_event_after_a_large_record_allocates_nothing()
    {
        var logEvent = TestEvents.FromTemplate("Request {Body}", new LargeObject(300_000));
        logEvent.Record.Reset(1 << 20);
        logEvent.Record.Append(new byte[500_000]);
        for (var i = 0; i < 1000; i++)
            logEvent.State.Add("p", LogValue.From(i));
        _ = logEvent.Message.Length;
        logEvent.Scratch.Value.Reset(1 << 20);
        logEvent.Scratch.Value.Append(new byte[100_000]);
        var before = GC.GetAllocatedBytesForCurrentThread();

        logEvent.End();

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.Empty(logEvent.Properties.ToArray());
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

    private sealed class LargeObject(int length)
    {
        public override string ToString() => new('x', length);
    }
}
