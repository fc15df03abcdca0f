using System.Text;
using System.Text.Unicode;
using AsyncLog.Tests.Formatting;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Text;

public sealed class EscapingTests
{
    private static readonly EscapeStyle[] Styles = [EscapeStyle.Text, EscapeStyle.Json, EscapeStyle.CompactJson];

    [Fact]
    public void A_control_character_is_found_in_UTF_8_as_by_its_code_point()
    {
        for (var code = 0; code <= 0x10FFFF; code += code < 0x3000 ? 1 : 97)
        {
            if (code is >= 0xD800 and <= 0xDFFF)
                continue;
            var utf8 = System.Text.Encoding.UTF8.GetBytes(char.ConvertFromUtf32(code) + "z");
            var length = Escaping.DecodeControl(utf8, out var found);
            Assert.Equal(IsControl(code) ? code : -1, found);
            Assert.Equal(IsControl(code), Escaping.IsControl(code));
            if (found >= 0)
                Assert.Equal(utf8.Length - 1, length);
            else
                Assert.InRange(length, 1, utf8.Length - 1);
        }
    }

    [Fact]
    public void Every_character_is_escaped_as_the_table_says_in_every_style()
    {
        foreach (var style in Styles)
        {
            for (var code = 0; code <= 0x10FFFF; code++)
            {
                if (!Rune.IsValid(code))
                    continue;
                var text = "a" + new Rune(code) + "b";
                var expected = "a" + Expected(new Rune(code), style) + "b";
                if (expected != Escaped(text, style) || expected != EscapedBytes(Encoding.UTF8.GetBytes(text), style))
                    Assert.Fail($"U+{code:X4} in {style}: '{Escaped(text, style)}', expected '{expected}'");
            }
        }
    }

    [Fact]
    public void Text_of_any_length_gives_the_same_from_characters_and_from_bytes()
    {
        var piece = Gen.Elements("a", "é", "\n", "\u202E", "😀", "\\", "\"", "\u0085", "٪", "—", "\u0001");
        var texts = piece.ArrayOf().Resize(2000).Select(string.Concat);
        Prop.ForAll(Arb.From(texts), text => Styles.All(style =>
        {
            var expected = string.Concat(text.EnumerateRunes().Select(rune => Expected(rune, style)));
            return Escaped(text, style) == expected && EscapedBytes(Encoding.UTF8.GetBytes(text), style) == expected;
        })).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void Unpaired_surrogates_become_the_replacement_character()
    {
        foreach (var style in Styles.Append(EscapeStyle.None))
        {
            Assert.Equal("a\uFFFDb", Escaped("a\uD83Db", style));
            Assert.Equal("a\uFFFD", Escaped("a\uDE00", style));
            Assert.Equal("\uFFFD\uFFFD", Escaped("\uDE00\uD83D", style));
        }
    }

    [Fact]
    public void Surrogate_pairs_are_not_split_where_long_text_is_processed_in_parts()
    {
        for (var before = 500; before < 520; before++)
        {
            var text = new string('x', before) + "😀" + new string('y', 600);
            foreach (var style in Styles)
            {
                Assert.Equal(text, Escaped(text, style));
                // Beside an escape, which takes another path.
                Assert.Equal("\\t" + text[1..], Escaped("\t" + text[1..], style));
            }
        }
    }

    [Fact]
    public void Any_bytes_come_out_as_valid_utf8()
    {
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), bytes => Styles.All(style =>
        {
            var output = Raw.Bytes((ref Utf8Writer writer) => Escaping.Write(ref writer, bytes, style));
            var expected = string.Concat(Encoding.UTF8.GetString(bytes).EnumerateRunes().Select(rune => Expected(rune, style)));
            return Utf8.IsValid(output) && Encoding.UTF8.GetString(output) == expected;
        })).QuickCheckThrowOnFailure();
    }

    [Theory]
    [InlineData("a\nb", "a|b")]
    [InlineData("a\r\nb", "a|b")]
    [InlineData("a\rb\n", "a|b|")]
    [InlineData("a\n\r\nb\tc", "a||b\\tc")]
    public void Line_breaks_become_the_break_that_is_asked_for(string text, string expected)
    {
        Assert.Equal(expected, Raw.Text((ref Utf8Writer writer) => Escaping.WriteLines(ref writer, text, "|"u8)));
        Assert.Equal(expected, Raw.Text((ref Utf8Writer writer) => Escaping.WriteLines(ref writer, Encoding.UTF8.GetBytes(text), "|"u8)));
    }

    private static string Escaped(string text, EscapeStyle style) => Raw.Text((ref Utf8Writer writer) => Escaping.Write(ref writer, text, style));

    private static string EscapedBytes(byte[] utf8, EscapeStyle style) => Raw.Text((ref Utf8Writer writer) => Escaping.Write(ref writer, utf8, style));

    // The table of the specification, written down once more without cleverness.
    private static string Expected(Rune rune, EscapeStyle style)
    {
        var code = rune.Value;
        if (style != EscapeStyle.Text && (code is '"' or '\\'))
            return "\\" + rune;
        if (code == '\n')
            return "\\n";
        if (code == '\r')
            return "\\r";
        if (code == '\t')
            return "\\t";
        if (style == EscapeStyle.CompactJson && (code is '\b' or '\f'))
            return code == '\b' ? "\\b" : "\\f";
        return (style == EscapeStyle.CompactJson ? code < 0x20 : IsControl(code)) ? $"\\u{code:x4}" : rune.ToString();
    }

    private static bool IsControl(int code)
        => code is < 0x20 or (>= 0x7F and < 0xA0) or 0x61C or 0x200E or 0x200F or 0x2028 or 0x2029 or (>= 0x202A and <= 0x202E) or (>= 0x2066 and <= 0x2069);
}
