using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Documents;

/// <summary>The figures of speed that are written by hand are those of the measured tables.</summary>
public sealed partial class FiguresTests
{
    private static Document Tables => Document.At("docs/performance-tables.md");

    private static Document Summary => Document.At("docs/performance.md");

    [Fact]
    public void The_chart_of_the_summary_is_that_of_the_tables()
        => Assert.Equal(
            Tables.Blocks.First(static block => block is { Heading: "caller", Language: "text" }).Text,
            Summary.Blocks.Single(static block => block.Language == "text").Text);

    [Fact]
    public void Every_figure_of_the_summary_is_in_the_tables()
    {
        string[] lines = Summary.Text.Split('\n');
        string[] figures =
        [
            .. lines.Where(static line => line.StartsWith("| ", StringComparison.Ordinal)).SelectMany(static line => line.Split('|').Skip(2))
                .Select(static cell => Figure().Match(cell).Value).Where(static figure => figure.Length > 0),
            .. lines.Where(static line => line.StartsWith("- ", StringComparison.Ordinal)).SelectMany(static line => Figure().Matches(line)).Select(static match => match.Value),
        ];

        Assert.True(figures.Length > 25, string.Join(' ', figures));
        Assert.All(figures, static figure => Assert.Contains($" {figure} ", Tables.Text, StringComparison.Ordinal));
    }

    [Fact]
    public void The_nanoseconds_of_README_are_those_of_the_chart()
    {
        var chart = Summary.Blocks.Single(static block => block.Language == "text").Text;
        string[] figures = [.. Nanoseconds().Matches(Document.At("README.md").Text).Select(static match => match.Groups[1].Value.Replace(",", "", StringComparison.Ordinal))];

        Assert.Equal(4, figures.Length);
        Assert.All(figures, figure => Assert.Contains($" {figure} ", chart, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("docs/performance.md")]
    public void A_page_says_how_many_targets_are_missed(string path)
    {
        var measured = MeasuredGates().Match(Tables.Text);
        var claimed = ClaimedTargets().Match(Document.At(path).Text);

        Assert.Equal((measured.Groups["missed"].Value, measured.Groups["all"].Value), (claimed.Groups["missed"].Value, claimed.Groups["all"].Value));
        Assert.NotEmpty(claimed.Groups["all"].Value);
    }

    [Fact]
    public void No_document_and_no_result_names_a_folder_of_a_developers_machine()
    {
        Assert.All(
            (string[])["measured in /work/main", "/home/user/a", "file:///root/a", "/tmp/asynclog-bench/a"],
            static text => Assert.Matches(Folders(), text));
        var results = Directory.GetFiles(Path.Combine(Repository.Root, "docs"), "*.jsonl")
            .Select(static file => (Path: Path.GetFileName(file), Text: File.ReadAllText(file))).ToList();
        Assert.Equal(["performance.jsonl"], results.Select(static result => result.Path));
        Assert.NotEmpty(Document.All);
        Assert.Empty(Document.All.Select(static document => (document.Path, document.Text)).Concat(results)
            .Where(static file => Folders().IsMatch(file.Text)).Select(static file => $"{file.Path}: {Folders().Match(file.Text).Value}"));
    }

    [GeneratedRegex(@"[0-9][0-9.,]*[0-9]|[0-9]", RegexOptions.None, 1_000)]
    private static partial Regex Figure();

    [GeneratedRegex(@"([0-9,]+) ns\b", RegexOptions.None, 1_000)]
    private static partial Regex Nanoseconds();

    [GeneratedRegex(@"(?<all>\d+) measured: .*?(?<missed>\d+) are missed", RegexOptions.None, 1_000)]
    private static partial Regex MeasuredGates();

    [GeneratedRegex(@"(?<missed>\d+) of its (?<all>\d+) targets", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex ClaimedTargets();

    [GeneratedRegex(@"(?<![\w.])/(work|home|root)/\S*|/tmp/asynclog-bench\S*", RegexOptions.None, 1_000)]
    private static partial Regex Folders();
}
