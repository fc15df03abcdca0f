using System.Text.Json;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>The layouts as a user gets them: through a real logger.</summary>
public sealed class LoggerRecordTests
{
    [Fact]
    public async Task The_default_line_of_a_logger()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => options.Template = null);
        pipeline.Logger.LogError(new StubException("System.X: no\n   at Y"), "Item {Id} of {User} added\n", 42, "an\nn");
        Assert.True(await pipeline.Flush());
        Assert.Matches(
            @"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [+-]\d\d:\d\d \[ERR\] Test: Item 42 of an\\nn added\n  System\.X: no\n     at Y\n$", sink.Text);
    }

    [Fact]
    public async Task Properties_scopes_and_template_of_a_logger()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => options.Template = "{Message} {Properties} {Scopes}");
        using (pipeline.Logger.BeginScope("Request {RequestId}", 7))
        using (pipeline.Logger.BeginScope("plain"))
            pipeline.Logger.LogInformation("Item {Id} added", 42);
        Assert.True(await pipeline.Flush());
        Assert.Equal("Item 42 added RequestId=7 => Request 7 => plain\n", sink.Text);
    }

    [Fact]
    public async Task The_json_of_a_logger()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => (options.Template, options.Format) = (null, "Json"));
        using (pipeline.Logger.BeginScope(new Dictionary<string, object?> { ["RequestId"] = 7 }))
            pipeline.Logger.LogInformation(new EventId(3, "Added"), "Item {Id} added in {Ms} ms", 42, 1.5);
        Assert.True(await pipeline.Flush());
        using var document = JsonDocument.Parse(sink.Text);
        Assert.Equal(
            ["Timestamp", "EventId", "EventName", "LogLevel", "Category", "Message", "State", "Scopes"],
            document.RootElement.EnumerateObject().Select(field => field.Name));
        Assert.Contains("\"State\":{\"Id\":42,\"Ms\":1.5,\"{OriginalFormat}\":\"Item {Id} added in {Ms} ms\"},\"Scopes\":[", sink.Text, StringComparison.Ordinal);
        Assert.EndsWith("\"Scopes\":[{\"RequestId\":7}]}\n", sink.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_value_that_logs_leaves_the_outer_record_whole()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => options.Template = "{Message} {Properties}");
        pipeline.Logger.Log(LogLevel.Information, default, new KeyValuePair<string, object?>[] { new("a", "x y"), new("b", new Chatty(pipeline.Logger)), new("c", 3) }, null, (_, _) => "outer");
        Assert.True(await pipeline.Flush());
        Assert.Equal(["inner d=\"d d\"", "outer a=\"x y\" b=\"I logged\" c=3"], sink.Records);
    }

    private sealed class Chatty(ILogger logger)
    {
        public override string ToString()
        {
            logger.Log(LogLevel.Information, default, new KeyValuePair<string, object?>[] { new("d", "d d") }, null, (_, _) => "inner");
            return "I logged";
        }
    }
}
