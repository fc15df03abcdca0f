using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncLog.Tests.Capture;

/// <summary>Values that are JSON already.</summary>
public sealed class JsonValueTests
{
    private const string Compact = """{"Id":5,"Items":[{"Name":"ü<"}],"None":null}""";
    private const string Indented = """{ "Id": 5, "Items": [ { "Name": "ü<" } ], "None": null }""";

    public static TheoryData<string> Kinds => ["node", "element", "document"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void JSON_as_a_value_is_compact_JSON_in_the_message(string kind)
        => Assert.Equal($"placed {Compact}", TestEvents.FromTemplate("placed {Order}", ValueOf(kind)).Text());

    [Theory]
    [MemberData(nameof(Kinds))]
    public void JSON_as_a_value_keeps_its_structure_in_JSON_and_CLEF(string kind)
    {
        var said = new Said { Template = "placed {Order}", State = [("Order", ValueOf(kind))] };
        Assert.Contains($"\"Order\":{Compact}", said.In(Said.Json()), StringComparison.Ordinal);
        Assert.Contains($"\"Order\":{Compact}", said.In(Said.Clef()), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"text\"", "text")]
    [InlineData("12", "12")]
    [InlineData("true", "True")]
    [InlineData("[1,[2,3]]", "[1,[2,3]]")]
    public void A_single_JSON_value_is_its_value(string json, string expected)
        => Assert.Equal(expected, TestEvents.FromTemplate("{Value}", JsonDocument.Parse(json).RootElement).Text());

    [Fact]
    public void A_JSON_document_that_is_disposed_leaves_a_placeholder()
    {
        var document = JsonDocument.Parse(Indented);
        document.Dispose();
        var logEvent = TestEvents.FromTemplate("{Value}", document.RootElement);
        Assert.StartsWith("<error", logEvent.Text(), StringComparison.Ordinal);
        Assert.True(logEvent.RenderErrors > 0);
    }

    private static object ValueOf(string kind) => kind switch
    {
        "node" => JsonNode.Parse(Indented)!,
        "element" => JsonDocument.Parse(Indented).RootElement,
        _ => JsonDocument.Parse(Indented),
    };
}
