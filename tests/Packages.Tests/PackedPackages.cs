using System.Globalization;
using System.IO.Compression;
using System.Xml.Linq;
using AsyncLog.Tests;

[assembly: AssemblyFixture(typeof(AsyncLog.Packages.PackedPackages))]

namespace AsyncLog.Packages;

/// <summary>The packages of eng/pack.sh: built once for all tests, or those of the folder in ASYNCLOG_PACKAGES, which a release is checked with.</summary>
public sealed class PackedPackages : IAsyncLifetime
{
    // Packages that are on the machine already serve as a fallback; ours must come from the folder, so they get a cache of their own.
    private const string NuGetConfig =
        """
        <?xml version="1.0" encoding="utf-8"?>
        <configuration>
          <config>
            <add key="globalPackagesFolder" value="{0}" />
          </config>
          <fallbackPackageFolders>
            <add key="machine" value="{1}" />
          </fallbackPackageFolders>
          <packageSources>
            <add key="packed" value="{2}" />
          </packageSources>
        </configuration>
        """;

    private readonly TempFolder _folder = new();

    /// <summary>The folder of the packages.</summary>
    public string Folder { get; private set; } = "";

    /// <summary>The version that all of them have.</summary>
    public string Version { get; private set; } = "";

    public async ValueTask InitializeAsync()
    {
        Folder = Environment.GetEnvironmentVariable("ASYNCLOG_PACKAGES") ?? "";
        if (Folder.Length == 0)
        {
            Folder = _folder.File("packages");
            using var pack = new ChildProgram(
                Path.Combine(Repository.Root, "eng", "pack.sh"), ["--no-check", "--output", Folder], Repository.Root, ("MSBUILDDISABLENODEREUSE", "1"));
            Assert.True(await pack.Ended() == 0, pack.Printed);
        }

        Version = Path.GetFileNameWithoutExtension(Assert.Single(Directory.GetFiles(Folder, "AsyncLog.File.*.nupkg")))["AsyncLog.File.".Length..];
    }

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return default;
    }

    /// <summary>Opens a package to read it.</summary>
    public ZipArchive Open(string package) => ZipFile.OpenRead(Path.Combine(Folder, $"{package}.{Version}.nupkg"));

    /// <summary>The description of a package.</summary>
    public XElement Metadata(string package)
    {
        using var archive = Open(package);
        using var nuspec = archive.GetEntry(package + ".nuspec")!.Open();
        return XDocument.Load(nuspec).Root!.Elements().Single(static element => element.Name.LocalName == "metadata");
    }

    /// <summary>Has the projects in a folder take the packages from here. Other packages come from the machine, and from the sources that its configuration names.</summary>
    internal void Provide(TempFolder folder)
        => File.WriteAllText(folder.File("nuget.config"), string.Format(CultureInfo.InvariantCulture, NuGetConfig, _folder.File("cache"), MachinePackages(), Folder));

    private static string MachinePackages()
        => Environment.GetEnvironmentVariable("NUGET_PACKAGES") ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
}
