using System.Globalization;

namespace AsyncLog.Tests.Packages;

/// <summary>eng/package/version.sh in repositories of its own.</summary>
[Trait("Category", "slow")]
public sealed class VersionTests
{
    [Theory]
    [InlineData(null, 0, "0.1.0-dev.1")]
    [InlineData("v1.2.3", 0, "1.2.3")]
    [InlineData("v1.2.3", 2, "1.2.4-dev.2")]
    [InlineData("v2.0.0-rc.1", 0, "2.0.0-rc.1")]
    [InlineData("v2.0.0-rc.1", 12, "2.0.0-rc.1.dev.12")]
    public async Task The_version_is_that_of_the_tag_or_a_preview_of_the_next_one(string? tag, int commits, string version)
    {
        using var folder = new TempFolder();
        await Git(folder, "init", "-q");
        await Commit(folder, 1);
        if (tag is not null)
            await Git(folder, "tag", tag);
        await Commit(folder, commits);

        using var script = new ChildProgram(Path.Combine(Repository.Root, "eng", "package", "version.sh"), [], folder.Path);

        Assert.True(await script.Ended() == 0, script.Printed);
        Assert.Equal([version], script.Output);
    }

    [Fact]
    public async Task A_tag_that_is_no_version_is_refused()
    {
        using var folder = new TempFolder();
        await Git(folder, "init", "-q");
        await Commit(folder, 1);
        await Git(folder, "tag", "v1.2");

        using var script = new ChildProgram(Path.Combine(Repository.Root, "eng", "package", "version.sh"), [], folder.Path);

        Assert.Equal(1, await script.Ended());
        Assert.Matches(@"^v1\.2-0-g[0-9a-f]+: the tag is no version such as v1\.2\.3 or v1\.2\.3-rc\.1$", Assert.Single(script.Errors));
    }

    private static async Task Commit(TempFolder folder, int count)
    {
        for (var number = 0; number < count; number++)
            await Git(folder, "-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "-q", "--allow-empty", "-m", number.ToString(CultureInfo.InvariantCulture));
    }

    private static async Task Git(TempFolder folder, params string[] arguments)
    {
        using var git = new ChildProgram("git", arguments, folder.Path);
        Assert.True(await git.Ended() == 0, git.Printed);
    }
}
