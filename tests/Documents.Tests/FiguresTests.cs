using System.Text.RegularExpressions;

namespace AsyncLog.Documents;

/// <summary>README's figures of speed are those of the report.</summary>
public sealed partial class FiguresTests
{
    private static Document Readme => Document.At("README.md");

    private static Document Report => Document.At("docs/performance.md");

    [Fact]
    public void The_chart_of_README_is_that_of_the_report()
        => Assert.Equal(
            Report.Blocks.First(static block => block is { Heading: "caller", Language: "text" }).Text,
            Readme.Blocks.Single(static block => block is { Heading: "Speed", Language: "text" }).Text);

    [Fact]
    public void README_says_how_many_gates_the_report_misses()
    {
        var report = ReportedGates().Match(Report.Text);
        var readme = ClaimedGates().Match(Readme.Text);

        Assert.Equal((report.Groups["missed"].Value, report.Groups["all"].Value), (readme.Groups["missed"].Value, readme.Groups["all"].Value));
        Assert.NotEmpty(readme.Groups["all"].Value);
    }

    [GeneratedRegex(@"(?<all>\d+) measured: .*?(?<missed>\d+) are missed", RegexOptions.None, 1_000)]
    private static partial Regex ReportedGates();

    [GeneratedRegex(@"(?<missed>\d+) of its (?<all>\d+) gates", RegexOptions.None, 1_000)]
    private static partial Regex ClaimedGates();
}
