using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Page;

public sealed partial class ReasonWordsTests
{
    // Conditions that make a state degraded, and what the state computes itself.
    private static readonly string[] Conditions = ["drops", "queue_near_full", "configuration", "disk_low", "spooling", "spool_unwritable", "crash_buffer", "any_certificate"];

    [Fact]
    public void Every_reason_of_a_loss_and_of_a_state_has_words()
    {
        var losses = Enum.GetValues<DropReason>().Select(static reason => new DropCount(reason, LogLevel.None, 0).ReasonName);
        var sources = Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.cs", SearchOption.AllDirectories)
            .Where(static file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal)).ToArray();
        string[] classes =
        [
            .. sources.Where(static file => file.EndsWith("ErrorClass.cs", StringComparison.Ordinal)).SelectMany(static file => Codes(Named(), file)),
            .. sources.SelectMany(static file => Codes(Thrown(), file)),
        ];
        Assert.True(classes.Distinct(StringComparer.Ordinal).Count() >= 22, string.Join(' ', classes));
        Assert.Empty(losses.Concat(classes).Concat(Conditions).Where(static code => !ReasonWords.Table.ContainsKey(code)));
    }

    [Fact]
    public void The_guide_has_the_words_of_the_page_and_no_others()
    {
        var guide = File.ReadAllText(Path.Combine(Repository.Root, "docs", "operations.md"));
        var rows = Row().Matches(guide).Select(static row => (Code: row.Groups[1].Value, Words: row.Groups[2].Value)).ToArray();
        Assert.Equal(ReasonWords.Table.Select(static entry => (entry.Key, entry.Value)).Order(), rows.Order());
    }

    [Fact]
    public void The_words_of_different_reasons_differ()
        => Assert.Equal(ReasonWords.Table.Count, ReasonWords.Table.Values.Distinct(StringComparer.Ordinal).Count());

    private static IEnumerable<string> Codes(Regex pattern, string file) => pattern.Matches(File.ReadAllText(file)).Select(static match => match.Groups[1].Value);

    [GeneratedRegex("const string \\w+ = \"([a-z_]+)\";")]
    private static partial Regex Named();

    [GeneratedRegex("(?:new LogSinkException|BrokenPipe => new|NoData => new)\\(\"([a-z_]+)\"")]
    private static partial Regex Thrown();

    [GeneratedRegex(@"^\| `([a-z_]+)` \| ([^|]+) \|", RegexOptions.Multiline)]
    private static partial Regex Row();
}
