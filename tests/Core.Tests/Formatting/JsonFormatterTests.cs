using System.Globalization;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

public sealed class JsonFormatterTests
{
    [Theory]
    [InlineData(600)]
    [InlineData(2000)]
    public void A_record_that_is_cut_keeps_its_template(int limit)
    {
        var said = new Said { Template = "Item {Big} and {Next}", State = [("Big", new string('b', 5000)), ("Next", 7)], Message = new string('m', 5000), Exception = new StubException(new string('x', 5000)) };
        var record = said.In(Said.Json() with { MaxRecordSize = limit });
        Assert.True(said.WasTruncated);
        using var json = JsonDocument.Parse(record);
        var state = json.RootElement.GetProperty("State").EnumerateObject().ToArray();
        Assert.Equal(("{OriginalFormat}", "Item {Big} and {Next}"), (state[0].Name, state[0].Value.GetString()));
        Assert.Equal("Big", state[1].Name);
        Assert.Equal(2, state.Length);
    }

    [Fact]
    public void A_record_that_is_cut_has_its_template_once_where_everything_else_fits()
    {
        var record = new Said { Template = "Item {Id}", State = [("Id", 7)], Message = new string('m', 5000) }.In(Said.Json() with { MaxRecordSize = 1024, Properties = [new("site", "main")] });
        Assert.Contains(",\"State\":{\"{OriginalFormat}\":\"Item {Id}\",\"Id\":7,\"site\":\"main\"},\"Truncated\":", record, StringComparison.Ordinal);
    }

    [Fact]
    public void The_template_of_a_scope_comes_last_as_in_the_JSON_console()
    {
        var said = new Said
        {
            Scopes =
            [
                new NamedScope("Order 1 of x", [new("{OriginalFormat}", "Order {Id} of {Name}"), new("Id", 1), new("Name", "x")]),
                new NamedScope("plain", [new("{OriginalFormat}", "plain")]),
            ],
        };
        Assert.EndsWith(
            ",\"Scopes\":[{\"Message\":\"Order 1 of x\",\"Id\":1,\"Name\":\"x\",\"{OriginalFormat}\":\"Order {Id} of {Name}\"},{\"Message\":\"plain\",\"{OriginalFormat}\":\"plain\"}]}\n",
            said.In(Said.Json()), StringComparison.Ordinal);
    }

    [Fact]
    public void The_fields_stand_in_their_order_in_every_culture() => Cultures.InEach(() =>
    {
        var said = new Said { Template = "Item {Id} added", State = [("Id", 42)] };
        Assert.Equal(
            "{\"Timestamp\":\"2026-11-20T12:31:07.4821234+01:00\",\"EventId\":0,\"LogLevel\":\"Information\",\"Category\":\"Shop.Cart\","
            + "\"Message\":\"Item 42 added\",\"State\":{\"Id\":42,\"{OriginalFormat}\":\"Item {Id} added\"}}\n",
            said.In(Said.Json()));
    });

    [Fact]
    public void Everything_that_can_be_there_has_its_place() => Cultures.InEach(() =>
    {
        var said = new Said
        {
            Level = LogLevel.Critical,
            Id = new EventId(7, "Add\"ed"),
            Category = "C\u202E",
            Message = "a\n\"b\"\u0085\\",
            Exception = new StubException("X\n   at Y"),
            Template = "t",
            Trace = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            State = [("a", 1), ("b", "x"), ("", 5), ("a", 2.5), ("n", null), ("c", new byte[] { 1 }), ("d", new[] { true })],
            Scopes = ["plain", new NamedScope("pairs", [new("k", 1), new("k", 2)]), new NamedScope("hidden", [new("Message", "own")])],
        };
        Assert.Equal(
            "{\"Timestamp\":\"11:31\",\"EventId\":7,\"EventName\":\"Add\\\"ed\",\"LogLevel\":\"Critical\",\"Category\":\"C\\u202e\","
            + "\"Message\":\"a\\n\\\"b\\\"\\u0085\\\\\",\"TraceId\":\"0af7651916cd43dd8448eb211c80319c\",\"SpanId\":\"b7ad6b7169203331\",\"Exception\":\"X\\n   at Y\","
            + "\"State\":{\"b\":\"x\",\"a\":2.5,\"n\":null,\"c\":\"AQ==\",\"d\":[true],\"{OriginalFormat}\":\"t\"},"
            + "\"Scopes\":[\"plain\",{\"Message\":\"pairs\",\"k\":2},{\"Message\":\"own\"}]}\r\n",
            said.In(Said.Json() with { TimestampFormat = "HH:mm", UseUtcTimestamp = true, NewLine = "\r\n" }));
        Assert.DoesNotContain("Scopes", said.In(Said.Json() with { IncludeScopes = false }), StringComparison.Ordinal);
    });

    [Fact]
    public void What_is_empty_is_left_out()
    {
        var said = new Said { Message = null, State = [("", 1)], Id = new EventId(1, "") };
        Assert.EndsWith("\"EventId\":1,\"LogLevel\":\"Information\",\"Category\":\"Shop.Cart\",\"Message\":\"\"}\n", said.In(Said.Json()), StringComparison.Ordinal);
        Assert.EndsWith("\"State\":{\"{OriginalFormat}\":\"t\"}}\n", new Said { Template = "t" }.In(Said.Json()), StringComparison.Ordinal);
        Assert.EndsWith("\"State\":{\"a\":1}}\n", new Said { State = [("a", 1)] }.In(Said.Json()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_literal_of_the_time_stamp_cannot_break_the_line()
        => Assert.Contains("\"Timestamp\":\"\\\"\\n12\"", new Said().In(Said.Json() with { TimestampFormat = "\\\"'\n'HH" }), StringComparison.Ordinal);

    [Fact]
    public void Any_record_is_strict_json_with_the_values_that_were_logged()
    {
        var options = new JsonDocumentOptions { AllowDuplicateProperties = false };
        var text = ArbMap.Default.GeneratorFor<string>().Where(value => value is not null);
        var value = Gen.OneOf(
            text.Select(t => (object?)t),
            ArbMap.Default.GeneratorFor<double>().Select(d => (object?)d),
            ArbMap.Default.GeneratorFor<decimal>().Select(d => (object?)d),
            ArbMap.Default.GeneratorFor<string[]>().Select(a => (object?)a),
            ArbMap.Default.GeneratorFor<Dictionary<int, string>>().Select(d => (object?)d),
            ArbMap.Default.GeneratorFor<DateTime>().Select(d => (object?)d));
        var pairs = text.Two().SelectMany(names => value.Select(v => (names.Item1, v))).ArrayOf();
        var compared = 0;
        Prop.ForAll(Arb.From(text.Two()), Arb.From(pairs), (texts, state) =>
        {
            var said = new Said
            {
                Message = texts.Item1,
                Category = texts.Item2,
                State = state,
                Scopes = [texts.Item2, new NamedScope(texts.Item1, [.. state.Select(static pair => KeyValuePair.Create("s" + pair.Item1, pair.v))])],
                Exception = new StubException(texts.Item2),
            };
            var line = said.In(Said.Json());
            using var document = JsonDocument.Parse(line, options);
            var root = document.RootElement;
            Assert.Equal(line.Length - 1, line.IndexOf('\n', StringComparison.Ordinal));
            Assert.False(said.WasTruncated);
            Assert.Equal(Readable(texts.Item1), root.GetProperty("Message").GetString());
            Assert.Equal(Readable(texts.Item2), root.GetProperty("Category").GetString());
            Assert.Equal(Readable(texts.Item2), root.GetProperty("Exception").GetString());
            var found = root.TryGetProperty("State", out var members);
            Assert.Equal(state.Any(static pair => pair.Item1.Length > 0), found);
            if (found)
                AssertMembers(LastOfEach(state), members);
            var scopes = root.GetProperty("Scopes").EnumerateArray().ToArray();
            Assert.Equal(2, scopes.Length);
            Assert.Equal(Readable(texts.Item2), scopes[0].GetString());
            AssertMembers(LastOfEach(state.Select(static pair => ("s" + pair.Item1, pair.v)).Prepend(("Message", (object?)texts.Item1))), scopes[1]);
            compared += state.Length;
        }).QuickCheckThrowOnFailure();
        Assert.True(compared > 100, $"{compared} properties were compared");
    }

    [Fact]
    public void Names_that_become_equal_are_one_key()
    {
        var said = new Said { State = [("a\uD800", 1), ("a\uFFFD", 2), ("a\uDC00", 3)] };
        Assert.EndsWith("\"State\":{\"a\uFFFD\":3}}\n", said.In(Said.Json()), StringComparison.Ordinal);
        said = new Said { State = [.. Enumerable.Range(0, 300).Select(i => ("a" + (i % 100) + "\uD800", (object?)i))] };
        using var document = JsonDocument.Parse(said.In(Said.Json()), new JsonDocumentOptions { AllowDuplicateProperties = false });
        Assert.Equal(Enumerable.Range(200, 100), document.RootElement.GetProperty("State").EnumerateObject().Select(p => p.Value.GetInt32()));
    }

    // Of names that are equal in a record the last counts, and none is empty.
    private static Dictionary<string, object?> LastOfEach(IEnumerable<(string Name, object? Value)> pairs)
    {
        var last = new Dictionary<string, object?>();
        foreach (var (name, value) in pairs.Where(static pair => pair.Name.Length > 0))
            last[Readable(name)] = value;
        return last;
    }

    private static void AssertMembers(Dictionary<string, object?> expected, JsonElement written)
    {
        Assert.Equal(expected.Keys.Order(StringComparer.Ordinal), written.EnumerateObject().Select(static member => member.Name).Order(StringComparer.Ordinal));
        foreach (var member in written.EnumerateObject())
            AssertIs(expected[member.Name], member.Value);
    }

    private static void AssertIs(object? expected, JsonElement written)
    {
        switch (expected)
        {
            case null:
                Assert.Equal(JsonValueKind.Null, written.ValueKind);
                break;
            case double number when double.IsFinite(number):
                Assert.Equal(BitConverter.DoubleToInt64Bits(number), BitConverter.DoubleToInt64Bits(written.GetDouble()));
                break;
            case decimal number:
                Assert.Equal(number, written.GetDecimal());
                break;
            case string[] texts:
                Assert.Equal(
                    texts.Select(static text => text is null ? null : Readable(text)), written.EnumerateArray().Select(static element => element.GetString()));
                break;
            case Dictionary<int, string> map:
                AssertMembers(map.ToDictionary(static pair => pair.Key.ToString(CultureInfo.InvariantCulture), static pair => (object?)pair.Value), written);
                break;
            case DateTime time:
                Assert.Equal(time.ToString("O", CultureInfo.InvariantCulture), written.GetString());
                break;
            default:
                Assert.Equal(Readable(Convert.ToString(expected, CultureInfo.InvariantCulture)!), written.GetString());
                break;
        }
    }

    private static string Readable(string text) => System.Text.Encoding.UTF8.GetString(System.Text.Encoding.UTF8.GetBytes(text));
}
