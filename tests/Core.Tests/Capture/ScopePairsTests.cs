using System.Collections.Frozen;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Scopes and states of pairs whose values have a type of their own, and how the layouts write their text.</summary>
public sealed class ScopePairsTests
{
    public static TheoryData<object, string> Pairs => new()
    {
        { new Dictionary<string, string> { ["a"] = "x", ["b"] = "y" }, "\"a\":\"x\",\"b\":\"y\"" },
        { new Dictionary<string, int> { ["a"] = 1 }, "\"a\":1" },
        { new SortedDictionary<string, Guid> { ["a"] = Guid.Empty }, "\"a\":\"00000000-0000-0000-0000-000000000000\"" },
        { new Dictionary<string, long?> { ["a"] = null, ["b"] = 2 }.ToFrozenDictionary(), "\"a\":null,\"b\":2" },
        { new List<KeyValuePair<string, bool>> { new("a", true), new(null!, false) }, "\"a\":true" },
        { new[] { KeyValuePair.Create("a", 1.5) }.Where(static _ => true), "\"a\":1.5" },
    };

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Pairs_with_values_of_any_type_are_properties_of_a_scope(object scope, string members)
    {
        Assert.EndsWith($"\"Scopes\":[{{{members}}}]}}", await Write("Json", logger => LogIn(logger, scope)), StringComparison.Ordinal);
        Assert.EndsWith($"\"SourceContext\":\"Test\",{members}}}", await Write("Clef", logger => LogIn(logger, scope)), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task Pairs_with_values_of_any_type_are_properties_of_a_state(object state, string members)
        => Assert.Contains($"\"Message\":\"m\",\"State\":{{{members}}}", await Write("Json", logger => logger.Log(LogLevel.Information, default, state, null, static (_, _) => "m")), StringComparison.Ordinal);

    [Fact]
    public async Task A_tuple_of_name_and_value_is_a_property_of_a_scope()
    {
        Assert.Contains("\"Scopes\":[{\"Message\":\"(k, v)\",\"k\":\"v\"}]", await Write("Json", static logger => LogIn(logger, ("k", (object)"v"))), StringComparison.Ordinal);
        Assert.Contains("\"Scopes\":[{\"Message\":\"(k, 7)\",\"k\":7}]", await Write("Json", static logger => LogIn(logger, ("k", 7))), StringComparison.Ordinal);
        Assert.Equal("m|k=v", await Write("Text", static logger => LogIn(logger, ("k", "v"))));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Other_tuples_and_pairs_with_other_keys_are_texts(int number)
    {
        object scope = number == 1 ? (1, "v") : ("k", "v", "w");
        Assert.Contains($"\"Scopes\":[\"{scope}\"]", await Write("Json", logger => LogIn(logger, scope)), StringComparison.Ordinal);
        Assert.Contains("\"Scopes\":[\"System.Collections.Generic.Dictionary`2[System.Int32,System.String]\"]", await Write("Json", static logger => LogIn(logger, new Dictionary<int, string> { [1] = "v" })), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clef_has_the_text_of_a_scope_with_a_template_and_its_properties()
    {
        var record = await Write("Clef", static logger => LogIn(logger, "plain", () => LogIn(logger, new Dictionary<string, object> { ["a"] = 1 }, () =>
        {
            using var scope = logger.BeginScope("Order {Id}", 42);
            logger.LogInformation("m");
        })));
        Assert.EndsWith(",\"Id\":42,\"a\":1,\"Scope\":[\"plain\",\"Order 42\"]}", record, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clef_leaves_out_the_text_of_a_template_that_is_only_the_name_of_a_type()
    {
        var record = await Write("Clef", static logger => LogIn(logger, new KeyValuePair<string, object>[] { new("Id", 42), new("{OriginalFormat}", "Order {Id}") }));
        Assert.EndsWith(",\"Id\":42}", record, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scope_without_a_text_of_its_own_has_no_message_in_json()
    {
        Assert.EndsWith("\"Scopes\":[{\"a\":1}]}", await Write("Json", static logger => LogIn(logger, new Dictionary<string, object> { ["a"] = 1 })), StringComparison.Ordinal);
        Assert.EndsWith("\"Scopes\":[{\"a\":1}]}", await Write("Json", static logger => LogIn(logger, new KeyValuePair<string, object>[] { new("a", 1) })), StringComparison.Ordinal);
        Assert.EndsWith("\"Scopes\":[{}]}", await Write("Json", static logger => LogIn(logger, new Dictionary<string, object>())), StringComparison.Ordinal);
        // A text, even where it is empty, is one of its own.
        Assert.EndsWith("\"Scopes\":[{\"Message\":\"\",\"a\":1}]}", await Write("Json", static logger => LogIn(logger, new NamedScope("", [new("a", 1)]))), StringComparison.Ordinal);
    }

    private static void LogIn(ILogger logger, object scope, Action? log = null)
    {
        using (logger.BeginScope(scope))
        {
            if (log is null)
                logger.Log(LogLevel.Information, default, "m", null, static (state, _) => state);
            else
                log();
        }
    }

    private static async Task<string> Write(string format, Action<ILogger> log)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Message}|{Properties}{NewLine}" : null));
        log(pipeline.Logger);
        Assert.True(await pipeline.Flush());
        return Assert.Single(sink.Records);
    }
}
