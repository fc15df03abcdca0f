using System.Globalization;
using System.IO.Compression;
using System.Xml.Linq;

[assembly: AssemblyFixture(typeof(AsyncLog.Tests.Packages.PackedPackages))]

namespace AsyncLog.Tests.Packages;

/// <summary>The packages of eng/pack.sh: built once, when the first test needs them, or those of the folder in ASYNCLOG_PACKAGES, which a release is checked with.</summary>
public sealed class PackedPackages : IDisposable
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
    private readonly Lazy<Task> _packing;

    public PackedPackages() => _packing = new Lazy<Task>(PackAsync);

    /// <summary>The folder of the packages.</summary>
    public string Folder { get; private set; } = "";

    /// <summary>The version that all of them have.</summary>
    public string Version { get; private set; } = "";

    /// <summary>Ends when the packages are there.</summary>
    public Task EnsureAsync() => _packing.Value;

    public void Dispose() => _folder.Dispose();

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

    private async Task PackAsync()
    {
        Folder = Environment.GetEnvironmentVariable("ASYNCLOG_PACKAGES") ?? "";
        if (Folder.Length == 0)
        {
            Folder = _folder.File("packages");
            using var pack = new ChildProgram(
                Path.Combine(Repository.Root, "eng", "pack.sh"), ["--no-check", "--output", Folder], Repository.Root, ("MSBUILDDISABLENODEREUSE", "1"));
            Assert.True(await pack.Ended() == 0, pack.Printed);
        }

        Version = Path.GetFileNameWithoutExtension(Assert.Single(Directory.GetFiles(Folder, "AsyncLog.Sinks.File.*.nupkg")))["AsyncLog.Sinks.File.".Length..];
    }

    private static string MachinePackages()
        => Environment.GetEnvironmentVariable("NUGET_PACKAGES") ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
}

/// <summary>Builds the packages before the tests of a class: a run without such tests builds none.</summary>
public sealed class PackagesFixture(PackedPackages packages) : IAsyncLifetime
{
    public async ValueTask InitializeAsync() => await packages.EnsureAsync();

    public ValueTask DisposeAsync() => default;
}
