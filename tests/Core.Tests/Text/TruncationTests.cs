using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Text.Unicode;
using AsyncLog.Tests.Formatting;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Text;

public sealed partial class TruncationTests
{
    private const string Rich = "{Timestamp:O} {Category}|{EventName}|{Message}|{p0}|{Scopes}|{Properties}{NewLine}{Exception}";

    private static readonly Gen<string> Texts
        = Gen.Elements("a", "word ", "é", "€", "😀", "\n", "\r\n", "\t", "\u0001", "\"", "\\", "\\n", "\\u00", "\u202E", "\uD800", "=", "}")
            .ArrayOf().SelectMany(pieces => Gen.Elements(1, 1, 3, 40, 300).Select(times => string.Concat(Enumerable.Repeat(string.Concat(pieces), times))));

    private static readonly Gen<object?> Values = Gen.OneOf(
        Texts.Select(text => (object?)text), Gen.Choose(-5, 1 << 30).Select(number => (object?)number), Texts.ArrayOf().Select(list => (object?)list));

    [Fact]
    public void A_JSON_record_that_is_truncated_keeps_its_template()
    {
        var said = new Said { Message = "big", Template = "big {A} {B}", State = [("A", new string('a', 3000)), ("B", new string('b', 3000))] };
        var line = said.In(Said.Json() with { MaxRecordSize = 1024 });
        Assert.True(said.WasTruncated);
        using var record = System.Text.Json.JsonDocument.Parse(line);
        Assert.Equal("big {A} {B}", record.RootElement.GetProperty("State").GetProperty("{OriginalFormat}").GetString());
    }

    [Fact]
    public void A_text_record_keeps_its_limit_whatever_is_logged()
    {
        Prop.ForAll(Arb.From(Records()), Arb.From(Gen.Choose(1024, 5000)), Arb.From(Gen.Elements(Rich, TextTemplate.Default, "{Properties} {Level}", "{Message,100}{NewLine}{p1}")), (said, limit, template) =>
        {
            foreach (var layout in Layouts(Said.Text(template) with { MaxRecordSize = limit }))
            {
                var whole = said.Bytes(layout with { MaxRecordSize = 1 << 20 });
                var record = said.Bytes(layout);
                var text = Encoding.UTF8.GetString(record);
                var isGood = record.Length <= limit && Utf8.IsValid(record) && text[^1] == '\n' && !ForgedLine().IsMatch(text)
                    && said.WasTruncated == (whole.Length > limit)
                    && (said.WasTruncated ? IsOriginal(Mark().Match(text).Groups[1].ValueSpan, whole.Length, limit) : record.SequenceEqual(whole));
                if (!isGood)
                    throw new InvalidOperationException($"{limit}, {said.WasTruncated}, {whole.Length} -> {record.Length}: {text[^Math.Min(text.Length, 400)..]}");
            }
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(300));
    }

    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    public void A_json_record_keeps_its_limit_and_stays_json_whatever_is_logged(string format)
    {
        Prop.ForAll(Arb.From(Records()), Arb.From(Gen.Choose(1024, 5000)), (said, limit) =>
        {
            var layout = new RecordLayout { Format = format, MaxRecordSize = limit, Properties = new ConstantProperties([new("site", "a\n"), new("p1", "lost")]) };
            var whole = said.Bytes(layout with { MaxRecordSize = 1 << 20 });
            var record = said.Bytes(layout);
            using var document = JsonDocument.Parse(record, new JsonDocumentOptions { AllowDuplicateProperties = false });
            var hasMark = document.RootElement.TryGetProperty("Truncated", out var original);
            return record.Length <= limit && Utf8.IsValid(record) && said.WasTruncated == (whole.Length > limit)
                && (said.WasTruncated ? hasMark && IsOriginal(original.GetRawText(), whole.Length, limit) : record.SequenceEqual(whole));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(300));
    }

    [Fact]
    public void A_long_message_alone_takes_all_the_room()
    {
        var said = new Said { Message = new string('m', 5000) };
        var text = said.In(Said.Text() with { MaxRecordSize = 1024 });
        // All but eight bytes for each of the nine parts of the line, and a line end.
        Assert.InRange(text.Length, 1024 - (9 * 8) - 1, 1024);
        Assert.EndsWith("m... [truncated, 5049 bytes]\n", text, StringComparison.Ordinal);
        Assert.Equal(1024, said.In(Said.Json() with { MaxRecordSize = 1024 }).Length);
        Assert.Equal(1024, said.In(Said.Clef() with { MaxRecordSize = 1024 }).Length);
    }

    [Fact]
    public void Message_properties_and_exception_each_have_their_share()
    {
        var said = new Said { Message = new string('m', 9000), State = [("p", new string('p', 9000))], Exception = new StubException(new string('x', 9000)) };
        foreach (var layout in new[] { Said.Json(), Said.Clef(), Said.Text("{Message}|{p}{NewLine}{Exception}") })
        {
            var text = said.In(layout with { MaxRecordSize = 4096 });
            Assert.InRange(text.Count(c => c == 'm'), 1900, 2048);
            Assert.InRange(text.Count(c => c == 'p'), 850, 1024);
            Assert.InRange(text.Count(c => c == 'x'), 850, 1024);
            Assert.Equal(3, Dots().Count(text));
        }
    }

    [Fact]
    public void The_first_property_that_does_not_fit_is_truncated_if_it_is_a_text_and_the_rest_is_left_out()
    {
        var said = new Said { Message = new string('m', 5000), State = [("a", 1), ("b", new string('b', 900)), ("c", 3)] };
        Assert.Matches("\"State\":\\{\"a\":1,\"b\":\"b{50,300}\\.\\.\\.\"\\}", said.In(Said.Json() with { MaxRecordSize = 1024 }));
        Assert.Matches(",\"SourceContext\":\"Shop.Cart\",\"a\":1,\"b\":\"b{50,300}\\.\\.\\.\",\"Truncated\":\\d+\\}", said.In(Said.Clef() with { MaxRecordSize = 1024 }));
        Assert.Matches("a=1 b=b{50,300}\\.\\.\\. \\[", said.In(Said.Text("{Message}{Properties}") with { MaxRecordSize = 1024 }));
        said = new Said { Message = new string('m', 5000), State = [("a", 1), ("b", Enumerable.Range(1000, 128)), ("c", 3)], Scopes = ["s"] };
        Assert.EndsWith("\"State\":{\"a\":1},\"Truncated\":5806}\n", said.In(Said.Json() with { MaxRecordSize = 1024 }), StringComparison.Ordinal);
        var list = string.Join(',', Enumerable.Range(1000, 128));
        var whole = $"{{\"@t\":\"2026-11-20T11:31:07.4821234Z\",\"@m\":\"{said.Message}\",\"SourceContext\":\"Shop.Cart\",\"a\":1,\"b\":[{list}],\"c\":3,\"Scope\":[\"s\"]}}\n";
        Assert.EndsWith($",\"SourceContext\":\"Shop.Cart\",\"a\":1,\"Truncated\":{whole.Length}}}\n", said.In(Said.Clef() with { MaxRecordSize = 1024 }), StringComparison.Ordinal);
    }

    [Fact]
    public void Huge_names_and_messages_are_truncated_too()
    {
        var huge = new string('n', 10 << 20);
        var said = new Said { Message = huge, Category = huge, Id = new EventId(1, huge), State = [(huge, huge), ("k", 1)], Scopes = [huge], Exception = new StubException(huge) };
        foreach (var layout in new[] { Said.Json(), Said.Clef(), Said.Text(Rich), Said.Text(Rich) with { SingleLine = true } })
        {
            var output = new System.Buffers.ArrayBufferWriter<byte>();
            said.Render(LogFormatters.Create(layout, Said.Application, TimeProvider.System), new LogEvent(), output);
            Assert.InRange(output.WrittenCount, 40_000, layout.MaxRecordSize);
            Assert.True(said.WasTruncated);
        }
    }

    [Theory]
    [InlineData("abc", 2, false, "ab")]
    [InlineData("a😀", 4, false, "a")]
    [InlineData("a\\n", 2, false, "a")]
    [InlineData("a\\u001bx", 6, false, "a")]
    [InlineData("a\\u001bx", 7, false, "a\\u001b")]
    [InlineData("\\\\n", 2, false, "\\")]
    [InlineData("a\\bc", 2, false, "a\\")]
    [InlineData("a\n  b", 4, false, "a")]
    [InlineData("a\r\n  b", 4, false, "a")]
    [InlineData("a\\\\nb", 2, true, "a")]
    [InlineData("a\\\\nb", 3, true, "a\\\\")]
    [InlineData("a\\\\\\u202e", 8, true, "a\\\\")]
    public void A_text_is_truncated_between_characters_and_never_inside_an_escape(string text, int max, bool isJson, string expected)
    {
        var utf8 = Encoding.UTF8.GetBytes(text);
        Assert.Equal(expected, Encoding.UTF8.GetString(utf8.AsSpan(0, Truncation.Find(utf8, max, isJson ? EscapeStyle.Json : EscapeStyle.Text))));
    }

    [Theory]
    [InlineData(1000, 2000, 2000, 2000, 500, 250, 250)]
    [InlineData(1000, 100, 2000, 2000, 100, 650, 250)]
    [InlineData(1000, 2000, 0, 2000, 500, 0, 500)]
    [InlineData(1000, 2000, 0, 0, 1000, 0, 0)]
    [InlineData(1000, 100, 2000, 0, 100, 900, 0)]
    [InlineData(1000, 2000, 50, 100, 850, 50, 100)]
    [InlineData(-5, 10, 10, 10, 0, 0, 0)]
    public void Room_is_shared_in_order_and_passed_on(int room, long message, long properties, long exception, int forMessage, int forProperties, int forException)
        => Assert.Equal(new TruncationBudget(forMessage, forProperties, forException), TruncationBudget.Share(room, message, properties, exception));

    private static RecordLayout[] Layouts(RecordLayout layout) => [layout, layout with { SingleLine = true }, layout with { IndentNewLines = true }];

    private static Gen<Said> Records()
        => from texts in Texts.ArrayOf(4)
           from values in Values.ArrayOf()
           from exception in Gen.Elements(true, false)
           select new Said
           {
               Message = texts[0],
               Category = texts[1],
               Id = new EventId(0, texts[2]),
               State = [.. values.Select((value, i) => ("p" + i.ToString(CultureInfo.InvariantCulture), value))],
               Scopes = [texts[2], new NamedScope(texts[3], [new("s", values.FirstOrDefault())])],
               Exception = exception ? new StubException(texts[3]) : null,
           };

    // Exact as long as everything was rendered, else a lower bound.
    private static bool IsOriginal(ReadOnlySpan<char> text, int whole, int limit)
        => long.TryParse(text, CultureInfo.InvariantCulture, out var original) && original > limit && (whole <= 4 * limit ? original == whole : original <= whole);

    [GeneratedRegex(@" \[truncated, (\d+) bytes\]\n$")]
    private static partial Regex Mark();

    [GeneratedRegex("\n[^ ]")]
    private static partial Regex ForgedLine();

    [GeneratedRegex(@"\.\.\.")]
    private static partial Regex Dots();
}
