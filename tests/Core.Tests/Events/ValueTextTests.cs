using System.Collections;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.Primitives;

namespace AsyncLog.Tests.Events;

public sealed class ValueTextTests
{
    private readonly FormatScratch _scratch = new();

    [Fact]
    public void Every_kind_has_its_text_in_every_culture() => Cultures.InEach(() =>
    {
        (object? Value, string Text)[] cases =
        [
            (null, ""), (true, "true"), (false, "false"), ('x', "x"), ("text", "text"), ((sbyte)-8, "-8"), ((byte)8, "8"), ((short)-16, "-16"),
            ((ushort)16, "16"), (-32, "-32"), (32u, "32"), (-64L, "-64"), (64ul, "64"), ((Int128)(-128), "-128"), ((UInt128)128, "128"), ((Half)(-1.5), "-1.5"),
            (1.25f, "1.25"), (-1234.5, "-1234.5"), (1E-05, "1E-05"), (0.1f, "0.1"), (double.PositiveInfinity, "Infinity"), (12.500m, "12.500"),
            (Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), "00112233-4455-6677-8899-aabbccddeeff"),
            (new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), "2026-01-02T03:04:05.0000000Z"),
            (new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(-7)), "2026-01-02T03:04:05.0000000-07:00"),
            (new DateOnly(2026, 1, 2), "2026-01-02"), (new TimeOnly(3, 4, 5), "03:04:05.0000000"), (TimeSpan.FromSeconds(-90), "-00:01:30"),
            (DayOfWeek.Friday, "Friday"), (new Uri("http://x/ä?q=1"), "http://x/ä?q=1"), (new Version(1, 2), "1.2"), (new byte[] { 1, 2 }, "AQI="),
            (new Memory<byte>([1, 2]), "AQI="), (new BigInteger(-5), "-5"), (new Money(-1.5m), "-1.5 EUR"), (new NullToString(), ""),
            (new[] { 1, 2 }, "[1,2]"), (new Hashtable { ["k"] = 1.5 }, "{\"k\":1.5}"), (new StringBuilder("sb"), "sb"),
        ];
        foreach (var (value, text) in cases)
            Assert.Equal(text, TextOf(value));
        // The JSON of an object is a value of a template only.
        Assert.Equal(
            Enum.GetValues<LogValueKind>().Except([LogValueKind.Json]).Order(),
            cases.Select(static one => LogValue.FromObject(one.Value).Kind).Distinct().Order());
        Assert.Equal(0, _scratch.Errors);
    });

    [Fact]
    public void Values_at_the_ends_of_their_range_are_the_same_valid_JSON_in_every_culture() => Cultures.InEach(() =>
    {
        (object Value, string Json)[] cases =
        [
            (double.NaN, "\"NaN\""), (double.PositiveInfinity, "\"Infinity\""), (double.NegativeInfinity, "\"-Infinity\""), (float.NaN, "\"NaN\""),
            (float.PositiveInfinity, "\"Infinity\""), (Half.NegativeInfinity, "\"-Infinity\""), (double.MaxValue, "1.7976931348623157E+308"), (double.MinValue, "-1.7976931348623157E+308"),
            (double.Epsilon, "5E-324"), (-0.0, "-0"), (float.MinValue, "-3.4028235E+38"), (decimal.MaxValue, "79228162514264337593543950335"), (decimal.MinValue, "-79228162514264337593543950335"),
            (0.0000000000000000000000000001m, "0.0000000000000000000000000001"), (long.MinValue, "-9223372036854775808"), (ulong.MaxValue, "18446744073709551615"),
            (Int128.MinValue, "-170141183460469231731687303715884105728"), (DateTime.MinValue, "\"0001-01-01T00:00:00.0000000\""),
            (DateTime.MaxValue, "\"9999-12-31T23:59:59.9999999\""), (DateTimeOffset.MinValue, "\"0001-01-01T00:00:00.0000000+00:00\""),
            (TimeSpan.MinValue, "\"-10675199.02:48:05.4775808\""), (TimeSpan.MaxValue, "\"10675199.02:48:05.4775807\""), (DateOnly.MaxValue, "\"9999-12-31\""),
        ];
        foreach (var (value, json) in cases)
        {
            Assert.Equal(json, JsonOf(value));
            Assert.Equal(json.Trim('"'), TextOf(value));
            using (JsonDocument.Parse(json))
            {
            }
        }

        Assert.Equal(0, _scratch.Errors);
    });

    [Fact]
    public void What_throws_is_named_and_counted()
    {
        Assert.Equal("<error: AsyncLog.Tests.Formatting.ThrowingToString>", TextOf(new ThrowingToString()));
        Assert.Equal("<error: System.IO.IOException>", TextOf(new ThrowingSequence(3)));
        Assert.Equal("<error: AsyncLog.Tests.Formatting.LyingFormattable>", TextOf(new LyingFormattable()));
        Assert.Equal(3, _scratch.Errors);
        Assert.Equal("[1,\"<error: AsyncLog.Tests.Formatting.ThrowingToString>\",\"<error: System.IO.IOException>\",2]",
            TextOf(new object[] { 1, new ThrowingToString(), new ThrowingSequence(2), 2 }));
        Assert.Equal("\"<error: System.IO.IOException>\"", JsonOf(new ThrowingSequence(0)));
        Assert.Equal(6, _scratch.Errors);
    }

    [Fact]
    public void Bytes_are_base64_and_other_small_numbers_are_a_list()
    {
        Assert.Equal("AQI=", TextOf(new byte[] { 1, 2 }));
        Assert.Equal("[1,-2]", TextOf(new sbyte[] { 1, -2 }));
        Assert.Equal("[\"Red\",\"7\"]", TextOf(new[] { Color.Red, (Color)7 }));
        Assert.Equal("[\"Red\"]", JsonOf(new[] { Color.Red }));
        Assert.Equal("{\"k\":[\"Red\"]}", JsonOf(new Dictionary<string, object> { ["k"] = new[] { Color.Red } }));
        Assert.Equal("[4294967295]", JsonOf(new[] { uint.MaxValue }));
    }

    [Fact]
    public void Collections_of_pairs_are_objects_whatever_their_types()
    {
        Assert.Equal("{\"a\":1,\"b\":\"x\",\"c\":[true,null,1.5],\"d\":{}}", JsonOf(JsonNode.Parse("{\"a\":1,\"b\":\"x\",\"c\":[true,null,1.5],\"d\":{}}")!));
        Assert.Equal("{\"a\":1}", TextOf(new JsonObject { ["a"] = 1 }));
        Assert.Equal("{\"Host\":[\"h\"],\"Accept\":[\"a\",\"b\"]}", JsonOf(new List<KeyValuePair<string, StringValues>> { new("Host", "h"), new("Accept", new[] { "a", "b" }) }));
        Assert.Equal("{\"a\":1,\"b\":2}", JsonOf(new OnlyRead()));
        Assert.Equal("{\"a\":1,\"b\":2}", TextOf(new List<KeyValuePair<string, int>> { new("a", 1), new("b", 2) }));
        Assert.Equal("{\"1\":\"x\"}", JsonOf(new KeyValuePair<int, string>[] { new(1, "x") }));
        Assert.Equal("{}", JsonOf(new List<KeyValuePair<string, int>>()));
        Assert.Equal("{}", JsonOf(new JsonObject()));
    }

    [Fact]
    public void A_node_of_json_is_what_it_holds()
    {
        Assert.Equal("[1,18446744073709551615,1.5,\"x\",true,null,\"2026-11-20T00:00:00.0000000Z\"]",
            JsonOf(new JsonArray(1, ulong.MaxValue, 1.5, "x", true, null, new DateTime(2026, 11, 20, 0, 0, 0, DateTimeKind.Utc))));
        Assert.Equal("[1,18446744073709551615,1.5,\"x\",false]", JsonOf(JsonNode.Parse("[1,18446744073709551615,1.5,\"x\",false]")!));
        Assert.Equal("1", JsonOf(JsonValue.Create(1)));
        Assert.Equal("\"NaN\"", JsonOf(JsonValue.Create(double.NaN)));
        Assert.Equal("x", TextOf(JsonValue.Create("x")!));
    }

    [Fact]
    public void A_type_whose_untyped_enumerator_gives_no_pairs_is_read_by_its_typed_one()
        => Assert.Equal("{\"a\":1,\"b\":2}", JsonOf(new OnlyRead { Untyped = new[] { "not", "pairs" } }));

    [Fact]
    public void Pairs_that_throw_are_a_placeholder_and_too_many_are_cut()
    {
        Assert.Equal("\"<error: System.IO.IOException>\"", JsonOf(new OnlyRead { Fault = new IOException() }));
        Assert.Equal(
            $"{{{string.Join(',', Enumerable.Range(0, 128).Select(i => $"\"{i}\":{i}"))}}}",
            JsonOf(Enumerable.Range(0, 1000).Select(i => KeyValuePair.Create(i, i))));
    }

    [Fact]
    public void Collections_without_end_are_bounded()
    {
        var self = new List<object>();
        self.Add(self);
        Assert.Equal("[[[[[[[[null]]]]]]]]", TextOf(self));
        for (var i = 0; i < 200; i++)
            self.Add(self);
        Assert.InRange(TextOf(self).Length, 1000, 256 << 10);
        using var repeated = JsonDocument.Parse(TextOf(new RepeatedKeys()));
        Assert.Single(repeated.RootElement.EnumerateObject());
        object nested = 1;
        for (var i = 0; i < 100_000; i++)
            nested = new[] { nested };
        Assert.Equal("[[[[[[[[null]]]]]]]]", TextOf(nested));
        Assert.Equal($"[{string.Join(',', Enumerable.Repeat(1, 128))}]", TextOf(Ones()));
        Assert.Equal("{\"k\":\"v\"}", TextOf(new EndlessSequence()));

        static IEnumerable<int> Ones()
        {
            while (true)
                yield return 1;
        }
    }

    [Fact]
    public void Collections_have_at_most_128_elements()
    {
        var (list, map) = ($"[{string.Join(',', Enumerable.Range(0, 128))}]", $"{{{string.Join(',', Enumerable.Range(0, 128).Select(i => $"\"{i}\":{i}"))}}}");
        foreach (var count in (int[])[128, 129, 1000])
        {
            Assert.Equal((list, list), (TextOf(Enumerable.Range(0, count)), JsonOf(Enumerable.Range(0, count).ToArray())));
            Assert.Equal((map, map), (TextOf(Enumerable.Range(0, count).ToDictionary(i => i)), JsonOf(Enumerable.Range(0, count).ToDictionary(i => i))));
        }
    }

    [Fact]
    public void Of_equal_keys_the_last_wins_and_takes_the_last_place()
    {
        KeyValuePair<string, object?>[] pairs = [new("a", 1), new("b", new[] { 2, 3 }), new("c", "x"), new("a", 4), new("b", 5), new(null!, 6), new("d", 7)];
        Assert.Equal("{\"c\":\"x\",\"a\":4,\"b\":5,\"d\":7}", TextOf(pairs));
        Assert.Equal("{\"1\":\"two\"}", TextOf(new OrderedKeys(1, "one", "1", "two")));
        Assert.Equal("{}", TextOf(new Dictionary<string, int>()));
    }

    [Fact]
    public void An_empty_key_is_dropped_from_the_json_layout_and_kept_in_compact_json()
    {
        KeyValuePair<string, string?>[] pairs = [new("", "e"), new("k", null)];
        Assert.Equal("{\"k\":null}", JsonOf(pairs));
        Assert.Equal("{\"\":\"e\",\"k\":null}", TextOf(pairs));
    }

    [Fact]
    public void Strings_in_compact_json_have_only_the_escapes_of_json()
    {
        Assert.Equal("[\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\u007F\u0085\u202E\"]", TextOf(new[] { "\"\\\b\f\n\r\t\u0001\u007F\u0085\u202E" }));
        Assert.Equal("[\"\\\"\\\\\\u0008\\u000c\\n\\r\\t\\u0001\\u007f\\u0085\\u202e\"]", JsonOf(new[] { "\"\\\b\f\n\r\t\u0001\u007F\u0085\u202E" }));
    }

    [Fact]
    public void Only_numbers_that_JSON_can_represent_are_JSON_numbers()
    {
        Assert.Equal("\"NaN\"", JsonOf(double.NaN));
        Assert.Equal("\"-Infinity\"", JsonOf(float.NegativeInfinity));
        Assert.Equal("\"NaN\"", JsonOf(Half.NaN));
        Assert.Equal("-5", JsonOf(new BigInteger(-5)));
        Assert.Equal("[1.5,\"\\uFFFD\",null,true,\"Friday\",\"1.2\"]".Replace("\\uFFFD", "\uFFFD", StringComparison.Ordinal),
            JsonOf(new object?[] { 1.5m, "\uD800", null, true, DayOfWeek.Friday, new Version(1, 2) }));
    }

    [Fact]
    public void Own_utf8_is_repaired_where_it_is_written()
    {
        Assert.Equal("\"a\uFFFD\\n\"", JsonOf(new BrokenUtf8()));
        Assert.Equal("[\"a\uFFFD\\n\"]", TextOf(new object[] { new BrokenUtf8() }));
        Assert.Equal(new string('l', 5000), TextOf(new LongFormattable(5000)));
    }

    private string TextOf(object? value)
    {
        var output = _scratch.NewValue();
        ValueText.Append(LogValue.FromObject(value), output, _scratch);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    private string JsonOf(object? value) => Raw.Text((ref Utf8Writer writer) => JsonText.Write(ref writer, LogValue.FromObject(value), _scratch));

    /// <summary>A dictionary with two keys of the same text.</summary>
    private sealed class OrderedKeys(params object[] items) : DictionaryBase, IDictionary
    {
        IDictionaryEnumerator IDictionary.GetEnumerator() => new Walk(items);

        private sealed class Walk(object[] items) : IDictionaryEnumerator
        {
            private int _index = -2;

            public DictionaryEntry Entry => new(items[_index], items[_index + 1]);

            public object Key => Entry.Key;

            public object? Value => Entry.Value;

            public object Current => Entry;

            public bool MoveNext() => (_index += 2) < items.Length;

            public void Reset() => _index = -2;
        }
    }

    private enum Color : byte
    {
        Red = 1,
    }

    /// <summary>A dictionary by <see cref="IReadOnlyDictionary{TKey, TValue}"/> alone.</summary>
    private sealed class OnlyRead : IReadOnlyDictionary<string, int>
    {
        public IEnumerable? Untyped { get; init; }
        public Exception? Fault { get; init; }
        public int Count => 2;
        public IEnumerable<string> Keys => throw new NotSupportedException();
        public IEnumerable<int> Values => throw new NotSupportedException();
        public int this[string key] => throw new NotSupportedException();

        public bool ContainsKey(string key) => throw new NotSupportedException();

        public bool TryGetValue(string key, out int value) => throw new NotSupportedException();

        public IEnumerator<KeyValuePair<string, int>> GetEnumerator()
        {
            yield return new("a", 1);
            if (Fault is not null)
                throw Fault;
            yield return new("b", 2);
        }

        IEnumerator IEnumerable.GetEnumerator() => Untyped?.GetEnumerator() ?? GetEnumerator();
    }
}
