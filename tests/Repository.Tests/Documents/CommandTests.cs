using System.Diagnostics;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Documents;

/// <summary>The commands of the documents: what they name of the repository is there.</summary>
public sealed partial class CommandTests
{
    private static readonly string[] Folders = ["src/", "tests/", "samples/", "bench/", "eng/", "docs/", "monitoring/", ".ci/"];
    private static readonly string[] Tiers = ["fast", "release", "platforms", "--all"];

    public static TheoryData<Block> Blocks => Document.BlocksOf("sh", "bash", "shell");

    [Theory]
    [MemberData(nameof(Blocks))]
    public void A_block_of_commands_names_scripts_and_projects_that_exist(Block block) => Assert.Equal([], Missing(block.Text));

    [Theory]
    [InlineData("dotnet run --project samples/WebAp", "samples/WebAp")]
    [InlineData("./tests.sh", "./tests.sh")]
    [InlineData("ASYNCLOG_RELEASE=1 ./test.sh fast Core.Test   # one project", "Core.Test")]
    public void A_mistake_in_a_block_is_found(string text, string missing) => Assert.Equal([missing], Missing(text));

    [Fact]
    public void The_commands_for_mutants_name_sources_that_exist()
    {
        string[] patterns = [.. Sources().Matches(File.ReadAllText(Path.Combine(Repository.Root, "docs/testing.md"))).SelectMany(static match => match.Groups[1].Value.Split(','))];
        Assert.NotEmpty(patterns);
        Assert.All(patterns, static pattern => Assert.NotEmpty(Directory.GetFiles(Path.Combine(Repository.Root, Path.GetDirectoryName(pattern)!), Path.GetFileName(pattern))));
    }

    [Fact]
    public async Task The_script_for_mutants_refuses_a_pattern_without_files()
    {
        using var script = Process.Start(new ProcessStartInfo("python3", ["eng/mutate.py", "--sources", "src/Core/Delivery/*.cs,src/Core/Missing/*.cs", "--tests", "tests/Core.Tests", "--count", "0"])
        {
            WorkingDirectory = Repository.Root,
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        })!;
        var said = await script.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await script.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.EndsWith("no file matches 'src/Core/Missing/*.cs' of --sources\n", said, StringComparison.Ordinal);
        Assert.NotEqual(0, script.ExitCode);
    }

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

    [GeneratedRegex("--sources '([^']+)'", RegexOptions.None, 1_000)]
    private static partial Regex Sources();
}
