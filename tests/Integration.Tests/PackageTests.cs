namespace AsyncLog.Integration;

[Trait("Category", "slow")]
public sealed class PackageTests
{
    // Packages that are on the machine already serve as a fallback; ours must come from the folder, so they get a cache of their own.
    private const string NuGetConfig =
        """
        <?xml version="1.0" encoding="utf-8"?>
        <configuration>
          <config>
            <add key="globalPackagesFolder" value="cache" />
          </config>
          <fallbackPackageFolders>
            <add key="machine" value="{0}" />
          </fallbackPackageFolders>
          <packageSources>
            <add key="packed" value="packages" />
          </packageSources>
        </configuration>
        """;

    [Fact]
    public async Task A_new_web_app_that_references_the_packed_package_logs_with_one_line()
    {
        using var folder = new TempFolder();
        foreach (var project in (string[])["src/Core/AsyncLog.csproj", "src/Sinks.File/AsyncLog.File.csproj"])
        {
            await Run(
                folder, "pack", Path.Combine(Repository.Root, project), "-c", "Release", "-o", folder.File("packages"), "--artifacts-path", folder.File("build"), "-p:RunAnalyzers=false");
        }

        await Run(folder, "new", "web", "-n", "Fresh", "-o", "web");
        File.WriteAllText(folder.File("nuget.config"), string.Format(System.Globalization.CultureInfo.InvariantCulture, NuGetConfig, MachinePackages()));
        await Run(folder, "add", folder.File("web"), "package", "AsyncLog.File", "--prerelease");
        AddTheLine(folder.File("web", "Program.cs"));
        await Run(folder, "build", folder.File("web"), "-c", "Release", "-o", folder.File("app"));

        using var app = new ChildProgram("dotnet", [folder.File("app", "Fresh.dll"), "--urls", "http://127.0.0.1:0"], folder.File("web"));

        // The last line of the start: before it the signal could be logged in the middle of the start.
        await Eventually.Holds(() => folder.Lines("web", "logs", "Fresh.log").Any(static line => line.Contains("Content root path", StringComparison.Ordinal)), () => "no log: " + app.Printed);
        app.Signal("TERM");
        Assert.Equal(0, await app.Ended());
        Assert.EndsWith("Application is shutting down...", folder.Lines("web", "logs", "Fresh.log")[^1], StringComparison.Ordinal);
    }

    private static void AddTheLine(string program)
    {
        const string builder = "var builder = WebApplication.CreateBuilder(args);";
        var text = File.ReadAllText(program);
        Assert.Contains(builder, text, StringComparison.Ordinal);
        File.WriteAllText(program, text.Replace(builder, builder + "\nbuilder.Logging.AddAsyncFile();", StringComparison.Ordinal));
    }

    private static string MachinePackages()
        => Environment.GetEnvironmentVariable("NUGET_PACKAGES") ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    private static async Task Run(TempFolder folder, params string[] arguments)
    {
        using var dotnet = new ChildProgram("dotnet", arguments, folder.Path, ("MSBUILDDISABLENODEREUSE", "1"), ("DOTNET_CLI_UI_LANGUAGE", "en"));
        Assert.True(await dotnet.Ended() == 0, $"dotnet {string.Join(' ', arguments)}:\n{dotnet.Printed}");
    }
}
