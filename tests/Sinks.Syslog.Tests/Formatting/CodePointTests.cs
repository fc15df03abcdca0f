using System.Text;
using AsyncLog.Tests.Vectors;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>Every character in every field: one call is one record that a strict parser takes, and no control character reaches the wire.</summary>
public sealed class CodePointTests
{
    // So few that no value is longer than 1,024 bytes, where it would be truncated.
    private const int Together = 128;

    [Fact]
    public async Task No_character_of_any_field_forges_a_record_or_a_field()
    {
        using var harness = new SyslogHarness(static options =>
        {
            VectorOptions.Set(options, null);
            (options.Endpoint, options.Format) = (new Uri("unix:///dev/log"), "Rfc5424");
            options.MaxMessageSize = 65536;
        });
        for (var first = 0; first <= 0x10FFFF; first += Together)
        {
            var text = "x" + string.Concat(Enumerable.Range(first, Together).Where(Rune.IsValid).Select(static code => "|" + new Rune(code)));
            Log(harness, text);
            var bytes = Assert.Single(await harness.TakeAsync());

            Assert.DoesNotContain(bytes, static value => value is < 0x20 or 0x7F);
            var record = Rfc5424Parser.Parse(bytes);
            var expected = Escaped(text);
            Assert.Equal($"{expected}\\n{expected}", record.Message);
            Assert.Equal(expected, record.Value("log@32473", "category"));
            Assert.Equal(["log@32473", "prop@32473"], record.Ids);
            Assert.Equal(expected, Assert.Single(record.Parameters("prop@32473")).Value);
            Assert.Equal(expected, record.Value("log@32473", "exceptionMessage"));
        }
    }

    private static void Log(SyslogHarness harness, string text)
    {
        var state = new List<KeyValuePair<string, object?>> { new(text, text) };
        var exception = VectorException.Of("E", text, text);
        harness.Logger(text).Log(LogLevel.Information, new EventId(1, text), state, exception, (_, _) => text);
    }

    private static string Escaped(string text) => string.Concat(text.EnumerateRunes().Select(static rune =>
        rune.Value switch
        {
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            < 0x20 or (>= 0x7F and < 0xA0) or 0x61C or 0x200E or 0x200F or (>= 0x2028 and <= 0x202E) or (>= 0x2066 and <= 0x2069) => $"\\u{rune.Value:x4}",
            _ => rune.ToString(),
        }));
}
