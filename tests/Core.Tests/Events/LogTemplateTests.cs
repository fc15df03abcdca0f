using System.Buffers;
using System.Text;
using AsyncLog.Tests.Formatting;

namespace AsyncLog.Tests.Events;

/// <summary>Templates for sinks with a layout of their own: plain text.</summary>
public sealed class LogTemplateTests
{
    private const string Everything = "{Level:u3} {Category:s} <{User}> {Message}|{NewLine}{Exception}";

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Nothing_is_escaped_or_indented_but_line_ends_of_message_and_exception_are_taken_off(bool isRenderedOnce)
    {
        var said = new Said { Category = "Shop.C\u001b[2Jart", Message = "a\tb\nc\r\n", State = [("User", "u\nv \u202e")], Exception = new StubException("x\r\ny\n") };

        Assert.Equal("INF C\u001b[2Jart <u\nv \u202e> a\tb\nc|\nx\r\ny", Text(said, Everything, isRenderedOnce: isRenderedOnce));
    }

    [Fact]
    public void What_is_no_UTF_8_is_repaired()
    {
        var said = new Said { Message = "lone \ud800", State = [("User", new Bytes([(byte)'a', 0xFF, 0xC3]))] };

        Assert.Equal("lone \ufffd a\ufffd\ufffd", Text(said, "{Message} {User}"));
    }

    [Theory]
    [InlineData("{Message}")]
    [InlineData("{Message,5}")]
    [InlineData("{User}")]
    public void A_long_text_ends_with_a_whole_character_and_has_what_was_wanted(string template)
    {
        foreach (var character in (string[])["é", "€", "😀"])
        {
            var many = string.Concat(Enumerable.Repeat(character, 20_000));
            var text = Text(new Said { Message = "m" + many, State = [("User", "m" + many)] }, template, length: 1000);
            Assert.InRange(Encoding.UTF8.GetByteCount(text), 1000, 10_000);
            Assert.Equal("m" + many[..(text.Length - 1)], text);
        }
    }

    [Fact]
    public void A_formatter_may_ask_for_the_message_beside_the_text()
    {
        var said = new Said { Message = "once\n" };

        Assert.Equal("[once]once\n[once]", Formatted(said, "[{Message}]", static (logEvent, template, output) =>
        {
            output.Write(logEvent.GetText(template, 100));
            output.Write(logEvent.Message);
            output.Write(logEvent.GetText(template, 100));
        }));
    }

    private static string Text(Said said, string template, int length = 1000, bool isRenderedOnce = true)
        => Formatted(said, template, (logEvent, compiled, output) => output.Write(logEvent.GetText(compiled, length)), isRenderedOnce);

    private static string Formatted(Said said, string template, Action<LogEvent, LogTemplate, IBufferWriter<byte>> format, bool isRenderedOnce = true)
    {
        // What text files may be told about line ends is not for these.
        var layout = new RecordLayout { Format = "Own", Template = template, IndentNewLines = true, SingleLine = true };
        var compiled = TextLayout.Unescaped(layout, Said.Application, TimeProvider.System)!;
        var output = new ArrayBufferWriter<byte>();
        said.Render(new Own((logEvent, written) => format(logEvent, compiled, written)), new LogEvent(), output, isRenderedOnce);
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    private sealed class Own(Action<LogEvent, IBufferWriter<byte>> format) : ILogFormatter
    {
        public void Format(LogEvent logEvent, IBufferWriter<byte> output) => format(logEvent, output);
    }

    private sealed class Bytes(byte[] utf8) : IUtf8SpanFormattable
    {
        public bool TryFormat(Span<byte> utf8Destination, out int bytesWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
        {
            var fits = utf8.AsSpan().TryCopyTo(utf8Destination);
            bytesWritten = fits ? utf8.Length : 0;
            return fits;
        }
    }
}
