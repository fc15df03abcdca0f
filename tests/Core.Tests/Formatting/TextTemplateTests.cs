using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Formatting;

public sealed class TextTemplateTests
{
    [Fact]
    public void The_default_template_parses()
    {
        Assert.True(TextTemplate.TryParse(TextTemplate.Default, out var template, out _));
        Assert.Equal(TextPlaceholder.Exception, template.Parts[^1].Placeholder);
        Assert.Null(LogFormatters.CheckTemplate(Said.Text(TextTemplate.Default)));
        Assert.Null(LogFormatters.CheckTemplate(Said.Json() with { Template = "}" }));
        Assert.StartsWith("column 1: ", LogFormatters.CheckTemplate(Said.Text("}")), StringComparison.Ordinal);
    }

    [Fact]
    public void Names_widths_formats_and_braces_are_read()
    {
        Assert.True(TextTemplate.TryParse("{{a}} {Level,-5:u3}{User.Name,8:x:y,z}", out var template, out _));
        Assert.Equal(
            [
                new TemplatePart(TextPlaceholder.Literal, "{a} "),
                new TemplatePart(TextPlaceholder.Level, "Level", -5, "u3"),
                new TemplatePart(TextPlaceholder.Property, "User.Name", 8, "x:y,z"),
            ],
            template.Parts);
    }

    [Theory]
    [InlineData("abc {", "column 5: ")]
    [InlineData("abc }", "column 5: ")]
    [InlineData("{a{b}", "column 1: ")]
    [InlineData("x{}", "column 3: ")]
    [InlineData("{ Level}", "column 2: ")]
    [InlineData("{Level,}", "column 8: ")]
    [InlineData("{Level,129}", "column 8: ")]
    [InlineData("{Level,0}", "column 8: ")]
    [InlineData("{Level,+5}", "column 8: ")]
    [InlineData("{Level:u4}", "column 8: 'u4' is not a format of {Level}")]
    [InlineData("{Category:x}", "column 11: ")]
    [InlineData("{Message:x}", "column 10: ")]
    [InlineData("{Timestamp:'}", "column 12: ")]
    [InlineData("{Properties:j}", "column 13: {Properties} takes no format")]
    public void An_error_names_its_column(string text, string expected)
    {
        Assert.False(TextTemplate.TryParse(text, out _, out var error));
        Assert.StartsWith(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public void No_text_breaks_the_parser()
    {
        var piece = Gen.Elements("{", "}", "{{", "}}", "Level", "Timestamp", ",", "-", ":", "5", "u3", " ", "ä", "\n", "x");
        Prop.ForAll(Arb.From(piece.ArrayOf().Select(string.Concat)), text =>
            TextTemplate.TryParse(text, out var template, out var error) ? template.Parts.All(part => part.Text.Length > 0) : error.StartsWith("column ", StringComparison.Ordinal))
            .QuickCheckThrowOnFailure();
    }
}
