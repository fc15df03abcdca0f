using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Documents;

/// <summary>The lists of faults and threats: every row names tests that exist, or says why there is none.</summary>
public sealed partial class CoverageTests
{
    private static readonly HashSet<string> Known = new(StringComparer.Ordinal) { "DiskTests.A_full_disk_degrades" };

    [Theory]
    [InlineData("tests/faults.md")]
    [InlineData("tests/security.md")]
    public void Every_row_names_tests_that_exist_or_says_why_there_is_none(string path)
    {
        var rows = CoverageTable.RowsOf(Document.At(path).Text);

        Assert.NotEmpty(rows);
        Assert.Equal([], rows.SelectMany(static row => CoverageTable.MistakesIn(row, CoverageTable.Tests)));
    }

    [Theory]
    [InlineData("| The disk is full | Logging degrades | `DiskTests.A_full_disk_degrades` |")]
    [InlineData("| The disk burns | Logging stops | not covered: no disk to spare |")]
    [InlineData("| The disk is slow | Logging waits | `DiskTests.A_full_disk_degrades`; a slow close is not covered: no such disk |")]
    public void A_row_with_a_test_or_a_reason_is_accepted(string row) => Assert.Empty(Mistakes(row));

    [Theory]
    [InlineData("| The disk is full | Logging degrades | `DiskTests.A_full_disk_degrads` |", "The disk is full: there is no test DiskTests.A_full_disk_degrads")]
    [InlineData("| The disk is full | Logging degrades | somewhere |", "The disk is full: no test, and no 'not covered: ' with a reason")]
    [InlineData("| The disk is full | Logging degrades | not covered: |", "The disk is full: no test, and no 'not covered: ' with a reason")]
    [InlineData("| The disk is full | | `DiskTests.A_full_disk_degrades` |", "The disk is full: a row has three cells")]
    public void A_mistake_in_a_row_is_found(string row, string mistake) => Assert.Equal([mistake], Mistakes(row));

    [Fact]
    public void The_tests_of_this_class_are_found()
        => Assert.Superset(
            new HashSet<string>(StringComparer.Ordinal) { $"CoverageTests.{nameof(The_tests_of_this_class_are_found)}", $"CoverageTests.{nameof(A_mistake_in_a_row_is_found)}" },
            new HashSet<string>(CoverageTable.Tests, StringComparer.Ordinal));

    [Fact]
    public void The_tests_behind_the_reliability_table_exist()
    {
        var page = Document.At("docs/testing.md").Text;
        var chapter = page[page.IndexOf("## Tests behind the reliability table", StringComparison.Ordinal)..page.IndexOf("## Simulation", StringComparison.Ordinal)];
        string[] names = [.. Sentence().Matches(chapter).Select(static match => match.Groups["name"].Value)];

        Assert.True(names.Length >= 10, string.Join(' ', names));
        Assert.Equal([], names.Except(CoverageTable.Tests.Select(static test => test.Split('.')[1]), StringComparer.Ordinal));
    }

    private static IEnumerable<string> Mistakes(string row)
        => CoverageTable.RowsOf($"| fault | expected behavior | test |\n|---|---|---|\n{row}\n").SelectMany(static cells => CoverageTable.MistakesIn(cells, Known));

    [GeneratedRegex(@"`(?<name>\w+_\w+)`", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Sentence();
}
