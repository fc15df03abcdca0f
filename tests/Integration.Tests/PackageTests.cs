using System.IO.Compression;
using System.Runtime.InteropServices;
using System.Xml.Linq;

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

    // The platforms whose assembly has code that is compiled ahead of time; all others compile the plain one.
    private static readonly string[] ReadyToRun = ["linux-arm64", "linux-x64", "win-x64"];

    [Fact]
    public async Task A_new_web_app_that_references_the_packed_package_logs_with_one_line()
    {
        using var folder = new TempFolder();
        foreach (var project in (string[])["src/Core/AsyncLog.csproj", "src/Sinks.File/AsyncLog.File.csproj"])
        {
            await Run(
                folder, "pack", Path.Combine(Repository.Root, project), "-c", "Release", "-o", folder.File("packages"), "--artifacts-path", folder.File("build"), "-p:RunAnalyzers=false");
        }

        Assert.Equal(
            [
                "Microsoft.Extensions.Diagnostics.HealthChecks 10.0.0", "Microsoft.Extensions.Hosting.Abstractions 10.0.0", "Microsoft.Extensions.Logging 10.0.0",
                "Microsoft.Extensions.Logging.Configuration 10.0.0", "Microsoft.Extensions.ObjectPool 10.0.0",
            ],
            PackedDependencies(folder, "AsyncLog.0*"));
        Assert.StartsWith("AsyncLog ", Assert.Single(PackedDependencies(folder, "AsyncLog.File.*")), StringComparison.Ordinal);
        foreach (var package in (string[])["AsyncLog", "AsyncLog.File"])
        {
            Assert.Equal(
                [$"lib/net10.0/{package}.dll", .. ReadyToRun.Select(platform => $"runtimes/{platform}/lib/net10.0/{package}.dll")],
                PackedAssemblies(folder, package + ".0*"));
        }

        await Run(folder, "new", "web", "-n", "Fresh", "-o", "web");
        File.WriteAllText(folder.File("nuget.config"), string.Format(System.Globalization.CultureInfo.InvariantCulture, NuGetConfig, MachinePackages()));
        await Run(folder, "add", folder.File("web"), "package", "AsyncLog.File", "--prerelease");
        AddTheLine(folder.File("web", "Program.cs"));
        await Run(folder, "build", folder.File("web"), "-c", "Release", "-o", folder.File("app"));

        using var app = new ChildProgram("dotnet", [folder.File("app", "Fresh.dll"), "--urls", "http://127.0.0.1:0"], folder.File("web"));

        // The last line of the start: before it the signal could be logged in the middle of the start.
        await Eventually.Holds(() => folder.Lines("web", "logs", "Fresh.log").Any(static line => line.Contains("Content root path", StringComparison.Ordinal)), () => "no log: " + app.Printed);
        // The assemblies that the process has mapped are those with ReadyToRun code.
        Assert.Contains($"/runtimes/{RuntimeInformation.RuntimeIdentifier}/lib/net10.0/AsyncLog.dll", File.ReadAllText($"/proc/{app.Id}/maps"), StringComparison.Ordinal);
        app.Signal("TERM");
        Assert.Equal(0, await app.Ended());
        Assert.EndsWith("Application is shutting down...", folder.Lines("web", "logs", "Fresh.log")[^1], StringComparison.Ordinal);
    }

    // A new dependency, or a higher floor, is a change for every application: it is made here, in the changelog, and never by the way.
    [Theory]
    [InlineData(
        "Core", "Microsoft.Extensions.Diagnostics.HealthChecks 10.0.0", "Microsoft.Extensions.Hosting.Abstractions 10.0.0", "Microsoft.Extensions.Logging 10.0.0",
        "Microsoft.Extensions.Logging.Configuration 10.0.0", "Microsoft.Extensions.ObjectPool 10.0.0")]
    [InlineData("Sinks.File", "../Core/AsyncLog.csproj")]
    [InlineData("Sinks.Console", "../Core/AsyncLog.csproj")]
    [InlineData("Sinks.Syslog", "../Core/AsyncLog.csproj")]
    [InlineData("Sinks.Otlp", "../Core/AsyncLog.csproj", "OpenTelemetry 1.20.1")]
    [InlineData("Tool", "../Core/AsyncLog.csproj")]
    [InlineData("Dashboard", "../Core/AsyncLog.csproj", "Microsoft.AspNetCore.App")]
    public void S41_M10_A_package_depends_on_what_is_listed_here_at_these_floors(string project, params string[] dependencies)
        => Assert.Equal(dependencies, DeclaredDependencies(project));

    [Fact]
    public void S41_Every_package_is_listed()
        => Assert.Equal(
            ["Core", "Dashboard", "Sinks.Console", "Sinks.File", "Sinks.Otlp", "Sinks.Syslog", "Tool"],
            Directory.GetDirectories(Path.Combine(Repository.Root, "src")).Where(static folder => Directory.GetFiles(folder, "*.csproj").Length > 0).Select(Path.GetFileName).Order(StringComparer.Ordinal));

    private static IEnumerable<string> DeclaredDependencies(string project)
    {
        var versions = XDocument.Load(Path.Combine(Repository.Root, "Directory.Packages.props"));
        var folder = Path.Combine(Repository.Root, "src", project);
        var references = XDocument.Load(Assert.Single(Directory.GetFiles(folder, "*.csproj"))).Descendants()
            .Where(static element => element.Name.LocalName is "PackageReference" or "ProjectReference" or "FrameworkReference" && element.Attribute("PrivateAssets")?.Value != "all");
        return references.Select(reference => reference.Name.LocalName == "PackageReference" ? $"{Named(reference)} {VersionOf(Named(reference), versions)}" : Named(reference))
            .Order(StringComparer.Ordinal);
    }

    private static string Named(XElement reference) => reference.Attribute("Include")!.Value;

    private static string VersionOf(string package, XDocument versions)
    {
        var version = versions.Descendants("PackageVersion").Single(element => Named(element) == package).Attribute("Version")!.Value;
        return version.StartsWith("$(", StringComparison.Ordinal) ? versions.Descendants(version[2..^1]).Single().Value : version;
    }

    private static IEnumerable<string> PackedAssemblies(TempFolder folder, string package)
    {
        using var archive = ZipFile.OpenRead(Assert.Single(Directory.GetFiles(folder.File("packages"), package + ".nupkg")));
        return archive.Entries.Select(static entry => entry.FullName).Where(static name => name.EndsWith(".dll", StringComparison.Ordinal)).Order(StringComparer.Ordinal).ToList();
    }

    private static IEnumerable<string> PackedDependencies(TempFolder folder, string package)
    {
        using var archive = ZipFile.OpenRead(Assert.Single(Directory.GetFiles(folder.File("packages"), package + ".nupkg")));
        using var description = archive.Entries.Single(static entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
        return XDocument.Load(description).Descendants().Where(static element => element.Name.LocalName == "dependency")
            .Select(static element => $"{element.Attribute("id")!.Value} {element.Attribute("version")!.Value}").Order(StringComparer.Ordinal).ToList();
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
