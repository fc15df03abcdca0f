using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Documents;

/// <summary>The programs of docs/testing-your-application.md print what their comments say, and its test passes.</summary>
public sealed partial class TestingPageTests
{
    private static Document Page => Document.At("docs/testing-your-application.md");

    [Theory]
    [InlineData("Test a class")]
    [InlineData("Test what a file contains")]
    public void A_program_prints_what_its_comments_say(string heading)
    {
        var block = Page.Below(heading).Single(static block => block.Language == "csharp");
        string[] expected = [.. Printed().Matches(block.Text).Select(static line => line.Groups["text"].Value)];

        Assert.NotEmpty(expected);
        Assert.Equal(expected, Moved.Output(block));
    }

    [Fact]
    public void Every_block_compiles_in_a_test_project_without_the_web_SDK()
    {
        var blocks = Page.Blocks.Where(static block => block.Language == "csharp").ToArray();
        Assert.True(blocks.Length >= 5, $"{blocks.Length} blocks");
        Assert.All(blocks, static block => Assert.Empty(new Code(block.Text, isWeb: false).Errors));
    }

    [Fact]
    public async Task The_test_of_the_page_passes()
    {
        var block = Page.Below("Read records in a test").Single(static block => block.Language == "csharp");
        var tests = new Code(block.Text).Load().GetType("CartTests")!;
        await (Task)tests.GetMethod("An_item_is_logged")!.Invoke(Activator.CreateInstance(tests), null)!;
    }

    [GeneratedRegex(@"^Console\.WriteLine\(.*\);\s+// (?<text>.*)$", RegexOptions.Multiline | RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Printed();
}
