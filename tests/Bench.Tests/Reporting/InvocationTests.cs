namespace AsyncLog.Tests.Reporting;

public sealed class InvocationTests
{
    [Fact]
    public void The_facts_name_no_folder_of_the_machine()
    {
        var folder = Path.TrimEndingDirectorySeparator(Path.GetTempPath());
        var facts = Invocation.Begin(folder, new BenchArguments([])).Facts!;

        Assert.NotEmpty(facts);
        Assert.All(facts.Values, fact => Assert.DoesNotContain(folder, fact, StringComparison.Ordinal));
        Assert.DoesNotContain(AppContext.BaseDirectory, facts["command"], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/home/me/bench/AsyncLog.Bench.dll report --json /tmp/r.jsonl", "AsyncLog.Bench.dll report --json r.jsonl")]
    [InlineData("--from /tmp/a.jsonl,/tmp/b.jsonl", "--from a.jsonl,b.jsonl")]
    [InlineData("DOTNET_CLI_HOME=/home/me", "DOTNET_CLI_HOME=me")]
    [InlineData(@"C:\Users\me\AsyncLog.Bench.dll", "AsyncLog.Bench.dll")]
    [InlineData("no file '/var/log/native.log'", "no file 'native.log'")]
    [InlineData("1000/s, 4 / 2, caller,even", "1000/s, 4 / 2, caller,even")]
    public void Of_a_path_from_the_root_only_its_end_is_kept(string text, string kept) => Assert.Equal(kept, Invocation.WithoutFolders(text));
}
