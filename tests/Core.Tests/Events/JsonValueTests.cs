using System.Text.Json;
using System.Text.Json.Nodes;
using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Delivery;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

/// <summary>Nodes, elements and documents of System.Text.Json as values.</summary>
public sealed class JsonValueTests
{
    private const string Order = "{ \"Id\": 5,\n \"Items\": [ { \"Name\": \"Zo\\u00eb \\\"Z\\\"\" }, null, true, 1.5, [] ] }";
    private const string Compact = "{\"Id\":5,\"Items\":[{\"Name\":\"Zo\u00eb \\\"Z\\\"\"},null,true,1.5,[]]}";

    public static TheoryData<string> Kinds => ["node", "element", "document", "value"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task An_object_of_json_is_nested_in_json_and_compact_json_in_the_message(string kind)
    {
        var escaped = JsonEncodedText.Encode(Compact, System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping).Value;
        Assert.Contains($"\"Message\":\"Order {escaped}!\",\"State\":{{\"Order\":{Compact},", await Write("Json", kind), StringComparison.Ordinal);
        var clef = await Write("Clef", kind);
        Assert.Contains($",\"@m\":\"Order {escaped}!\",", clef, StringComparison.Ordinal);
        Assert.EndsWith($",\"Order\":{Compact}}}", clef, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task An_object_of_json_is_compact_json_in_text(string kind)
        => Assert.Equal($"Order {Compact}!|{Compact}", await Write("Text", kind));

    [Theory]
    [InlineData("\"x\"", "x", "\"x\"")]
    [InlineData("5", "5", "5")]
    [InlineData("1e999", "1e999", "\"1e999\"")]
    [InlineData("true", "true", "true")]
    [InlineData("null", "null", "null")]
    [InlineData("[]", "[]", "[]")]
    [InlineData("{\"a\":1,\"a\":2}", "{\"a\":2}", "{\"a\":2}")]
    public void An_element_is_what_it_holds(string json, string text, string element)
    {
        var scratch = new FormatScratch();
        var value = LogValue.FromObject(JsonElement.Parse(json));
        Assert.Equal(element, Raw.Text((ref Utf8Writer writer) => JsonText.Write(ref writer, value, scratch)));
        Assert.Equal(text, value.ToString());
        var logger = new CapturingLogger();
        logger.LogInformation("{Value,-4}.", JsonElement.Parse(json));
        Assert.Equal(text.PadRight(4) + ".", logger.Message);
    }

    [Fact]
    public void A_document_that_is_disposed_leaves_a_placeholder_everywhere()
    {
        var document = JsonDocument.Parse("{}");
        var element = document.RootElement;
        document.Dispose();
        var logger = new CapturingLogger();
        logger.LogInformation("{A} {B}", document, element);
        Assert.Equal("<error: System.Text.Json.JsonDocument> <error: System.Text.Json.JsonElement>", logger.Message);
        Assert.Equal(2, logger.RenderErrors);
        var scratch = new FormatScratch();
        Assert.Equal("\"<error: System.Text.Json.JsonElement>\"", Raw.Text((ref Utf8Writer writer) => JsonText.Write(ref writer, LogValue.FromObject(element), scratch)));
        Assert.Equal(
            "\"<error: System.Text.Json.JsonDocument>\"",
            Raw.Text((ref Utf8Writer writer) => JsonText.Write(ref writer, LogValue.FromObject(document), scratch)));
        Assert.Equal(2, scratch.Errors);
        Assert.Equal("<error: System.Text.Json.JsonElement>", LogValue.FromObject(element).ToString());
        Assert.Equal("<error: System.Text.Json.JsonDocument>", LogValue.FromObject(document).ToString());
    }

    [Fact]
    public void A_long_array_is_bounded_as_every_collection()
    {
        var json = JsonElement.Parse($"[{string.Join(',', Enumerable.Range(0, 1000))}]");
        var expected = $"[{string.Join(',', Enumerable.Range(0, 128))}]";
        Assert.Equal(expected, LogValue.FromObject(json).ToString());
        Assert.Equal(expected, Raw.Text((ref Utf8Writer writer) => JsonText.Write(ref writer, LogValue.FromObject(json), new FormatScratch())));
        Assert.Equal(expected, LogValue.FromObject(Enumerable.Range(0, 1000)).ToString());
    }

    private static async Task<string> Write(string format, string kind)
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, options => (options.Format, options.Template) = (format, format == "Text" ? "{Message}|{Order}{NewLine}" : null));
        using var document = JsonDocument.Parse(Order);
        pipeline.Logger.LogInformation("Order {Order}!", kind switch
        {
            "node" => JsonNode.Parse(Order)!,
            "element" => document.RootElement,
            "document" => document,
            _ => (object)JsonValue.Create(new Sale(5, [new Item("Zo\u00eb \"Z\""), null, true, 1.5, Array.Empty<int>()]))!,
        });
        Assert.True(await pipeline.Flush());
        return Assert.Single(sink.Records);
    }

    private sealed record Sale(int Id, object?[] Items);

    private sealed record Item(string Name);
}
