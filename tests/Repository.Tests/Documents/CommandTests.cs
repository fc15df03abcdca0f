namespace AsyncLog.Tests.Documents;

/// <summary>The commands of the documents: what they name of the repository is there.</summary>
public sealed class CommandTests
{
    private static readonly string[] Folders = ["src/", "tests/", "samples/", "bench/", "eng/", "docs/", "monitoring/", ".ci/"];
    private static readonly string[] Tiers = ["fast", "release", "platforms", "--all", "mutants"];

    public static TheoryData<Block> Blocks => Document.BlocksOf("sh", "bash", "shell");

    [Theory]
    [MemberData(nameof(Blocks))]
    public void A_block_of_commands_names_scripts_and_projects_that_exist(Block block) => Assert.Equal([], Missing(block.Text));

    [Theory]
    [InlineData("dotnet run --project samples/WebAp", "samples/WebAp")]
    [InlineData("./tests.sh", "./tests.sh")]
    [InlineData("ASYNCLOG_RELEASE=1 ./test.sh fast Core.Test   # one project", "Core.Test")]
    public void A_mistake_in_a_block_is_found(string text, string missing) => Assert.Equal([missing], Missing(text));

    private static List<string> Missing(string text)
    {
        var missing = new List<string>();
        foreach (var words in text.Split('\n').Select(static line => line.Split(" #")[0].Split(' ', StringSplitOptions.RemoveEmptyEntries)))
        {
            missing.AddRange(words.Select(static word => word.Trim('\'', '"')).Where(static word => IsOurs(word) && !IsThere(word)));
            var script = Array.IndexOf(words, "./test.sh");
            if (script >= 0)
                missing.AddRange(words.Skip(script + 1).Where(static word => !Tiers.Contains(word) && !IsThere($"tests/{word}")));
        }

        return missing;
    }

    private static bool IsOurs(string word)
        => (word.StartsWith("./", StringComparison.Ordinal) || Array.Exists(Folders, folder => word.StartsWith(folder, StringComparison.Ordinal)))
            && !word.Contains("/bin/", StringComparison.Ordinal) && !word.Contains('*', StringComparison.Ordinal);

    private static bool IsThere(string word)
    {
        var path = Path.Combine(Repository.Root, word.TrimEnd('/'));
        return File.Exists(path) || Directory.Exists(path);
    }
}
