namespace AsyncLog.Tests.Support;

/// <summary>Publishes a program of this repository as an application would be.</summary>
internal static class PublishedProgram
{
    /// <summary>Publishes for linux-x64 into <c>app</c>. In folders of its own, so that nothing that was built for these tests changes below them.</summary>
    public static async Task Publish(TempFolder folder, string project, params string[] options)
    {
        string[] arguments =
        [
            "publish", Path.Combine(Repository.Root, project), "-c", "Release", "-r", "linux-x64", "--self-contained", "-o", folder.File("app"),
            "--artifacts-path", folder.File("build"), "-p:RunAnalyzers=false", "-p:TreatWarningsAsErrors=true", .. options,
        ];
        using var publish = new ChildProgram("dotnet", arguments, folder.Path);
        var code = await publish.Ended();
        Assert.SkipWhen(publish.Printed.Contains("error NU110", StringComparison.Ordinal), "a package to publish with cannot be had: " + publish.Printed);
        Assert.True(code == 0, publish.Printed);
        Assert.DoesNotContain("warning IL", publish.Printed, StringComparison.Ordinal);
    }
}
