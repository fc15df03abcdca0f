using System.Collections;
using System.Globalization;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;
using Newtonsoft.Json.Linq;

namespace AsyncLog.Tests.Events;

/// <summary>Values that are a sequence to their interfaces and something else to their users: JObject, JArray and JValue of Json.NET, and types of the same shape.</summary>
public sealed class TokenValueTests
{
    private const string Tree = """{"id":"play004","n":5,"next":[1,[2.5]],"none":null,"ok":true}""";

    [Theory]
    [InlineData("Json", "\"State\":{\"Value\":")]
    [InlineData("Clef", "\"Value\":")]
    public async Task An_object_and_an_array_of_Json_NET_keep_their_values(string format, string before)
    {
        Assert.Contains(before + Tree, await Write(format, "{Value}", JObject.Parse(Tree)), StringComparison.Ordinal);
        Assert.Contains(before + "[1,[2.5],\"b\"]", await Write(format, "{Value}", JArray.Parse("[1,[2.5],\"b\"]")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"play004\"", "play004", "\"play004\"")]
    [InlineData("5", "5", "5")]
    [InlineData("2.5", "2.5", "2.5")]
    [InlineData("true", "True", "true")]
    [InlineData("null", "null", "null")]
    [InlineData("123456789012345678901234567890", "123456789012345678901234567890", "\"123456789012345678901234567890\"")]
    public async Task A_single_value_of_Json_NET_is_what_it_holds_in_message_state_scope_and_text(string json, string text, string element)
    {
        var value = JToken.Parse(json);
        var record = await Write("Json", "is {Value}!", value);
        Assert.Contains($"\"State\":{{\"Value\":{element}", record, StringComparison.Ordinal);
        Assert.Contains($"\"Message\":\"is {text}!\"", record, StringComparison.OrdinalIgnoreCase);
        Assert.Contains($"{{\"Held\":{element}}}", record, StringComparison.Ordinal);
        Assert.Equal($"is {text}!|{text}", await Write("Text", "is {Value}!", value), ignoreCase: true);
    }

    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    public async Task An_object_of_Json_NET_is_serialized_as_what_it_holds_also_as_a_member(string format)
    {
        Assert.Contains($"\"Value\":{Tree}", await Write(format, "{@Value}", JObject.Parse(Tree)), StringComparison.Ordinal);
        Assert.Contains(
            $"\"Value\":{{\"Id\":7,\"Extra\":{Tree},\"More\":[5,\"x\"]}}",
            await Write(format, "{@Value}", new Dto(7, JToken.Parse(Tree), [new JValue(5), new JValue("x")])), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_object_of_Json_NET_is_compact_json_in_a_serialized_message()
        => Assert.Equal($"{Tree}|{Tree}", await Write("Text", "{@Value}", JObject.Parse(Tree)));

    [Fact]
    public async Task A_deep_object_of_Json_NET_is_cut_and_marked_as_any_other()
    {
        JToken token = new JValue("innermost");
        object other = "innermost";
        for (var level = 0; level < 100; level++)
            (token, other) = (new JArray(token), new[] { other });
        // The marks of what lies deeper and of what may follow it.
        const string Cut = "[[[[[[[[\"...\",\"...\"]]]]]]]]";
        Assert.Equal($"{Cut}|{Cut}", await Write("Text", "{@Value}", token));
        Assert.Equal($"{Cut}|{Cut}", await Write("Text", "{@Value}", other));
    }

    [Fact]
    public async Task A_sequence_that_formats_itself_is_its_text_and_a_collection_that_does_is_not()
    {
        Assert.Contains("\"Value\":\"47:11\"", await Write("Json", "{Value}", new Reading()), StringComparison.Ordinal);
        Assert.Contains("\"Value\":{\"Inner\":\"47:11\"}", await Write("Json", "{@Value}", new { Inner = new Reading() }), StringComparison.Ordinal);
        Assert.Contains("\"Value\":[1.5,2]", await Write("Json", "{Value}", new Vector { 1.5, 2.0 }), StringComparison.Ordinal);
    }

    private static async Task<string> Write(string format, string message, object value)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(
            sink, options => (options.Format, options.Template, options.IncludeScopes) = (format, format == "Text" ? "{Message}|{Value}{NewLine}" : null, true));
        using (pipeline.Logger.BeginScope(new Dictionary<string, object> { ["Held"] = value }))
#pragma warning disable CA2254 // The template is one of those of the test.
            pipeline.Logger.LogInformation(message, value);
#pragma warning restore CA2254
        Assert.True(await pipeline.Flush());
        Assert.Equal(0, pipeline.Status.RenderErrors);
        return Assert.Single(sink.Records);
    }

    private sealed record Dto(int Id, JToken Extra, IEnumerable<JValue> More);

    private sealed class Reading : IEnumerable<Reading>, IFormattable
    {
        public IEnumerator<Reading> GetEnumerator() => Enumerable.Empty<Reading>().GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        public string ToString(string? format, IFormatProvider? formatProvider) => string.Create(formatProvider, $"{47}:{11}");
    }

    private sealed class Vector : List<double>, IFormattable
    {
        public string ToString(string? format, IFormatProvider? formatProvider) => Count.ToString(CultureInfo.InvariantCulture) + " numbers";
    }
}
