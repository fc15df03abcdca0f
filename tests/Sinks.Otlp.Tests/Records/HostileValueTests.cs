using System.Collections;
using System.Globalization;
using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.Logging;
using Newtonsoft.Json.Linq;

namespace AsyncLog.Tests.Records;

public sealed class HostileValueTests
{
    [Fact]
    public async Task A_list_that_contains_itself_ends_at_level_nine()
    {
        List<object?> list = [1];
        list.Add(list);

        var record = await RecordOf(("p", list));

        var value = Assert.Single(record.Attributes).Value;
        for (var level = 1; level <= 8; level++)
        {
            Assert.Equal(2, value.ArrayValue.Values.Count);
            Assert.Equal(1, value.ArrayValue.Values[0].IntValue);
            value = value.ArrayValue.Values[1];
        }

        Assert.Equal(Protocol.AnyValue.ValueOneofCase.None, value.ValueCase);
    }

    [Fact]
    public async Task A_list_full_of_itself_does_not_hold_the_caller()
    {
        List<object?> list = [];
        list.AddRange(Enumerable.Repeat(list, 128));
        using var harness = new OtlpHarness();

        Log(harness, ("p", list));

        Assert.InRange(Assert.Single(await harness.TakeAsync()).Bytes.Length, 1, 64 << 10);
        Assert.Equal(1, harness.Status.Truncated);
    }

    [Fact]
    public async Task Values_of_Json_NET_are_typed_values_and_nested_lists()
    {
        var record = await RecordOf(("object", JObject.Parse("""{"id":"play004","n":5,"next":[1,[2.5]],"ok":true}""")), ("text", new JValue("x")), ("null", JValue.CreateNull()));

        var members = record.Attributes[0].Value.KvlistValue.Values;
        Assert.Equal(["id", "n", "next", "ok"], members.Select(static member => member.Key));
        Assert.Equal(("play004", 5, true), (members[0].Value.StringValue, members[1].Value.IntValue, members[3].Value.BoolValue));
        Assert.Equal((1, 2.5), (members[2].Value.ArrayValue.Values[0].IntValue, members[2].Value.ArrayValue.Values[1].ArrayValue.Values[0].DoubleValue));
        Assert.Equal("x", record.Attributes[1].Value.StringValue);
        Assert.Equal(Protocol.AnyValue.ValueOneofCase.None, record.Attributes[2].Value.ValueCase);
    }

    [Fact]
    public async Task A_container_has_128_elements_at_most()
    {
        var record = await RecordOf(("numbers", Enumerable.Range(0, 1000)), ("map", Enumerable.Range(0, 1000).ToDictionary(static i => i)));

        Assert.Equal(Enumerable.Range(0, 128).Select(static i => (long)i), record.Attributes[0].Value.ArrayValue.Values.Select(static value => value.IntValue));
        Assert.Equal(
            Enumerable.Range(0, 128).Select(static i => (string.Create(CultureInfo.InvariantCulture, $"{i}"), (long)i)),
            record.Attributes[1].Value.KvlistValue.Values.Select(static pair => (pair.Key, pair.Value.IntValue)));
    }

    [Fact]
    public async Task A_collection_that_throws_is_a_placeholder_with_the_type_of_what_it_threw()
    {
        using var harness = new OtlpHarness();

        Log(harness, ("p", new ThrowingSequence()), ("q", new ThrowingText()));

        var record = await TakeOne(harness);
        Assert.Equal("<error: System.TimeoutException>", record.Attributes[0].Value.StringValue);
        Assert.Equal($"<error: {typeof(ThrowingText).FullName}>", record.Attributes[1].Value.StringValue);
        Assert.Equal(2, harness.Status.RenderErrors);
    }

    [Fact]
    public async Task A_message_that_throws_is_a_placeholder()
    {
        using var harness = new OtlpHarness();

        harness.Logger().Log(LogLevel.Error, default, "", VectorException.Of("Shop.MessageException", static () => throw new InvalidOperationException("no message"), static () => "text"), static (_, _) => "m");

        var record = await TakeOne(harness);
        Assert.Equal("<error: Shop.MessageException>", record.Attributes.Single(static pair => pair.Key == "exception.message").Value.StringValue);
        Assert.Equal("text", record.Attributes.Single(static pair => pair.Key == "exception.stacktrace").Value.StringValue);
    }

    [Fact]
    public async Task Aggregates_that_contain_their_children_twice_do_not_stall_the_caller()
    {
        Exception exception = new TimeoutException();
        for (var i = 0; i < 40; i++)
            exception = new AggregateException(exception, exception);
        using var harness = new OtlpHarness();

        harness.Logger().Log(LogLevel.Error, default, "", exception, static (_, _) => "m");

        var record = await TakeOne(harness);
        Assert.Equal("(2 inner exceptions)", record.Attributes.Single(static pair => pair.Key == "exception.message").Value.StringValue);
    }

    [Fact]
    public async Task The_text_of_an_exception_is_in_no_users_language()
    {
        using var harness = new OtlpHarness();
        var before = CultureInfo.CurrentUICulture;
        CultureInfo.CurrentUICulture = new CultureInfo("de-DE");
        try
        {
            harness.Logger().Log(LogLevel.Error, default, "", new CultureException(), static (_, _) => "m");
            Assert.Equal("de-DE", CultureInfo.CurrentUICulture.Name);
        }
        finally
        {
            CultureInfo.CurrentUICulture = before;
        }

        Assert.Equal("[]", (await TakeOne(harness)).Attributes.Single(static pair => pair.Key == "exception.stacktrace").Value.StringValue);
    }

    [Fact]
    public async Task A_time_before_1970_is_zero_and_left_out()
    {
        using var harness = new OtlpHarness();
        harness.Clock.Now = new DateTimeOffset(1969, 12, 31, 0, 0, 0, TimeSpan.Zero);

        Log(harness);

        var message = Assert.Single(await harness.TakeAsync()).Message();
        var record = Protocol.LogRecord.Parser.ParseFrom(message);
        Assert.Equal((0UL, 0UL), (record.TimeUnixNano, record.ObservedTimeUnixNano));
        Assert.Equal(record.CalculateSize(), message.Length);
    }

    [Fact]
    public async Task Every_NaN_is_written_in_the_canonical_form()
    {
        double[] forms = [double.NaN, -double.NaN, BitConverter.UInt64BitsToDouble(0x7FF0000000000001), BitConverter.UInt64BitsToDouble(0xFFFFFFFFFFFFFFFF), float.NaN, (double)Half.NaN];
        using var harness = new OtlpHarness();
        harness.Logger().Log(LogLevel.Information, default, new List<KeyValuePair<string, object?>> { new("v", forms) }, null, static (_, _) => "m");

        var record = await TakeOne(harness);

        var written = record.Attributes.Single(static pair => pair.Key == "v").Value.ArrayValue.Values.Select(static value => BitConverter.DoubleToUInt64Bits(value.DoubleValue));
        Assert.Equal(Enumerable.Repeat(0x7FF8000000000000UL, forms.Length), written);
    }

    [Fact]
    public async Task A_formatter_that_throws_gives_a_body_that_says_so()
    {
        using var harness = new OtlpHarness();

        harness.Logger().Log(LogLevel.Information, default, "", null, static (_, _) => throw new TimeoutException());

        Assert.Equal("<error formatting message: System.TimeoutException>", (await TakeOne(harness)).Body.StringValue);
    }

    [Fact]
    public async Task What_is_cut_is_shared_among_message_properties_and_exception()
    {
        using var harness = new OtlpHarness(static options => options.MaxRecordSize = 8192);
        List<KeyValuePair<string, object?>> state = [new("first", new string('p', 50_000)), new("second", 1)];

        harness.Logger().Log(
            LogLevel.Error, new EventId(7, new string('n', 50_000)), state, VectorException.Of("Shop.LongException", new string('e', 50_000), new string('s', 50_000)),
            static (_, _) => new string('m', 50_000));

        var logged = Assert.Single(await harness.TakeAsync());
        var record = logged.Decoded();
        Assert.InRange(logged.Bytes.Length, 8000, 8192);
        Assert.InRange(record.Body.StringValue.Length, 3000, 4096);
        Assert.EndsWith("m...", record.Body.StringValue, StringComparison.Ordinal);
        Assert.Equal(["logrecord.event.id", "exception.type", "exception.message", "exception.stacktrace", "first"], record.Attributes.Select(static pair => pair.Key));
        Assert.All(record.Attributes.Skip(2), static pair => Assert.EndsWith("...", pair.Value.StringValue, StringComparison.Ordinal));
        Assert.Equal(1U, record.DroppedAttributesCount);
        Assert.Equal(1, harness.Status.PropertiesLeftOut);
    }

    [Fact]
    public async Task What_throws_in_a_record_that_is_cut_is_one_error()
    {
        using var harness = new OtlpHarness();
        List<KeyValuePair<string, object?>> state = [new("q", new ThrowingText())];

        harness.Logger().Log(LogLevel.Information, default, state, null, static (_, _) => new string('m', 100_000));

        Assert.Single(await harness.TakeAsync());
        Assert.Equal(1, harness.Status.Truncated);
        Assert.Equal(1, harness.Status.RenderErrors);
    }

    private static async Task<Protocol.LogRecord> RecordOf(params (string Key, object? Value)[] state)
    {
        using var harness = new OtlpHarness();
        Log(harness, state);
        return await TakeOne(harness);
    }

    private static void Log(OtlpHarness harness, params (string Key, object? Value)[] state) => harness.Logger().Log(
        LogLevel.Information, default, state.Select(static pair => KeyValuePair.Create(pair.Key, pair.Value)).ToList(), null, static (_, _) => "m");

    private static async Task<Protocol.LogRecord> TakeOne(OtlpHarness harness) =>
        Assert.Single(await harness.TakeAsync()).Decoded();

    private sealed class ThrowingSequence : IEnumerable
    {
        public IEnumerator GetEnumerator()
        {
            yield return 1;
            throw new TimeoutException();
        }
    }

    private sealed class ThrowingText
    {
        public override string ToString() => throw new TimeoutException();
    }

    private sealed class CultureException : Exception
    {
        public override string ToString() => $"[{CultureInfo.CurrentUICulture.Name}]";
    }
}
