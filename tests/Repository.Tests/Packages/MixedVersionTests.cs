namespace AsyncLog.Tests.Packages;

/// <summary>Packages of two versions in one application: refused at build, or else at start, in one sentence.</summary>
[Trait("Category", "slow")]
public sealed class MixedVersionTests(PackedPackages packages, NewerPackages newer) : IClassFixture<PackagesFixture>, IClassFixture<NewerPackages>
{
    private const string Program =
        """
        using Microsoft.Extensions.Logging;

        using var loggers = LoggerFactory.Create(logging => logging.AddAsyncFile());
        loggers.CreateLogger("Program").LogInformation("Hello, World!");
        """;

    [Theory]
    [InlineData("AsyncLog.Sinks.Otlp newer", "AsyncLog.Sinks.File older")]
    [InlineData("AsyncLog.Sinks.File older", "AsyncLog.Sinks.Otlp newer")]
    [InlineData("AsyncLog.Sinks.File older", "AsyncLog newer")]
    public async Task A_build_with_packages_of_two_versions_is_refused_and_names_both(params string[] references)
    {
        using var folder = new TempFolder();
        var project = NewProject(folder, "", references);

        var (isBuilt, printed) = await project.TryBuild();

        Assert.False(isBuilt, printed);
        Assert.Contains(packages.Version, printed, StringComparison.Ordinal);
        Assert.Contains(NewerPackages.Version, printed, StringComparison.Ordinal);

        // The restore itself finds that nothing fits, or the target of the packages.
        Assert.True(
            printed.Contains("error NU1107", StringComparison.Ordinal) || printed.Contains("Reference the same version of each", StringComparison.Ordinal), printed);
    }

    [Theory]
    [InlineData("AsyncLog newer", "AsyncLog.Sinks.Otlp newer", "AsyncLog.Sinks.File older")]
    [InlineData("AsyncLog newer", "AsyncLog.Sinks.File older", "AsyncLog.Sinks.Otlp newer")]
    [InlineData("AsyncLog.Sinks.File older", "AsyncLog newer")]
    public async Task A_program_whose_build_was_not_checked_ends_at_its_start_with_one_sentence(params string[] references)
    {
        using var folder = new TempFolder();
        var project = NewProject(folder, " ExcludeAssets=\"build;buildTransitive\"", references);
        await project.Build();

        using var app = project.Start("Fresh", []);

        Assert.NotEqual(0, await app.Ended());
        Assert.Contains(
            $"AsyncLog.Sinks.File {packages.Version} runs with AsyncLog {NewerPackages.Version}, but the packages of AsyncLog work together only in the same version. Reference the same version of each.",
            app.Printed, StringComparison.Ordinal);
        Assert.DoesNotContain(nameof(MissingMethodException), app.Printed, StringComparison.Ordinal);
    }

    private FreshProject NewProject(TempFolder folder, string assets, string[] references)
    {
        var project = new FreshProject(packages, folder);
        newer.AddTo(folder);
        Directory.CreateDirectory(folder.File("project"));
        var items = references.Select(reference => reference.Split(' ')).Select(
            words => $"<PackageReference Include=\"{words[0]}\" Version=\"{(words[1] == "newer" ? NewerPackages.Version : packages.Version)}\"{assets} />");
        File.WriteAllText(
            folder.File("project", "Fresh.csproj"),
            $"""
             <Project Sdk="Microsoft.NET.Sdk">
               <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
               <ItemGroup>{string.Concat(items)}</ItemGroup>
             </Project>
             """);
        File.WriteAllText(folder.File("project", "Program.cs"), Program);
        return project;
    }
}

/// <summary>Packages of a later version, made of a copy of the sources in which the core has renamed a member that every sink calls.</summary>
public sealed class NewerPackages : IAsyncLifetime
{
    public const string Version = "99.0.0";

    private readonly TempFolder _folder = new();

    /// <summary>Has the projects in a folder find these packages, too.</summary>
    internal void AddTo(TempFolder folder)
    {
        var file = folder.File("nuget.config");
        File.WriteAllText(file, File.ReadAllText(file).Replace("</packageSources>", $"<add key=\"newer\" value=\"{_folder.File("packages")}\" /></packageSources>", StringComparison.Ordinal));
    }

    public async ValueTask InitializeAsync()
    {
        foreach (var file in (string[])["Directory.Build.props", "Directory.Packages.props", "global.json", ".editorconfig", .. Sources("src"), .. Sources("eng")])
        {
            var copy = _folder.File(file);
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            if (file.EndsWith(".cs", StringComparison.Ordinal))
                File.WriteAllText(copy, File.ReadAllText(Path.Combine(Repository.Root, file)).Replace("OptionKind.Choice<", "OptionKind.ChoiceOf<", StringComparison.Ordinal).Replace("> Choice<TEnum>(", "> ChoiceOf<TEnum>(", StringComparison.Ordinal));
            else
                File.Copy(Path.Combine(Repository.Root, file), copy);
        }

        foreach (var project in (string[])["Core", "Sinks.Otlp"])
        {
            using var pack = new ChildProgram(
                "dotnet",
                [
                    "msbuild", $"src/{project}", "-restore", "-t:Build;Pack", "-v:quiet", "-nologo", "-p:Configuration=Release", $"-p:Version={Version}", $"-p:PackageOutputPath={_folder.File("packages")}",
                    "-p:RunAnalyzers=false", "-p:EnablePackageValidation=false",
                ],
                _folder.Path, ("MSBUILDDISABLENODEREUSE", "1"), ("DOTNET_CLI_UI_LANGUAGE", "en"));
            Assert.True(await pack.Ended() == 0, pack.Printed);
        }
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return default;
    }

    private static IEnumerable<string> Sources(string folder) => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*", SearchOption.AllDirectories)
        .Select(static file => Path.GetRelativePath(Repository.Root, file))
        .Where(static file => !file.Split('/').Any(static part => part is "bin" or "obj"));
}
