using System.Collections;
using System.Globalization;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

/// <summary>How the values of <c>{@Item}</c> are serialized, and what is written where that fails.</summary>
public sealed partial class ObjectJsonTests : IDisposable
{
    private readonly TestSink _sink = new();
    private Action<JsonSerializerOptions>? _change;
    private TestPipeline? _pipeline;

    public static TheoryData<object, string> Defaults => new()
    {
        // Nulls and fields are left out, the elements of tuples are not.
        { new { A = 1, B = (string?)null }, """{"A":1}""" },
        { (1, "b"), """{"Item1":1,"Item2":"b"}""" },
        { new { Pair = (X: 1, Y: 2.5) }, """{"Pair":{"Item1":1,"Item2":2.5}}""" },
        { Tuple.Create(1, "b"), """{"Item1":1,"Item2":"b"}""" },
        { new Fields(), """{"Property":3,"Included":2}""" },
        { new { Day = DayOfWeek.Friday, Days = new[] { DayOfWeek.Monday, (DayOfWeek)9 } }, """{"Day":"Friday","Days":["Monday",9]}""" },
        { new { Number = double.NaN, Text = "<\u00e9'\"\n" }, """{"Number":"NaN","Text":"<é'\"\n"}""" },
        { new { When = new DateTimeOffset(2026, 11, 25, 1, 2, 3, TimeSpan.FromHours(1)), Span = TimeSpan.FromSeconds(1.5) }, """{"When":"2026-11-25T01:02:03+01:00","Span":"00:00:01.5000000"}""" },
        { new Dictionary<string, object?> { ["a"] = 1, ["b"] = new { C = "d" }, ["n"] = null }, """{"a":1,"b":{"C":"d"},"n":null}""" },
        { new Dictionary<DayOfWeek, int> { [DayOfWeek.Monday] = 1 }, """{"Monday":1}""" },
        { new List<object?> { 1, "b", null, new[] { 2 } }, """[1,"b",null,[2]]""" },
        { new byte[] { 1, 2, 3 }, "AQID" },
        { new { Bytes = new byte[] { 1, 2, 3 }, Memory = new ReadOnlyMemory<byte>([4]) }, """{"Bytes":"AQID","Memory":"BA=="}""" },

        // What is a text to readers is a text.
        { new { Fault = new InvalidOperationException("no"), Type = typeof(string), Big = BigInteger.Pow(10, 20), Address = IPAddress.Loopback, Culture = CultureInfo.InvariantCulture, Link = new Uri("http://a/b c"), Version = new Version(1, 2) }, """{"Fault":"System.InvalidOperationException: no","Type":"System.String","Big":100000000000000000000,"Address":"127.0.0.1","Culture":"","Link":"http://a/b c","Version":"1.2"}""" },
        { typeof(List<int>), "System.Collections.Generic.List`1[System.Int32]" },
        { new InvalidOperationException("no"), "System.InvalidOperationException: no" },

        // JSON already.
        { JsonNode.Parse("""{ "a": [ 1, null ] }""")!, """{"a":[1,null]}""" },
        { JsonElement.Parse("[ 1, 2 ]"), "[1,2]" },
        { new { Node = JsonNode.Parse("""{ "a": 1 }"""), Element = JsonElement.Parse("[ 1 ]") }, """{"Node":{"a":1},"Element":[1]}""" },
    };

    public void Dispose() => _pipeline?.Dispose();

    [Theory]
    [MemberData(nameof(Defaults))]
    public async Task The_defaults_write(object value, string expected)
    {
        Log("{@Item}", value);
        Assert.Equal([expected], await Records());
        Assert.Equal(0, Status().ObjectsFailed);
    }

    [Fact]
    public async Task A_cycle_is_left_out()
    {
        var node = new Node { Name = "a" };
        node.Next = new Node { Name = "b", Next = node };
        Log("{@Item}", node);
        Assert.Equal(["""{"Name":"a","Next":{"Name":"b"}}"""], await Records());
    }

    [Theory]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(60)]
    [InlineData(2000)]
    public async Task What_lies_deeper_than_eight_levels_is_marked(int levels)
    {
        var node = new Node { Name = "8" };
        for (var level = levels - 1; level > 0; level--)
            node = new Node { Name = level.ToString(CultureInfo.InvariantCulture), Next = node };
        Log("{@Item}", node);
        var record = Assert.Single(await Records());
        using var json = JsonDocument.Parse(record);
        var element = json.RootElement;
        for (var level = 1; level < 8; level++)
        {
            Assert.Equal(level.ToString(CultureInfo.InvariantCulture), element.GetProperty("Name").GetString());
            element = element.GetProperty("Next");
        }

        Assert.Equal("8", element.GetProperty("Name").GetString());
        Assert.Equal(levels == 8 ? 0 : 1, element.EnumerateObject().Count(static member => member.Name == "Next"));
        if (levels > 8)
            Assert.Equal("...", element.GetProperty("Next").GetString());
        Assert.Equal(0, Status().ObjectsFailed);
    }

    [Fact]
    public async Task What_follows_a_deep_member_is_kept()
    {
        Log("{@Item}", new { Deep = new[] { new[] { new[] { new[] { new[] { new[] { new[] { new[] { 1 } } } } } } } }, After = 2 });
        Assert.Equal(["""{"Deep":[[[[[[["..."]]]]]]],"After":2}"""], await Records());
    }

    [Fact]
    public async Task A_long_text_is_marked_where_it_is_cut_off_and_the_result_is_valid()
    {
        Start(static options => (options.MaxRecordSize, options.Format, options.Template) = (4096, "Json", null));
        // The most bytes of an object are three eighths of a record: 1536.
        object[] values =
        [
            new { Id = 7, Text = new string('x', 5000), After = 1 },
            new { Id = 7, Text = new string('\n', 5000), After = 1 },
            new { Id = 7, Text = string.Concat(Enumerable.Repeat("\u20ac", 5000)), After = 1 },
            new { Id = 7, Numbers = Enumerable.Range(0, 5000).ToArray() },
            new { Id = 7, Items = Enumerable.Range(0, 5000).Select(static i => new { Name = "n" + i, On = true }).ToArray() },
            new SortedDictionary<string, object>(Enumerable.Range(0, 5000).ToDictionary(static i => $"key{i:D5}", static i => (object)i)) { ["A"] = 7 },
            new { Id = 7, Endless = Endless() },
        ];
        foreach (var value in values)
            Log("{@Item}", value);
        var endless = new { Id = 7, Text = new string('x', 10_000_000), After = 1 };
        Log("{@Item}", endless);
        // The mark is where the rest would be.
        string[] cut =
        [
            """^\{"Id":7,"Text":"x+\.\.\."\}$""",
            """^\{"Id":7,"Text":"(\\n)+\.\.\."\}$""",
            """^\{"Id":7,"Text":"\u20ac+\.\.\."\}$""",
            """^\{"Id":7,"Numbers":\[(\d+,)+"\.\.\."\]\}$""",
            """^\{"Id":7,"Items":\[(\{"Name":"n\d+","On":true\},)+.*"\.\.\.".*\]\}$""",
            """^\{"A":7(,"key\d{5}":\d+)+,"\.\.\.":"\.\.\."\}$""",
            """^\{"Id":7,"Endless":\[(\d+,)+"\.\.\."\]\}$""",
        ];
        var records = await Records();
        Assert.Equal(8, records.Count);
        Assert.Contains("\"Item\":{\"Id\":7,\"Text\":\"...\"}", records[^1], StringComparison.Ordinal);
        foreach (var (record, expected) in records.SkipLast(1).Zip(cut))
        {
            using var json = JsonDocument.Parse(record);
            var state = json.RootElement.GetProperty("State");
            var item = state.GetProperty("Item");
            var text = item.GetRawText();
            Assert.InRange(Encoding.UTF8.GetByteCount(text), 1400, 1536);
            Assert.Matches(expected, text);
            Assert.Equal(text, json.RootElement.GetProperty("Message").GetString());
            Assert.Equal(7, item.EnumerateObject().First().Value.GetInt32());
            Assert.Equal("{@Item}", state.GetProperty("{OriginalFormat}").GetString());
        }
        Assert.Equal(0, Status().ObjectsFailed);
        Assert.Equal(0, _pipeline!.Status.RenderErrors);
    }

    [Fact]
    public void Random_objects_stay_valid_json_at_every_length()
    {
        var random = new Random(4711);
        var wholes = 0;
        for (var limit = 64; limit < 600; limit++)
        {
            var json = JsonSerializer.Serialize(RandomValue(random, 0), new JsonSerializerOptions { MaxDepth = 64 });
            var output = new byte[limit];
            var bytes = Encoding.UTF8.GetBytes(json);
            var length = JsonShortening.Write(bytes, isWhole: true, 5, output);
            // Throws for what lies deeper, too.
            using var whole = JsonDocument.Parse(output.AsMemory(0, length), new JsonDocumentOptions { MaxDepth = 5 });
            // Nothing is cut off where there is room for a mark besides.
            if (bytes.Length + 32 <= limit && DepthOf(json) <= 5)
            {
                Assert.Equal(json, Encoding.UTF8.GetString(output, 0, length));
                wholes++;
            }
            else if (bytes.Length > limit)
            {
                Assert.Contains("...\"", Encoding.UTF8.GetString(output, 0, length), StringComparison.Ordinal);
            }

            for (var end = 1; end < bytes.Length; end += 1 + random.Next(40))
            {
                length = JsonShortening.Write(bytes.AsSpan(0, end), isWhole: false, 5, output);
                using var part = JsonDocument.Parse(output.AsMemory(0, length), new JsonDocumentOptions { MaxDepth = 5 });
            }
        }

        Assert.True(wholes > 50, $"{wholes} were whole");
    }

    [Fact]
    public async Task Options_of_the_application_decide()
    {
        _change = static options =>
        {
            (options.PropertyNamingPolicy, options.DefaultIgnoreCondition, options.Encoder) = (JsonNamingPolicy.CamelCase, JsonIgnoreCondition.Never, JavaScriptEncoder.Default);
            (options.MaxDepth, options.WriteIndented) = (2, true);
        };
        Log("{@Item}", new { Id = 1, None = (string?)null, Inner = new { Text = "\u00e9", Deep = new { A = 1 } } });
        Assert.Equal(["""{"id":1,"none":null,"inner":{"text":"\u00E9","deep":"..."}}"""], await Records());
    }

    [Fact]
    public async Task A_converter_of_the_application_comes_before_the_texts_of_AsyncLog()
    {
        _change = static options => options.Converters.Add(new FaultConverter());
        Log("{@Item} {@Other}", new TimeoutException("late"), new { Inner = new TimeoutException("late"), Type = typeof(int), Address = IPAddress.Loopback });
        Assert.Equal(["""{"text":"late"} {"Inner":{"text":"late"},"Type":"System.Int32","Address":"127.0.0.1"}"""], await Records());
    }

    [Fact]
    public async Task Contracts_of_the_application_come_first()
    {
        _change = static options => options.TypeInfoResolverChain.Insert(0, TestContext.Default);
        Log("{@Item} {@Other}", new Generated(1, null, DayOfWeek.Friday), new { A = 1 });
        Assert.Equal(["""{"number":1,"Day":"Friday"} {"A":1}"""], await Records());
    }

    [Fact]
    public async Task An_object_that_cannot_be_serialized_is_its_text_and_counted_and_reported_once_per_type()
    {
        Start(static options => (options.Format, options.Template) = ("Json", null));
        for (var i = 0; i < 3; i++)
        {
            Log("{@Item}", new Navigation());
            Log("{@Item}", new Outer(new Navigation()));
        }
        Log("{@Item}", new Dictionary<Outer, int> { [new Outer(null)] = 1 });
        Log("{@Item}", Asynchronous());
        var records = await Records();
        Assert.Equal(8, records.Count);
        Assert.All(records.Take(6), static (record, i) => Assert.Contains(
            i % 2 == 0 ? "\"Message\":\"a navigation\",\"State\":{\"Item\":\"a navigation\"" : "\"Item\":\"Outer { Inner = a navigation }\"",
            record,
            StringComparison.Ordinal));
        Assert.Contains("\"Item\":{\"Outer { Inner =  }\":1}", records[6], StringComparison.Ordinal);
        Assert.Contains("\"Item\":\"AsyncLog.Tests.Events.ObjectJsonTests+", records[7], StringComparison.Ordinal);

        var status = Status();
        Assert.Equal(8, status.ObjectsFailed);
        Assert.Equal(0, _pipeline!.Status.RenderErrors);
        Assert.Equal(4, status.ObjectProblems.Count);
        Assert.Equal("{@} writes AsyncLog.Tests.Events.ObjectJsonTests+Navigation as its ToString(): InvalidOperationException: the context is disposed.", status.ObjectProblems[0]);
        Assert.Equal(
            "{@} writes AsyncLog.Tests.Events.ObjectJsonTests+Outer as its ToString(): InvalidOperationException: the context is disposed.",
            status.ObjectProblems[1]);
        Assert.StartsWith(
            "{@} writes System.Collections.Generic.Dictionary`2[[AsyncLog.Tests.Events.ObjectJsonTests+Outer, ",
            status.ObjectProblems[2], StringComparison.Ordinal);
        Assert.Matches(
            @"^\{@\} writes AsyncLog\.Tests\.Events\.ObjectJsonTests\+<Asynchronous>\S* as its ToString\(\): NotSupportedException: ",
            status.ObjectProblems[3]);
        Assert.All(status.ObjectProblems, problem => Assert.Equal(2, _pipeline.Said.Split(problem).Length));
    }

    [Fact]
    public async Task A_text_that_throws_too_is_a_placeholder()
    {
        Log("{@Item} after", new Hostile());
        Assert.Equal(["<error: AsyncLog.Tests.Events.ObjectJsonTests+Hostile> after"], await Records());
        Assert.Equal(1, Status().ObjectsFailed);
    }

    [Fact]
    public async Task A_list_that_changes_while_it_is_read_harms_nothing()
    {
        Log("{@Item} after", new Changing());
        Assert.Equal(["1<error: System.InvalidOperationException> after"], await Records());
        Assert.Equal(1, Status().ObjectsFailed);
    }

    [Fact]
    public async Task A_converter_that_writes_lines_or_bytes_that_are_no_text_breaks_no_record()
    {
        Log("{@Item}", new RawJson("{\n\"a\":\r\n1}"u8.ToArray()));
        Log("{@Item}", new RawJson([(byte)'"', 0xFF, (byte)'"']));
        Log("{@Item}", new RawJson("\"\\ud800\""u8.ToArray()));
        Assert.Equal(["{ \"a\":  1}", "a raw text", "a raw text"], await Records());
        Assert.Equal(2, Status().ObjectsFailed);
    }

    [Fact]
    public async Task Control_characters_are_escaped_and_letters_and_zero_width_spaces_are_not()
    {
        Start(static options => (options.Format, options.Template) = ("Json", null));
        Log("{@Item}", new Dictionary<string, string> { ["k\u202E"] = "\u0001\u007F\u0085\u00A0\u00E9\u200B\u2028\u2066\u061C\uFEFF\uD83D\uDE00" });
        var record = Assert.Single(await Records());
        Assert.DoesNotContain(record, static character => character is < ' ' or '\u007F' or '\u0085' or '\u061C' or '\u2028' or '\u202E' or '\u2066');
        Assert.Contains("\"State\":{\"Item\":{\"k\\u202e\":\"\\u0001\\u007f\\u0085", record, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("\u00E9\u200B\\u2028\\u2066\\u061c", record, StringComparison.OrdinalIgnoreCase);
        using var json = JsonDocument.Parse(record);
        Assert.Equal("\u0001\u007F\u0085\u00A0\u00E9\u200B\u2028\u2066\u061C\uFEFF\uD83D\uDE00", json.RootElement.GetProperty("State").GetProperty("Item").GetProperty("k\u202E").GetString());
    }

    [Fact]
    public async Task Without_a_contract_the_report_says_what_to_add()
    {
        // As in an application that is compiled ahead: there is no reflection.
        _change = static options => options.TypeInfoResolver = TestContext.Default;
        Log("{@Item}", new Outer(null));
        Assert.Equal(["Outer { Inner =  }"], await Records());
        Assert.Equal(
            ["{@} writes AsyncLog.Tests.Events.ObjectJsonTests+Outer as its ToString(): no JSON contract. Add [JsonSerializable(typeof(Outer))] to a JsonSerializerContext, and insert it into the TypeInfoResolverChain of AsyncLogOptions.SerializerOptions."],
            Status().ObjectProblems);
    }

    [Fact]
    public async Task Without_a_contract_the_report_says_what_to_add_for_a_generic_type_and_that_an_anonymous_one_has_none()
    {
        _change = static options => options.TypeInfoResolver = TestContext.Default;
        Log("{@Item}", new Dictionary<Outer, int>());
        Log("{@Item}", new { Id = 1 });
        Assert.Equal(["", "{ Id = 1 }"], await Records());
        Assert.Equal(2, Status().ObjectProblems.Count);
        Assert.EndsWith(
            "as its ToString(): no JSON contract. Add [JsonSerializable(typeof(Dictionary<Outer, Int32>))] to a JsonSerializerContext, "
            + "and insert it into the TypeInfoResolverChain of AsyncLogOptions.SerializerOptions.",
            Status().ObjectProblems[0], StringComparison.Ordinal);
        Assert.EndsWith("as its ToString(): no JSON contract, which an anonymous type cannot have without reflection. Use a named type.", Status().ObjectProblems[1], StringComparison.Ordinal);
    }

    private static int DepthOf(string json)
    {
        var (depth, deepest) = (0, 0);
        foreach (var character in Strings().Replace(json, ""))
        {
            depth += character is '{' or '[' ? 1 : character is '}' or ']' ? -1 : 0;
            deepest = Math.Max(deepest, depth);
        }

        return deepest;
    }

    [GeneratedRegex("""
        "(\\.|[^"\\])*"
        """)]
    private static partial Regex Strings();

    private static IEnumerable<int> Endless()
    {
        for (var i = 0; ; i++)
            yield return i;
    }

    private static async IAsyncEnumerable<int> Asynchronous()
    {
        await Task.Yield();
        yield return 1;
    }

    private static object? RandomValue(Random random, int depth) => random.Next(depth > 9 ? 4 : 7) switch
    {
        0 => random.Next(),
        1 => null,
        2 => string.Concat(Enumerable.Range(0, random.Next(40)).Select(_ => random.Next(5) switch { 0 => "\"", 1 => "\\", 2 => "\uD83D\uDE00", 3 => "\n", _ => "a" })),
        3 => random.NextDouble(),
        4 => Enumerable.Range(0, random.Next(4)).Select(_ => RandomValue(random, depth + 1)).ToArray(),
        _ => Enumerable.Range(0, random.Next(5)).ToDictionary(i => $"n{i}\"", _ => RandomValue(random, depth + 1)),
    };

    private void Start(Action<TestOptions>? configure = null) => _pipeline ??= new TestPipeline(
        _sink, configure, process: options => _change?.Invoke(options.SerializerOptions));

    private void Log(string template, params object?[] values)
    {
        Start();
        _pipeline!.Logger.LogInformation(template, values);
    }

    private AsyncLogStatus Status() => _pipeline!.Control.GetStatus();

    private async Task<IReadOnlyList<string>> Records()
    {
        Assert.True(await _pipeline!.Flush());
        return _sink.Records;
    }

    private sealed class Node
    {
        public required string Name { get; init; }

        public Node? Next { get; set; }
    }

    private sealed class Fields
    {
        public int Public = 1;

        [JsonInclude]
        public int Included = 2;

        public int Property { get; } = 3;
    }

    // As a lazy property of an entity whose context is gone.
    private sealed class Navigation
    {
        public int Id { get; } = 1;

        public Node Customer => throw new InvalidOperationException("the context is disposed");

        public override string ToString() => "a navigation";
    }

    private sealed record Outer(Navigation? Inner);

    private sealed class Hostile
    {
        public int Value => throw new InvalidOperationException("no value");

        public override string ToString() => throw new InvalidOperationException("no text");
    }

    private sealed class Changing : IEnumerable<int>
    {
        private readonly List<int> _items = [1, 2, 3];

        public IEnumerator<int> GetEnumerator()
        {
            foreach (var item in _items)
            {
                _items.Add(item);
                yield return item;
            }
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    private sealed class FaultConverter : JsonConverter<TimeoutException>
    {
        public override TimeoutException Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, TimeoutException value, JsonSerializerOptions options)
        {
            writer.WriteStartObject();
            writer.WriteString("text", value.Message);
            writer.WriteEndObject();
        }
    }

    [JsonConverter(typeof(RawConverter))]
    private sealed record RawJson(byte[] Json)
    {
        public override string ToString() => "a raw text";
    }

    private sealed class RawConverter : JsonConverter<RawJson>
    {
        public override RawJson Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, RawJson value, JsonSerializerOptions options) => writer.WriteRawValue(value.Json, skipInputValidation: true);
    }

    internal sealed record Generated([property: JsonPropertyName("number")] int Number, string? Text, DayOfWeek Day);

    [JsonSerializable(typeof(Generated))]
    internal sealed partial class TestContext : JsonSerializerContext;
}
