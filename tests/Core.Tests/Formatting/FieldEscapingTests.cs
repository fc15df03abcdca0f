using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>Every character in every field: one call is one record start, and nothing raw reaches the file.</summary>
public sealed class FieldEscapingTests
{
    private const int Together = 256;
    private const string Template = "{Timestamp:O} [{Level:u3}] {Category}|{EventName}|{Message}|{v}|{Scopes}|{Properties}{NewLine}{Exception}";

    public static TheoryData<string> Fields() => ["message", "category", "event", "key", "value", "scope", "scopeKey", "exception"];

    [Theory]
    [MemberData(nameof(Fields))]
    public void No_character_of_any_field_starts_a_second_record(string field)
    {
        var layouts = new[] { Said.Text(Template), Said.Text(Template) with { IndentNewLines = true }, Said.Text(Template) with { SingleLine = true }, Said.Json(), Said.Clef() };
        var formatters = layouts.Select(layout => LogFormatters.Create(layout, Said.Application, new ZonedTime(TimeSpan.Zero))).ToArray();
        var logEvent = new LogEvent();
        var buffer = new RecordBuffer();
        for (var first = 0; first <= 0x10FFFF; first += Together)
        {
            var text = string.Concat(Enumerable.Range(first, Together).Where(Rune.IsValid).Select(code => "~" + new Rune(code)));
            var pieces = Enumerable.Range(first, Together).Count(Rune.IsValid) + (first == 0 ? 1 : 0);
            var said = With(field, text);
            foreach (var formatter in formatters)
            {
                buffer.Reset(1 << 20);
                said.Render(formatter, logEvent, buffer);
                Check(buffer.WrittenSpan, $"{field} U+{first:X4} {formatter}");
                // The field is in the record, all of it.
                Assert.InRange(buffer.WrittenSpan.Count((byte)'~'), pieces, 2 * pieces);
                if (formatter is JsonFormatter)
                    using (JsonDocument.Parse(Encoding.UTF8.GetString(buffer.WrittenSpan)))
                    {
                    }
            }
        }
    }

    private static Said With(string field, string text) => new()
    {
        Message = field == "message" ? text : "m",
        Category = field == "category" ? text : "c",
        Id = new EventId(1, field == "event" ? text : "e"),
        State = [("v", field == "value" ? text : "v"), (field == "key" ? text : "k", field == "value" ? new[] { text } : "kv")],
        Scopes = [field == "scope" ? text : "s", new NamedScope("n", [new(field == "scopeKey" ? text : "sk", 1)])],
        Exception = new StubException(field == "exception" ? text : "x"),
    };

    private static void Check(ReadOnlySpan<byte> record, string what)
    {
        var text = Encoding.UTF8.GetString(record);
        Assert.True(text[0] != ' ' && text[^1] == '\n', what);
        for (var i = 0; i < text.Length - 1; i++)
        {
            var isForged = text[i] == '\n' && text[i + 1] != ' ';
            var isControl = text[i] != '\n' && (text[i] < ' ' || text[i] is >= '\x7F' and < '\xA0');
            var isDirection = text[i] is '\u061C' or '\u200E' or '\u200F' or (>= '\u202A' and <= '\u202E') or (>= '\u2066' and <= '\u2069');
            if (isForged || isControl || isDirection || text[i] is '\u2028' or '\u2029')
                Assert.Fail($"{what}: {text}");
        }
    }
}
