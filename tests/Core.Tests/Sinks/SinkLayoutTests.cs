using AsyncLog.Tests.Configuration;
using AsyncLog.Tests.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Sinks;

public sealed class SinkLayoutTests
{
    [Fact]
    public async Task A_layout_of_the_sinks_own_changes_with_the_next_record_and_the_sink_stays()
    {
        using var pipeline = new ReloadPipeline(("Prefix", "1:"));
        pipeline.Logger.LogInformation("one");
        pipeline.Edit(("Prefix", "2:"));
        pipeline.Logger.LogInformation("two");

        Assert.True(await pipeline.Flush());
        Assert.Equal(["1:one", "2:two"], pipeline.Sinks.Single().Lines);
        pipeline.AssertConservation(2);
    }

    [Fact]
    public void Equal_layouts_share_a_formatter()
    {
        var cache = new FormatterCache(new Dictionary<string, ILogFormatter>(StringComparer.Ordinal), Probe.Application, TimeProvider.System);

        Assert.Same(cache.For(Layout("a")), cache.For(Layout("a")));
        Assert.NotSame(cache.For(Layout("a")), cache.For(Layout("b")));
        Assert.Same(cache.For(Layout("a", ("b", "2"), ("site", "a"))), cache.For(Layout("a", ("b", "2"), ("site", "a"))));
        Assert.NotSame(cache.For(Layout("a", ("b", "2"), ("site", "a"))), cache.For(Layout("a", ("b", "2"), ("site", "c"))));

        static RecordLayout Layout(string prefix, params (string Name, string Value)[] properties) => new()
        {
            Format = "Own",
            Custom = new PrefixLayout(prefix),
            Properties = new ConstantProperties(properties.Select(static property => KeyValuePair.Create(property.Name, property.Value))),
        };
    }

    [Fact]
    public async Task Formatters_of_layouts_that_no_instance_has_any_more_are_not_kept()
    {
        using var pipeline = new ReloadPipeline(("Prefix", "kept 0 "), ("Files:b:Destination", "b"));
        for (var edit = 1; edit <= 20; edit++)
        {
            pipeline.Edit(("Prefix", $"kept {edit} "));
            pipeline.Logger.LogInformation("record");
            Assert.True(await pipeline.Flush());
        }

        var made = PrefixLayout.Made.Where(static made => made.Prefix.StartsWith("kept ", StringComparison.Ordinal)).Select(static made => made.Formatter).ToList();
        Assert.Equal(21, made.Count);
        await Eventually.Holds(() =>
        {
            GC.Collect();
            return made.SkipLast(1).All(static formatter => !formatter.TryGetTarget(out _));
        });
        pipeline.Logger.LogInformation("last");
        Assert.True(await pipeline.Flush());
        Assert.Equal("kept 20 last", pipeline.Sinks.First().Lines[^1]);
    }

    [Fact]
    public async Task What_a_formatter_cuts_and_leaves_out_is_counted()
    {
        using var pipeline = new ReloadPipeline(("Prefix", "> "));
        pipeline.Logger.LogInformation("cut");
        pipeline.Logger.LogInformation("whole");
        pipeline.Logger.LogInformation("cut again");

        Assert.True(await pipeline.Flush());
        Assert.Equal((2, 6), (pipeline.Status.Truncated, pipeline.Status.PropertiesLeftOut));
    }

    [Fact]
    public async Task A_formatter_gets_the_text_of_every_kind_of_value_and_what_throws_is_counted()
    {
        using var pipeline = new ReloadPipeline(("Prefix", "> "));
        pipeline.Logger.Log(
            LogLevel.Information, default,
            new List<KeyValuePair<string, object?>>
            {
                new("a", 1.5), new("b", "text"), new("c", new[] { 1, 2 }), new("d", LogLevel.Debug), new("e", new Throwing()), new("f", null), new("g", new string('é', 5000)),
            },
            null, static (_, _) => "m");

        Assert.True(await pipeline.Flush());
        var words = Assert.Single(pipeline.Sinks.Single().Lines).Split(' ');
        Assert.Equal([">", "m", "1.5", "text", "[1,2]", "Debug", "<error:", "AsyncLog.Tests.Sinks.SinkLayoutTests+Throwing>", ""], words[..^1]);
        // Bounded, at least what was asked for, and whole characters.
        Assert.True(words[^1].Length is >= 1000 and < 5000 && words[^1].All(static c => c == 'é'));
        Assert.Equal(1, pipeline.Status.RenderErrors);
    }

    private sealed class Throwing
    {
        public override string ToString() => throw new InvalidOperationException("no text");
    }
}
