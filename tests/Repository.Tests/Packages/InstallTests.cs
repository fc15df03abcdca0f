using System.Runtime.InteropServices;

namespace AsyncLog.Tests.Packages;

/// <summary>Fresh projects of the templates of the SDK that install the packages, with the one line of the README.</summary>
[Trait("Category", "slow")]
public sealed class InstallTests(PackedPackages packages) : IClassFixture<PackagesFixture>
{
    // A web application in every run, the others before a release.
    public static TheoryData<string> Templates => ReleaseRun.IsOn ? new("web", "webapi", "worker", "console", "blazor", "grpc") : new("web");

    [Theory]
    [MemberData(nameof(Templates))]
    public async Task A_new_application_logs_with_one_line(string template)
    {
        using var folder = new TempFolder();
        var project = await NewProject(folder, template, "AsyncLog.Sinks.File");
        await (template == "console" ? WithoutHost(folder, project) : WithHost(folder, project));
    }

    [Fact]
    public async Task An_editor_finds_the_schemas_of_all_packages_of_a_project_also_of_those_it_does_not_name()
    {
        using var folder = new TempFolder();
        var project = await NewProject(folder, "web", "AsyncLog.Sinks.File");

        var items = await project.Output("msbuild", "-getItem:JsonSchemaSegment");

        Assert.Contains("AsyncLog.Sinks.File.targets", items, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("AsyncLog.targets", items, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("AsyncLog.Sinks.Otlp", items, StringComparison.OrdinalIgnoreCase);
    }

    private static async Task WithHost(TempFolder folder, FreshProject project)
    {
        AddTheLine(folder.File("project", "Program.cs"));
        await project.Build();

        using var app = project.Start("Fresh", ["--urls", "http://127.0.0.1:0"]);

        // The last line of the start: before it the signal could be logged in the middle of the start.
        await Eventually.Holds(() => folder.Lines("project", "logs", "Fresh.log").Any(static line => line.Contains("Content root path", StringComparison.Ordinal)), () => "no log: " + app.Printed);

        // The assemblies that the process has mapped are those with ReadyToRun code.
        if (OperatingSystem.IsLinux())
            Assert.Contains($"/runtimes/{RuntimeInformation.RuntimeIdentifier}/lib/net10.0/AsyncLog.dll", File.ReadAllText($"/proc/{app.Id}/maps"), StringComparison.Ordinal);
        app.Signal("TERM");
        Assert.Equal(0, await app.Ended());
        Assert.EndsWith("Application is shutting down...", folder.Lines("project", "logs", "Fresh.log")[^1], StringComparison.Ordinal);
    }

    private static async Task WithoutHost(TempFolder folder, FreshProject project)
    {
        File.WriteAllText(
            folder.File("project", "Program.cs"),
            """
            using Microsoft.Extensions.Logging;

            using var loggers = LoggerFactory.Create(logging => logging.AddAsyncFile());
            loggers.CreateLogger("Program").LogInformation("Hello, World!");
            """);
        await project.Build();

        using var app = project.Start("Fresh", []);

        Assert.True(await app.Ended() == 0, app.Printed);
        Assert.EndsWith("[INF] Program: Hello, World!", folder.Lines("app", "logs", "Fresh.log")[^1], StringComparison.Ordinal);
    }

    private async Task<FreshProject> NewProject(TempFolder folder, string template, string package)
    {
        var project = new FreshProject(packages, folder);
        await project.Run("new", template, "-n", "Fresh", "-o", "project", "--no-restore");
        if (template == "blazor")
        {
            // The package with the scripts of the pages is not at every source of packages; nothing here is shown.
            var file = folder.File("project", "Fresh.csproj");
            File.WriteAllText(file, File.ReadAllText(file).Replace("</PropertyGroup>", "<RequiresAspNetWebAssets>false</RequiresAspNetWebAssets></PropertyGroup>", StringComparison.Ordinal));
        }

        await project.Run("add", "project", "package", package, "--version", packages.Version);
        return project;
    }

    private static void AddTheLine(string program)
    {
        var text = File.ReadAllText(program);
        var line = text.Split('\n').Single(static line => line.StartsWith("var builder = ", StringComparison.Ordinal));
        File.WriteAllText(program, text.Replace(line, line + "\nbuilder.Logging.AddAsyncFile();", StringComparison.Ordinal));
    }
}

/// <summary>A project in the folder <c>project</c> of a folder; built to <c>app</c>.</summary>
internal sealed class FreshProject
{
    private readonly TempFolder _folder;

    public FreshProject(PackedPackages packages, TempFolder folder)
    {
        _folder = folder;
        packages.Provide(folder);
    }

    /// <param name="options">Further options of <c>dotnet build</c>.</param>
    public Task Build(params string[] options) => Run(["build", "project", "-c", "Release", "-o", "app", .. options]);

    /// <summary>Builds what may be refused.</summary>
    public async Task<(bool IsBuilt, string Printed)> TryBuild()
    {
        using var dotnet = Sdk(["build", "project", "-c", "Release", "-o", "app"], _folder.Path);
        return (await dotnet.Ended() == 0, dotnet.Printed);
    }

    /// <summary>Starts what was built, in the folder of the project.</summary>
    public ChildProgram Start(string assembly, IEnumerable<string> arguments, params ReadOnlySpan<(string Name, string Value)> environment)
        => new("dotnet", [_folder.File("app", assembly + ".dll"), .. arguments], _folder.File("project"), environment);

    /// <summary>Runs a command of the SDK; fails the test when it fails.</summary>
    public async Task Run(params string[] arguments)
    {
        using var dotnet = Sdk(arguments, _folder.Path);
        Assert.True(await dotnet.Ended() == 0, $"dotnet {string.Join(' ', arguments)}:\n{dotnet.Printed}");
    }

    /// <summary>What a command prints in the folder of the project.</summary>
    public async Task<string> Output(params string[] arguments)
    {
        using var dotnet = Sdk(arguments, _folder.File("project"));
        Assert.True(await dotnet.Ended() == 0, dotnet.Printed);
        return dotnet.Printed;
    }

    // Templates are installed for this folder alone.
    private ChildProgram Sdk(string[] arguments, string folder)
        => new("dotnet", arguments, folder, ("MSBUILDDISABLENODEREUSE", "1"), ("DOTNET_CLI_UI_LANGUAGE", "en"), ("DOTNET_NOLOGO", "1"), ("DOTNET_CLI_HOME", _folder.File("home")));
}
