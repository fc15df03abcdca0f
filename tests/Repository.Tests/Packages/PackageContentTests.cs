using System.IO.Compression;
using System.Reflection.PortableExecutable;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace AsyncLog.Tests.Packages;

/// <summary>What stands in the packages.</summary>
[Trait("Category", "slow")]
public sealed partial class PackageContentTests(PackedPackages packages) : IClassFixture<PackagesFixture>
{
    // The platforms whose assembly has code that is compiled ahead of time; all others compile the plain one.
    private static readonly string[] ReadyToRun = ["linux-arm64", "linux-x64", "win-x64"];

    public static TheoryData<string> Libraries => new("AsyncLog", "AsyncLog.Sinks.Console", "AsyncLog.AspNetCore", "AsyncLog.Sinks.File", "AsyncLog.Sinks.Otlp", "AsyncLog.Sinks.Syslog");

    public static TheoryData<string> WithOptions => new("AsyncLog", "AsyncLog.AspNetCore", "AsyncLog.Sinks.Console", "AsyncLog.Sinks.File", "AsyncLog.Sinks.Otlp", "AsyncLog.Sinks.Syslog");

    public static TheoryData<string> All => new([.. Libraries.Select(static row => row.Data), "AsyncLog.Templates", "AsyncLog.Tool"]);

    [Fact]
    public void The_listed_packages_are_built_and_no_others()
        => Assert.Equal(
            All.Select(row => $"{row.Data}.{packages.Version}.nupkg").Order(StringComparer.Ordinal),
            Directory.GetFiles(packages.Folder, "*.nupkg").Select(static file => Path.GetFileName(file)).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(All))]
    public void A_package_says_what_it_is_where_it_comes_from_and_what_changed(string package)
    {
        var metadata = packages.Metadata(package);

        Assert.True(Text(metadata, "description").Length is > 60 and < 400);
        Assert.Contains(" logging ", $" {Text(metadata, "tags")} ", StringComparison.Ordinal);
        Assert.Equal("MIT", Text(metadata, "license"));
        Assert.Equal("icon.png", Text(metadata, "icon"));
        Assert.Equal("README.md", Text(metadata, "readme"));
        var url = Text(metadata, "projectUrl").TrimEnd('/');
        Assert.StartsWith("https://", url, StringComparison.Ordinal);
        Assert.StartsWith($"What changed: {url}/blob/", Text(metadata, "releaseNotes"), StringComparison.Ordinal);
        var repository = Child(metadata, "repository");
        Assert.Equal(("git", url), (repository.Attribute("type")!.Value, repository.Attribute("url")!.Value));
        Assert.Matches("^[0-9a-f]{40}$", repository.Attribute("commit")!.Value);
        using var archive = packages.Open(package);
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], Read(archive, "icon.png")[..4]);
    }

    [Theory]
    [MemberData(nameof(All))]
    public void The_README_of_a_package_is_its_own_with_links_that_work_outside_of_the_repository(string package)
    {
        using var archive = packages.Open(package);
        var packed = System.Text.Encoding.UTF8.GetString(Read(archive, "README.md"));
        var source = File.ReadAllText(ReadmeOf(package));
        var url = Text(packages.Metadata(package), "projectUrl").TrimEnd('/');

        Assert.StartsWith($"# {package}\n", packed, StringComparison.Ordinal);
        Assert.Equal(source.TrimEnd(), Regex.Replace(packed, Regex.Escape(url) + "/blob/[^/]+/", package == "AsyncLog.Templates" ? "../" : "../../", RegexOptions.None, TimeSpan.FromSeconds(10)).TrimEnd());
        Assert.NotEmpty(Link().Matches(packed));
        Assert.All(Link().Matches(packed), static link => Assert.StartsWith("https://", link.Groups[1].Value, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void A_library_has_the_plain_assembly_and_those_of_three_platforms(string package)
    {
        using var archive = packages.Open(package);
        Assert.Equal(
            [$"lib/net10.0/{package}.dll", .. ReadyToRun.Select(platform => $"runtimes/{platform}/lib/net10.0/{package}.dll")],
            archive.Entries.Select(static entry => entry.FullName).Where(static name => name.EndsWith(".dll", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void An_assembly_carries_its_symbols_is_deterministic_and_names_no_folder_of_the_machine(string package)
    {
        using var archive = packages.Open(package);
        using var assembly = new PEReader(new MemoryStream(Read(archive, $"lib/net10.0/{package}.dll")));
        var entries = assembly.ReadDebugDirectory();

        Assert.Contains(entries, static entry => entry.Type == DebugDirectoryEntryType.Reproducible);
        using var symbols = assembly.ReadEmbeddedPortablePdbDebugDirectoryData(entries.Single(static entry => entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb));
        var reader = symbols.GetMetadataReader();
        var documents = reader.Documents.Select(handle => reader.GetString(reader.GetDocument(handle).Name)).ToList();
        Assert.NotEmpty(documents);

        // The path of no machine: the sources stand below the root that every build has.
        Assert.All(documents, static document => Assert.StartsWith("/_", document, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(WithOptions))]
    public void The_schema_of_the_options_is_an_item_that_editors_find(string package)
    {
        using var archive = packages.Open(package);
        var folder = package == "AsyncLog" ? "Core" : package.Replace("AsyncLog.", "", StringComparison.Ordinal);
        using var targets = new MemoryStream(Read(archive, $"buildTransitive/net10.0/{package}.targets"));
        var segment = Assert.Single(XDocument.Load(targets).Descendants("JsonSchemaSegment"));

        Assert.Equal(("$(MSBuildThisFileDirectory)../../ConfigurationSchema.json", @"appsettings\..*json"), (segment.Attribute("Include")!.Value, segment.Attribute("FilePathPattern")!.Value));
        Assert.Equal(File.ReadAllBytes(Path.Combine(Repository.Root, "src", folder, "ConfigurationSchema.json")), Read(archive, "ConfigurationSchema.json"));
    }

    // A new dependency, or a higher floor, is a change for every application: it is made here, in the changelog, and never by the way.
    [Theory]
    [InlineData(
        "AsyncLog", "Microsoft.Extensions.Diagnostics.HealthChecks 10.0.0", "Microsoft.Extensions.Hosting.Abstractions 10.0.0", "Microsoft.Extensions.Logging 10.0.0",
        "Microsoft.Extensions.Logging.Configuration 10.0.0")]
    [InlineData("AsyncLog.Sinks.File", "AsyncLog [{0}]")]
    [InlineData("AsyncLog.Sinks.Console", "AsyncLog [{0}]")]
    [InlineData("AsyncLog.Sinks.Syslog", "AsyncLog [{0}]")]
    [InlineData("AsyncLog.Sinks.Otlp", "AsyncLog [{0}]", "OpenTelemetry 1.15.3")]
    [InlineData("AsyncLog.AspNetCore", "AsyncLog [{0}]", "Microsoft.AspNetCore.App")]
    [InlineData("AsyncLog.Tool")]
    [InlineData("AsyncLog.Templates")]
    public void A_package_has_the_listed_dependencies_own_ones_exactly_and_others_at_the_listed_minimum(string package, params string[] dependencies)
    {
        var metadata = packages.Metadata(package);

        Assert.Equal(
            dependencies.Select(dependency => dependency.Replace("{0}", packages.Version, StringComparison.Ordinal)),
            metadata.Descendants().Where(static element => element.Name.LocalName is "dependency").Select(static element => $"{element.Attribute("id")!.Value} {element.Attribute("version")!.Value}")
                .Concat(metadata.Descendants().Where(static element => element.Name.LocalName is "frameworkReference").Select(static element => element.Attribute("name")!.Value))
                .Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("AsyncLog.Sinks.File", "AsyncLog", "Microsoft.Extensions.Options")]
    [InlineData("AsyncLog.Sinks.Otlp", "AsyncLog", "OpenTelemetry.Api")]
    [InlineData("AsyncLog.Templates")]
    public void The_bill_of_materials_names_the_package_and_all_its_dependencies(string package, params string[] some)
    {
        using var bill = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(packages.Folder, $"{package}.{packages.Version}.spdx.json")));
        var listed = bill.RootElement.GetProperty("packages").EnumerateArray().ToList();

        Assert.Equal("SPDX-2.3", bill.RootElement.GetProperty("spdxVersion").GetString());
        Assert.Equal(package, listed[0].GetProperty("name").GetString());
        Assert.Equal(
            Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(Path.Combine(packages.Folder, $"{package}.{packages.Version}.nupkg")))),
            listed[0].GetProperty("checksums")[0].GetProperty("checksumValue").GetString());
        var names = listed.Select(static one => one.GetProperty("name").GetString()).ToList();
        var direct = packages.Metadata(package).Descendants().Where(static element => element.Name.LocalName is "dependency");
        Assert.Empty(direct.Select(static element => element.Attribute("id")!.Value).Concat(some).Except(names));
        Assert.DoesNotContain(names, static name => name!.Contains("Analyzer", StringComparison.Ordinal));

        // Every relation names what is listed.
        var known = listed.Select(static one => one.GetProperty("SPDXID").GetString()).Append("SPDXRef-DOCUMENT").ToHashSet();
        Assert.NotEmpty(bill.RootElement.GetProperty("relationships").EnumerateArray());
        Assert.All(
            bill.RootElement.GetProperty("relationships").EnumerateArray(),
            relation => Assert.Subset(known, new HashSet<string?> { relation.GetProperty("spdxElementId").GetString(), relation.GetProperty("relatedSpdxElement").GetString() }));
    }

    private static string ReadmeOf(string package)
        => package == "AsyncLog.Templates" ? Path.Combine(Repository.Root, "templates", "README.md")
            : Directory.GetFiles(Path.Combine(Repository.Root, "src"), "*.csproj", SearchOption.AllDirectories)
                .Where(project => XDocument.Load(project).Descendants("PackageId").Single().Value == package)
                .Select(static project => Path.Combine(Path.GetDirectoryName(project)!, "README.md")).Single();

    private static byte[] Read(ZipArchive archive, string name)
    {
        using var stream = (archive.GetEntry(name) ?? throw new Xunit.Sdk.XunitException(name + " is not in the package")).Open();
        var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }

    private static XElement Child(XElement metadata, string name) => metadata.Elements().Single(element => element.Name.LocalName == name);

    private static string Text(XElement metadata, string name) => Child(metadata, name).Value;

    [GeneratedRegex(@"\]\(([^)]+)\)", RegexOptions.None, 10_000)]
    private static partial Regex Link();
}
