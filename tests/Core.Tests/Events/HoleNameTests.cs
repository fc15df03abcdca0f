using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

/// <summary><c>{@Item}</c> and <c>{$Item}</c>, which users of Serilog and NLog write: the property is <c>Item</c>.</summary>
public sealed partial class HoleNameTests
{
    private static readonly Basket Item = new("apple", 3);

    [Theory]
    [InlineData("Text", "added {\"Name\":\"apple\",\"Count\":3} 7|RequestId=\"r 1\"")]
    [InlineData("Json", "\"Message\":\"added {\\\"Name\\\":\\\"apple\\\",\\\"Count\\\":3} 7\",\"State\":{\"Item\":{\"Name\":\"apple\",\"Count\":3},\"Number\":7,\"{OriginalFormat}\":\"added {@Item} {$Number}\"},\"Scopes\":[{\"Message\":\"in r 1\",\"RequestId\":\"r 1\",\"{OriginalFormat}\":\"in {@RequestId}\"}]}")]
    [InlineData("Clef", "\"@mt\":\"added {@Item} {$Number}\",\"@m\":\"added {\\\"Name\\\":\\\"apple\\\",\\\"Count\\\":3} 7\",\"SourceContext\":\"Test\",\"Item\":{\"Name\":\"apple\",\"Count\":3},\"Number\":7,\"RequestId\":\"r 1\",\"Scope\":[\"in r 1\"]}")]
    public async Task A_name_loses_its_sign_in_every_layout(string format, string end)
    {
        foreach (var calls in new[] { 1, 40 })
        {
            var sink = new TestSink();
            using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Message}|{Properties}" : null));
            using var scope = pipeline.Logger.BeginScope("in {@RequestId}", "r 1");
            // Read by the indexer at first, then from the arguments where they lie.
            for (var i = 0; i < calls; i++)
                pipeline.Logger.LogInformation("added {@Item} {$Number}", Item, 7);
            Assert.True(await pipeline.Flush());
            Assert.Equal(calls, sink.Records.Count);
            Assert.All(sink.Records, record => Assert.EndsWith(end, record, StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData("Json", "\"Scopes\":[{\"Item\":{\"Name\":\"apple\",\"Count\":3},\"Text\":\"apple x 3\",\"Number\":7,\"@\":8}]}")]
    [InlineData("Clef", "\"Item\":{\"Name\":\"apple\",\"Count\":3},\"Text\":\"apple x 3\",\"Number\":7,\"@@\":8}")]
    public async Task A_key_of_a_scope_loses_its_sign(string format, string end)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, null));
        using var scope = pipeline.Logger.BeginScope(new Dictionary<string, object> { ["@Item"] = Item, ["$Text"] = new Priced("apple", 3), ["@Number"] = 7, ["@"] = 8 });
        pipeline.Logger.LogInformation("added");
        Assert.True(await pipeline.Flush());
        Assert.EndsWith(end, Assert.Single(sink.Records), StringComparison.Ordinal);
    }

    [Fact]
    public void A_name_loses_its_sign_in_defined_and_generated_messages()
    {
        var logger = new CapturingLogger();
        var define = LoggerMessage.Define<string, int>(LogLevel.Information, default, "{@Item} {$Number}");
        for (var i = 0; i < 40; i++)
        {
            define(logger, "a", 1, null);
            Assert.Equal(["Item=a", "Number=1"], logger.Properties);
        }
        Seven(logger, "a", 1, 2, 3, 4, 5, 6);
        Assert.Equal(["Item=a", "b=1", "c=2", "d=3", "e=4", "f=5", "g=6"], logger.Properties, StringComparer.OrdinalIgnoreCase);
    }

    [Fact]
    public void Only_holes_of_the_template_lose_a_sign()
    {
        var logger = new CapturingLogger();
        logger.Log(LogLevel.Information, default, new KeyValuePair<string, object?>[] { new("@a", 1), new("@b", 2), new("@", 3), new("{OriginalFormat}", "{@a} {@}") }, null, static (_, _) => "m");
        Assert.Equal(["a=1", "@b=2", "@=3"], logger.Properties);
        logger.Log(LogLevel.Information, default, new KeyValuePair<string, object?>[] { new("@a", 1), new("$b", 2) }, null, static (_, _) => "m");
        Assert.Equal(["@a=1", "$b=2"], logger.Properties);
    }

    [LoggerMessage(1, LogLevel.Information, "{@Item} {B} {C} {D} {E} {F} {G}")]
    private static partial void Seven(ILogger logger, string item, int b, int c, int d, int e, int f, int g);

    private sealed record Basket(string Name, int Count);

    private sealed record Priced(string Name, int Count)
    {
        public override string ToString() => $"{Name} x {Count}";
    }
}
