using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Delivery;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Events;

/// <summary>The values of <c>{@Item}</c> and <c>{$Item}</c>.</summary>
public sealed partial class ObjectValueTests
{
    private static readonly Order Sample = new(5, ["a", "b"]) { Shipped = Speed.Fast, Note = null };

    private const string SampleJson = """{"Id":5,"Items":["a","b"],"Shipped":"Fast"}""";

    private readonly CapturingLogger _logger = new();
    private string _json = "";

    // The names of a generated method's properties may be those of its parameters.
    public ObjectValueTests() => _logger.Look = logEvent =>
    {
        _json = "";
        foreach (ref readonly var property in logEvent.Properties)
            _json = property.Name.Equals("Order", StringComparison.OrdinalIgnoreCase) ? Encoding.UTF8.GetString(property.Value.Json) : _json;
    };

    [Theory]
    [InlineData(1)]
    [InlineData(40)]
    public void Every_kind_of_call_serializes_the_object(int calls)
    {
        var define = LoggerMessage.Define<Order, int>(LogLevel.Information, default, "placed {@Order} in {Time}");
        var boxed = LoggerMessage.Define<Point, int>(LogLevel.Information, default, "at {@Order} in {Time}");
        for (var i = 0; i < calls; i++)
        {
            _logger.LogInformation("placed {@Order} in {Time}", Sample, 7);
            AssertIs($"placed {SampleJson} in 7", SampleJson);
            define(_logger, Sample, 7, null);
            AssertIs($"placed {SampleJson} in 7", SampleJson);
            boxed(_logger, new Point(1, 2), 7, null);
            AssertIs("""at {"X":1,"Y":2} in 7""", """{"X":1,"Y":2}""");
            Two(_logger, Sample, 7);
            AssertIs($"placed {SampleJson} in 7", SampleJson);
            Seven(_logger, 1, Sample, 3, null, 5, 6, 7);
            AssertIs($"1 {SampleJson} 3 (null) 5 6 7", SampleJson);
        }
    }

    [Fact]
    public void A_state_of_the_application_with_a_template_serializes_the_object()
    {
        _logger.Log(
            LogLevel.Information, default,
            new List<KeyValuePair<string, object?>> { new("extra", 1), new("Time", 7), new("@Order", Sample), new("{OriginalFormat}", "placed {@Order} in {Time}") },
            null, static (_, _) => "its formatter");
        AssertIs($"placed {SampleJson} in 7", SampleJson);

        // Without an argument of the template its message cannot be rendered.
        _logger.Log(
            LogLevel.Information, default,
            new List<KeyValuePair<string, object?>> { new("@Order", Sample), new("{OriginalFormat}", "placed {@Order} in {Time}") }, null, static (_, _) => "its formatter");
        AssertIs("its formatter", SampleJson);
    }

    [Fact]
    public async Task A_scope_serializes_the_object()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => options.Template = "{Message} {Scopes} {Order}");
        using (pipeline.Logger.BeginScope("of {@Order}", Sample))
            pipeline.Logger.LogInformation("placed");
        Assert.True(await pipeline.Flush());
        Assert.Equal([$"placed => of {SampleJson} {SampleJson}"], sink.Records);
    }

    [Fact]
    public void Scalars_strings_and_null_stay_what_they_are()
    {
        var when = new DateTimeOffset(2026, 11, 25, 1, 2, 3, TimeSpan.FromHours(1));
        (object? Value, string Message, string Property)[] cases =
        [
            (1, "1", "Int32 1"), (2L, "2", "Int64 2"), (1.5, "1.5", "Double 1.5"), (1.5m, "1.5", "Decimal 1.5"), (true, "True", "Boolean true"), ('c', "c", "Char c"),
            ("text", "text", "String text"), (null, "(null)", "Null "), (Speed.Fast, "Fast", "Enum Fast"), (TimeSpan.FromSeconds(1), "00:00:01", "TimeSpan 00:00:01"),
            (when, "11/25/2026 01:02:03 +01:00", "DateTimeOffset 2026-11-25T01:02:03.0000000+01:00"), (DateOnly.MinValue, "01/01/0001", "DateOnly 0001-01-01"),
            (Guid.Empty, "00000000-0000-0000-0000-000000000000", "Guid 00000000-0000-0000-0000-000000000000"),
        ];
        foreach (var (value, message, property) in cases)
        {
            foreach (var template in (string[])["{Item}|{Other}", "{@Item}|{Other}", "{$Item}|{Other}"])
                Assert.Equal((message + "|1", "Item " + property), Values(template, value));
        }

        // A format and a width apply to them too.
        _logger.LogInformation("{@Item:F2} {@Other,8}|", 1.239, "text");
        Assert.Equal("1.24     text|", _logger.Message);
    }

    [Fact]
    public void A_dollar_is_the_text_of_the_object()
    {
        _logger.LogInformation("{$Item} {$List} {$Node}", new Point(1, 2), new List<int> { 1, 2 }, new ThrowingText());
        Assert.Equal("Point { X = 1, Y = 2 } System.Collections.Generic.List`1[System.Int32] <error: AsyncLog.Tests.Events.ObjectValueTests+ThrowingText>", _logger.Message);
        Assert.Equal(1, _logger.RenderErrors);
        Assert.Equal(
            ["Item=Point { X = 1, Y = 2 }", "List=System.Collections.Generic.List`1[System.Int32]", "Node=<error: AsyncLog.Tests.Events.ObjectValueTests+ThrowingText>"],
            _logger.Properties);
    }

    [Fact]
    public async Task A_dollar_leaves_numbers_as_they_are_where_the_culture_has_another_minus_sign()
    {
        var sink = new TestSink();
        using var pipeline = new TestPipeline(sink, static options => (options.Format, options.Template) = ("Json", null));
        var before = CultureInfo.CurrentCulture;
        try
        {
            // Its minus sign is U+2212.
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("sv-SE");
            for (var i = 0; i < 40; i++)
                pipeline.Logger.LogInformation("{A} {$B} {$C}", new BigInteger(-5), new BigInteger(-6), (nint)(-7));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }

        Assert.True(await pipeline.Flush());
        Assert.Equal(40, sink.Records.Count);
        Assert.All(sink.Records, static record => Assert.Contains("""
            "Message":"-5 -6 -7","State":{"A":-5,"B":-6,"C":"-7",
            """, record, StringComparison.Ordinal));
    }

    [Fact]
    public void A_formatter_sees_the_json_and_the_object()
    {
        LogValueKind kind = default;
        object? held = null;
        var json = "";
        var text = "";
        _logger.Look = logEvent =>
        {
            var value = logEvent.Properties[0].Value;
            (kind, held) = (value.Kind, value.ToObject());
            Assert.Null(value.Object);
            json = Encoding.UTF8.GetString(value.Json);
            text = Encoding.UTF8.GetString(logEvent.GetText(value, 1000));
            Assert.Equal(text, value.ToString());
        };
        _logger.LogInformation("{@Order}", Sample);
        Assert.Equal(LogValueKind.Json, kind);
        Assert.Same(Sample, held);
        Assert.Equal(SampleJson, json);
        Assert.Equal(SampleJson, text);

        // An object whose JSON is a string is this string.
        _logger.LogInformation("{@Order,6}|", new Name("\u00e9\"x"));
        Assert.Equal("\"\u00e9\\\"x\"", json);
        Assert.Equal("\u00e9\"x", text);
        Assert.Equal("   \u00e9\"x|", _logger.Message);
    }

    [Fact]
    public void An_object_is_serialized_once_for_the_message_and_all_properties()
    {
        var counting = new Counting();
        var texts = new List<string>();
        _logger.Look = logEvent =>
        {
            texts.Add(Encoding.UTF8.GetString(logEvent.Message));
            texts.Add(Encoding.UTF8.GetString(logEvent.Properties[0].Value.Json));
            texts.Add(Encoding.UTF8.GetString(logEvent.GetText(logEvent.Properties[0].Value, 100)));
        };
        _logger.LogInformation("{@Order}", counting);
        Assert.Equal(["""{"Number":1}""", """{"Number":1}""", """{"Number":1}"""], texts);
        Assert.Equal(2, counting.Number);
    }

    [Fact]
    public void A_getter_that_logs_gets_an_event_of_its_own()
    {
        var messages = new List<string>();
        _logger.Look = logEvent => messages.Add(Encoding.UTF8.GetString(logEvent.Message));
        _logger.LogInformation("{@Outer} {@Order}", new Logging(_logger), Sample);
        Assert.Equal(["""inner {"X":3,"Y":4}""", $$"""{"Inner":1} {{SampleJson}}"""], messages);
        Assert.Equal(0, _logger.RenderErrors);
    }

    private void AssertIs(string message, string json)
    {
        Assert.Equal(message, _logger.Message);
        Assert.Equal(json, _json);
        Assert.Equal(0, _logger.RenderErrors);
    }

    private (string Message, string Properties) Values(string template, object? value)
    {
        var kinds = "";
        _logger.Look = logEvent => kinds = $"{logEvent.Properties[0].Name} {logEvent.Properties[0].Value.Kind} {logEvent.Properties[0].Value}";
        _logger.LogInformation(template, value, 1);
        _logger.Look = null;
        return (_logger.Message, kinds);
    }

    [LoggerMessage(1, LogLevel.Information, "placed {@Order} in {Time}")]
    private static partial void Two(ILogger logger, Order order, int time);

    [LoggerMessage(2, LogLevel.Information, "{A} {@Order} {C} {D} {E} {F} {G}")]
    private static partial void Seven(ILogger logger, int a, Order order, int c, string? d, int e, int f, int g);

    private sealed record Order(int Id, string[] Items)
    {
        public Speed Shipped { get; init; }

        public string? Note { get; init; }
    }

    private enum Speed
    {
        Slow,
        Fast,
    }

    private readonly record struct Point(int X, int Y);

    [JsonConverter(typeof(NameConverter))]
    private sealed record Name(string Text);

    private sealed class NameConverter : JsonConverter<Name>
    {
        public override Name Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => throw new NotSupportedException();

        public override void Write(Utf8JsonWriter writer, Name value, JsonSerializerOptions options) => writer.WriteStringValue(value.Text);
    }

    private sealed class ThrowingText
    {
        public override string ToString() => throw new InvalidOperationException("no text");
    }

    private sealed class Counting
    {
        private int _reads;

        public int Number => ++_reads;

        public override string ToString() => "counting";
    }

    private sealed class Logging(ILogger logger)
    {
        public int Inner
        {
            get
            {
                logger.LogInformation("inner {@Order}", new Point(3, 4));
                return 1;
            }
        }
    }
}
