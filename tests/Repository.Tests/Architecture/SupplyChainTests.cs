using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace AsyncLog.Tests.Architecture;

/// <summary>What a build takes from elsewhere, and that the packages make no objects of what they read.</summary>
public sealed partial class SupplyChainTests
{
    private static XDocument Versions => XDocument.Load(Path.Combine(Repository.Root, "Directory.Packages.props"));

    private static IEnumerable<string> Projects => Directory.EnumerateFiles(Repository.Root, "*.csproj", SearchOption.AllDirectories)
        .Where(static path => !Path.GetRelativePath(Repository.Root, path).Split(Path.DirectorySeparatorChar).Any(static part => part is "bin" or "obj" or "artifacts" or "templates"));

    [Fact]
    public void Every_package_has_one_exact_version()
    {
        var document = Versions;
        var properties = document.Descendants("PropertyGroup").Elements().ToDictionary(static property => $"$({property.Name.LocalName})", static property => property.Value, StringComparer.Ordinal);
        var packages = document.Descendants("PackageVersion").ToList();

        Assert.NotEmpty(packages);
        Assert.All(packages, package =>
        {
            var version = package.Attribute("Version")!.Value;
            Assert.Matches(@"^\d+(\.\d+){2,3}(-[0-9A-Za-z.-]+)?$", properties.GetValueOrDefault(version, version));
        });
        Assert.Equal(packages.Count, packages.Select(static package => package.Attribute("Include")!.Value).Distinct(StringComparer.OrdinalIgnoreCase).Count());
        // A version beside a reference would be a second one.
        Assert.True(Projects.Count() > 20, $"{Projects.Count()} projects");
        Assert.Empty(Projects.SelectMany(static path => XDocument.Load(path).Descendants("PackageReference")
            .Where(static reference => reference.Attribute("Version") is not null || reference.Attribute("VersionOverride") is not null)
            .Select(reference => $"{path}: {reference}")));
    }

    [Fact]
    public void Restore_audits_direct_and_transitive_packages()
    {
        var build = XDocument.Load(Path.Combine(Repository.Root, "Directory.Build.props"));
        string[] Values(string name) => [.. build.Descendants(name).Select(static property => property.Value)];

        Assert.Equal(["true"], Values("NuGetAudit"));
        Assert.Equal(["all"], Values("NuGetAuditMode"));
        Assert.Equal(["low"], Values("NuGetAuditLevel"));
        Assert.Equal(["true"], Values("TreatWarningsAsErrors"));
        // In CI a vulnerability is an error: only the warning that the feed has no data may stay one.
        Assert.DoesNotContain(
            build.Descendants("WarningsNotAsErrors"),
            static property => property.Value != "NU1900" && property.Attribute("Condition")?.Value != "'$(CI)' != 'true'");
    }

    [Fact]
    public void No_source_of_the_packages_deserializes_objects()
    {
        var sources = Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.cs", SearchOption.AllDirectories)
            .Where(static path => !Path.GetRelativePath(Repository.Root, path).Split(Path.DirectorySeparatorChar).Any(static part => part is "bin" or "obj"))
            .ToList();
        Assert.True(sources.Count > 200, $"{sources.Count} sources");
        Assert.Empty(sources.SelectMany(static path => Deserializer().Matches(File.ReadAllText(path)).Select(match => $"{path}: {match.Value}")));
    }

    [Theory]
    [InlineData("JsonSerializer.Deserialize<Status>(text)", true)]
    [InlineData("new BinaryFormatter()", true)]
    [InlineData("JsonSerializer.Serialize(status)", false)]
    public void A_deserializer_is_found(string code, bool isFound) => Assert.Equal(isFound, Deserializer().IsMatch(code));

    [GeneratedRegex(@"\b(Deserialize\w*|\w*BinaryFormatter|SoapFormatter|XmlSerializer|DataContract\w*Serializer|NetDataContractSerializer|LosFormatter|ObjectStateFormatter|JavaScriptSerializer|TypeNameHandling|MessagePackSerializer|GetFromJsonAsync|ReadFromJsonAsync)\b", RegexOptions.ExplicitCapture, 1_000)]
    private static partial Regex Deserializer();
}
