using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Primitives;

namespace AsyncLog.Tests.Records;

/// <summary>What capture hands over, as it arrives in a LogRecord: collections, names of holes, activities, records of a buffer.</summary>
public sealed class CapturedRecordTests
{
    [Fact]
    public async Task Only_an_array_of_bytes_is_bytes()
    {
        var record = await RecordOf(("bytes", new byte[] { 1 }), ("sbytes", new sbyte[] { -1 }), ("colors", new[] { Color.Red }), ("sizes", new[] { Size.Large }), ("uints", new[] { uint.MaxValue }), ("ulongs", new[] { 1ul }));
        Assert.Equal([1], ValueOf(record, "bytes").BytesValue.ToByteArray());
        Assert.Equal(-1, Assert.Single(ValueOf(record, "sbytes").ArrayValue.Values).IntValue);
        Assert.Equal("Red", Assert.Single(ValueOf(record, "colors").ArrayValue.Values).StringValue);
        Assert.Equal("Large", Assert.Single(ValueOf(record, "sizes").ArrayValue.Values).StringValue);
        Assert.Equal(uint.MaxValue, Assert.Single(ValueOf(record, "uints").ArrayValue.Values).IntValue);
        Assert.Equal(1, Assert.Single(ValueOf(record, "ulongs").ArrayValue.Values).IntValue);
    }

    [Fact]
    public async Task A_header_that_HttpClientFactory_redacts_is_in_no_attribute()
    {
        using var harness = new OtlpHarness(static options => options.LogLevel["Default"] = LogLevel.Trace);
        await HeaderRequest.Send(harness.Factory);
        var records = (await harness.TakeAsync()).Select(static record => record.Decoded().ToString()!).ToArray();
        Assert.Contains(records, static record => record.Contains("Authorization: *", StringComparison.Ordinal));
        Assert.All(records, static record => Assert.DoesNotContain(HeaderRequest.Secret, record, StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_element_and_a_document_of_json_are_what_they_hold()
    {
        using var document = JsonDocument.Parse("{\"a\":1,\"b\":[true,null,\"x\"]}");
        var record = await RecordOf(("document", document), ("element", document.RootElement), ("text", document.RootElement.GetProperty("b")[2]), ("number", document.RootElement.GetProperty("a")));
        foreach (var key in (string[])["document", "element"])
        {
            var members = ValueOf(record, key).KvlistValue.Values;
            Assert.Equal(["a", "b"], members.Select(static member => member.Key));
            Assert.Equal(1, members[0].Value.IntValue);
            var items = members[1].Value.ArrayValue.Values;
            Assert.Equal((3, true, "x"), (items.Count, items[0].BoolValue, items[2].StringValue));
            Assert.Equal(Protocol.AnyValue.ValueOneofCase.None, items[1].ValueCase);
        }

        Assert.Equal("x", ValueOf(record, "text").StringValue);
        Assert.Equal(1, ValueOf(record, "number").IntValue);
    }

    [Fact]
    public async Task A_document_of_json_that_is_disposed_is_a_placeholder()
    {
        using var harness = new OtlpHarness();
        var document = JsonDocument.Parse("{}");
        document.Dispose();
        harness.Logger().Log(LogLevel.Information, default, new List<KeyValuePair<string, object?>> { new("json", document), new("next", 1) }, null, static (_, _) => "m");
        var record = Assert.Single(await harness.TakeAsync()).Decoded();
        Assert.Equal("<error: System.Text.Json.JsonDocument>", ValueOf(record, "json").StringValue);
        Assert.Equal(1, ValueOf(record, "next").IntValue);
        Assert.Equal(1, harness.Status.RenderErrors);
    }

    [Fact]
    public async Task A_lazy_sequence_is_enumerated_once_for_body_and_attribute()
    {
        using var harness = new OtlpHarness();
        var queue = new Queue<int>([1, 2, 3]);
        harness.Logger().LogInformation("taken {Items} {Pairs}", Take(), Take().Select(static i => KeyValuePair.Create("k", i)));
        var record = Assert.Single(await harness.TakeAsync()).Decoded();
        Assert.Equal("taken 1, 2, 3 ", record.Body.StringValue);
        Assert.Equal([1L, 2L, 3L], ValueOf(record, "Items").ArrayValue.Values.Select(static value => value.IntValue));
        Assert.Empty(ValueOf(record, "Pairs").KvlistValue.Values);

        IEnumerable<int> Take()
        {
            while (queue.TryDequeue(out var next))
                yield return next;
        }
    }

    [Fact]
    public async Task Collections_of_pairs_are_key_value_lists_whatever_their_types()
    {
        var record = await RecordOf(
            ("json", JsonNode.Parse("{\"a\":1,\"b\":\"x\",\"c\":[true,null,1.5]}")),
            ("headers", new List<KeyValuePair<string, StringValues>> { new("Host", "h") }),
            ("pairs", new List<KeyValuePair<string, int>> { new("k", 7) }),
            ("read", new Dictionary<string, int> { ["k"] = 8 }.AsReadOnly()),
            ("empty", new List<KeyValuePair<string, int>>()),
            ("number", JsonValue.Create(5)));
        var json = ValueOf(record, "json").KvlistValue.Values;
        Assert.Equal(["a", "b", "c"], json.Select(static pair => pair.Key));
        Assert.Equal(1, json[0].Value.IntValue);
        Assert.Equal("x", json[1].Value.StringValue);
        var list = json[2].Value.ArrayValue.Values;
        Assert.Equal(3, list.Count);
        Assert.True(list[0].BoolValue);
        Assert.Equal(Protocol.AnyValue.ValueOneofCase.None, list[1].ValueCase);
        Assert.Equal(1.5, list[2].DoubleValue);
        var header = Assert.Single(ValueOf(record, "headers").KvlistValue.Values);
        Assert.Equal(("Host", "h"), (header.Key, Assert.Single(header.Value.ArrayValue.Values).StringValue));
        var ofList = Assert.Single(ValueOf(record, "pairs").KvlistValue.Values);
        Assert.Equal(("k", 7), (ofList.Key, ofList.Value.IntValue));
        var ofDictionary = Assert.Single(ValueOf(record, "read").KvlistValue.Values);
        Assert.Equal(("k", 8), (ofDictionary.Key, ofDictionary.Value.IntValue));
        Assert.Equal(Protocol.AnyValue.ValueOneofCase.KvlistValue, ValueOf(record, "empty").ValueCase);
        Assert.Empty(ValueOf(record, "empty").KvlistValue.Values);
        Assert.Equal(5, ValueOf(record, "number").IntValue);
    }

    [Fact]
    public async Task An_object_is_a_key_value_list_and_compact_json_in_the_body()
    {
        using var harness = new OtlpHarness(static options => options.AttributeValueLengthLimit = 3);
        var order = new
        {
            Id = 5,
            Large = ulong.MaxValue,
            Price = 1.5,
            Paid = true,
            Names = new[] { "a", "b\"c", "longer", "\u20ac\u20ac\u20ac\u20ac" },
            Inner = new Dictionary<string, object?> { ["k\""] = new object[] { 1, new { A = 2 } }, ["none"] = null, ["empty"] = new { } },
        };
        harness.Logger().LogInformation("placed {@Order} {@Text}", order, new Uri("http://a"));
        var record = Assert.Single(await harness.TakeAsync()).Decoded();
        Assert.Equal(
            """placed {"Id":5,"Large":18446744073709551615,"Price":1.5,"Paid":true,"Names":["a","b\"c","longer","€€€€"],"Inner":{"k\"":[1,{"A":2}],"none":null,"empty":{}}} http://a/""",
            record.Body.StringValue);
        var members = ValueOf(record, "Order").KvlistValue.Values;
        Assert.Equal(["Id", "Large", "Price", "Paid", "Names", "Inner"], members.Select(static pair => pair.Key));
        Assert.Equal(5, members[0].Value.IntValue);
        Assert.Equal("184", members[1].Value.StringValue);
        Assert.Equal(1.5, members[2].Value.DoubleValue);
        Assert.True(members[3].Value.BoolValue);
        Assert.Equal(["a", "b\"c", "lon", "\u20ac\u20ac\u20ac"], members[4].Value.ArrayValue.Values.Select(static value => value.StringValue));
        var inner = members[5].Value.KvlistValue.Values;
        Assert.Equal(["k\"", "none", "empty"], inner.Select(static pair => pair.Key));
        Assert.Equal(1, inner[0].Value.ArrayValue.Values[0].IntValue);
        Assert.Equal(2, Assert.Single(inner[0].Value.ArrayValue.Values[1].KvlistValue.Values).Value.IntValue);
        Assert.Equal(Protocol.AnyValue.ValueOneofCase.None, inner[1].Value.ValueCase);
        Assert.Equal(Protocol.AnyValue.ValueOneofCase.KvlistValue, inner[2].Value.ValueCase);
    }

    [Fact]
    public async Task Hundreds_of_members_of_an_object_are_written()
    {
        using var harness = new OtlpHarness();
        harness.Logger().LogInformation("{@Order}", Enumerable.Range(0, 500).ToDictionary(static i => "key" + i));
        var record = Assert.Single(await harness.TakeAsync()).Decoded();
        Assert.Equal(
            Enumerable.Range(0, 500).Select(static i => ("key" + i, (long)i)),
            ValueOf(record, "Order").KvlistValue.Values.Select(static pair => (pair.Key, pair.Value.IntValue)));
    }

    [Fact]
    public async Task The_name_of_a_hole_loses_its_sign()
    {
        using var harness = new OtlpHarness();
        harness.Logger().LogInformation("added {@Item} {$Number}", "apple", 7);
        var record = Assert.Single(await harness.TakeAsync()).Decoded();
        Assert.Equal(["Item", "Number", "{OriginalFormat}"], record.Attributes.Select(static pair => pair.Key));
        Assert.Equal("added {@Item} {$Number}", ValueOf(record, "{OriginalFormat}").StringValue);
    }

    [Theory]
    [InlineData(ActivityIdFormat.Hierarchical, new[] { "SpanId=s", "TraceId=t" })]
    [InlineData(ActivityIdFormat.W3C, new string[0])]
    public async Task The_ids_of_an_activity_are_attributes_where_they_are_no_fields(ActivityIdFormat format, string[] attributes)
    {
        using var harness = new OtlpHarness();
        ((ISupportExternalScope)harness.Provider).SetScopeProvider(new TrackingProvider());
        using var activity = new Activity("request").SetIdFormat(format).Start();
        harness.Provider.CreateLogger("C").LogInformation("m");
        var record = Assert.Single(await harness.TakeAsync()).Decoded();
        Assert.Equal(
            attributes,
            record.Attributes.Where(static pair => pair.Key != "{OriginalFormat}").Select(static pair => $"{pair.Key}={pair.Value.StringValue}"));
        Assert.Equal(format == ActivityIdFormat.W3C ? 16 : 0, record.TraceId.Length);
    }

    [Fact]
    public async Task An_empty_exception_of_a_buffered_record_is_none()
        => Assert.Empty((await RecordOf(new Buffered(""))).Attributes);

    [Fact]
    public async Task A_buffered_exception_without_attributes_is_the_text_alone()
        => Assert.Equal([("exception.stacktrace", "No such item")], Texts(await RecordOf(new Buffered("No such item"))));

    [Fact]
    public async Task Attributes_of_a_buffered_exception_win_and_stand_once()
        => Assert.Equal(
            // The library's own come first, those of the state keep their order.
            [("exception.message", "No such item"), ("Id", "7"), ("exception.stacktrace", "   at Shop.Cart.Add()"), ("exception.type", "Shop.Gone")],
            Texts(await RecordOf(new Buffered("No such item", new("Id", "7"), new("exception.stacktrace", "   at Shop.Cart.Add()"), new("exception.type", "Shop.Gone")))));

    [Fact]
    public async Task Attributes_win_over_the_exception_of_the_call()
    {
        using var harness = new OtlpHarness();
        List<KeyValuePair<string, object?>> state = [new("exception.message", "***"), new("exception.stacktrace", "at X")];
        harness.Logger().Log(LogLevel.Error, default, state, new InvalidOperationException("secret"), static (_, _) => "m");
        Assert.Equal(
            [("exception.type", "System.InvalidOperationException"), ("exception.message", "***"), ("exception.stacktrace", "at X")],
            Texts(Assert.Single(await harness.TakeAsync()).Decoded()));
    }

    private static async Task<Protocol.LogRecord> RecordOf(params (string Key, object? Value)[] state)
    {
        using var harness = new OtlpHarness();
        harness.Logger().Log(LogLevel.Information, default, state.Select(static pair => KeyValuePair.Create(pair.Key, pair.Value)).ToList(), null, static (_, _) => "m");
        return Assert.Single(await harness.TakeAsync()).Decoded();
    }

    private static async Task<Protocol.LogRecord> RecordOf(BufferedLogRecord buffered)
    {
        using var harness = new OtlpHarness();
        ((IBufferedLogger)harness.Provider.CreateLogger("C")).LogRecords([buffered]);
        return Assert.Single(await harness.TakeAsync()).Decoded();
    }

    private static Protocol.AnyValue ValueOf(Protocol.LogRecord record, string key) => Assert.Single(record.Attributes, pair => pair.Key == key).Value;

    private static IEnumerable<(string, string)> Texts(Protocol.LogRecord record) => record.Attributes.Select(static pair => (pair.Key, pair.Value.StringValue));

    private enum Color : byte
    {
        Red = 1,
    }

    private enum Size
    {
        Large = 1,
    }

    private sealed class Buffered(string exception, params KeyValuePair<string, object?>[] attributes) : BufferedLogRecord
    {
        public override DateTimeOffset Timestamp => DateTimeOffset.UnixEpoch;
        public override LogLevel LogLevel => LogLevel.Error;
        public override EventId EventId => default;
        public override string Exception => exception;
        public override string FormattedMessage => "m";
        public override IReadOnlyList<KeyValuePair<string, object?>> Attributes => attributes;
    }

    /// <summary>Hands over the scope of an activity as the factories of MEL and of Microsoft.Extensions.Telemetry do.</summary>
    private sealed class TrackingProvider : IExternalScopeProvider
    {
        public void ForEachScope<TState>(Action<object?, TState> callback, TState state)
        {
            var scope = new List<KeyValuePair<string, object?>> { new("SpanId", "s"), new("TraceId", "t") };
            Activity.Current!.SetCustomProperty("__ActivityLogScope__", scope);
            callback(scope, state);
        }

        public IDisposable Push(object? state) => throw new NotSupportedException();
    }
}
