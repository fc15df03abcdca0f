using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp;

namespace AsyncLog.Mutants;

/// <summary>A copy of the repository that is built with all mutants.</summary>
internal sealed partial class WorkingCopy : IDisposable
{
    private const string Planted = "tests/Programs/Mutants/Planted";
    private readonly string _origin;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("asynclog-mutants-");

    /// <param name="origin">The root of the repository.</param>
    public WorkingCopy(string origin)
    {
        _origin = origin;
        var (exitCode, files) = Command.Run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], origin, 60);
        if (exitCode != 0)
            throw new InvalidOperationException($"git does not list the files of {origin}");
        foreach (var file in files.Split('\0', StringSplitOptions.RemoveEmptyEntries).Where(file => File.Exists(Path.Combine(origin, file))))
        {
            Directory.CreateDirectory(Path.GetDirectoryName(PathOf(file))!);
            File.Copy(Path.Combine(origin, file), PathOf(file));
        }
    }

    public string Root => _folder.FullName;

    public string PathOf(string file) => Path.Combine(Root, file);

    public void Dispose() => _folder.Delete(recursive: true);

    /// <summary>The places of all source files in the folders, in the order of their paths.</summary>
    public List<Place> FindPlaces(IEnumerable<string> folders)
    {
        var places = new List<Place>();
        var paths = folders.SelectMany(folder => Directory.EnumerateFiles(PathOf(folder), "*.cs", SearchOption.AllDirectories));
        foreach (var path in paths.Order(StringComparer.Ordinal))
        {
            var file = Path.GetRelativePath(Root, path).Replace('\\', '/');
            places.AddRange(PlaceFinder.Find(file, CSharpSyntaxTree.ParseText(File.ReadAllText(path)).GetRoot()));
        }

        return places;
    }

    /// <summary>Puts the first mutants that compile into the sources, and builds the projects.</summary>
    /// <param name="places">The places in the order in which they are taken.</param>
    /// <param name="count">The number of mutants.</param>
    /// <param name="projects">The folders of the test projects.</param>
    public List<Mutant> Build(IReadOnlyList<Place> places, int count, IReadOnlyList<string> projects)
    {
        var products = Directory.EnumerateFiles(PathOf("src"), "*.csproj", SearchOption.AllDirectories);
        AddPlanted("PlantedMutants.cs", products.Select(static product => Path.GetDirectoryName(product)!));
        AddPlanted("ExecutedMutantsAttribute.cs", projects.Select(PathOf));
        var built = projects.SelectMany(project => Directory.GetFiles(PathOf(project), "*.csproj")).Select(path => Path.GetRelativePath(Root, path));
        File.WriteAllText(PathOf("mutants.slnf"), JsonSerializer.Serialize(new { solution = new { path = "AsyncLog.sln", projects = built } }));
        var rejected = new HashSet<int>();
        while (true)
        {
            var mutants = places.Select(static (place, id) => new Mutant(id, place)).Where(mutant => !rejected.Contains(mutant.Id)).Take(count).ToList();
            foreach (var file in places.Take(count + rejected.Count).Select(static place => place.File).Distinct())
            {
                var source = File.ReadAllText(Path.Combine(_origin, file));
                File.WriteAllText(PathOf(file), Rewriter.Rewrite(source, mutants.Where(mutant => mutant.Place.File == file)));
            }

            string[] command =
            [
                "build", "mutants.slnf", "-c", "Release", "-v", "quiet", "-nologo", "-clp:NoSummary", "-nodeReuse:false",
                "-p:RunAnalyzers=false", "-p:EnforceCodeStyleInBuild=false", "-p:TreatWarningsAsErrors=false",
            ];
            var (exitCode, output) = Command.Run(Command.Dotnet, command, Root, 1800);
            if (exitCode == 0)
                return mutants;
            var found = Errors().Matches(output)
                .Select(static match => (Path: match.Groups[1].Value, Line: int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture)))
                .Distinct()
                .SelectMany(static error => Rewriter.MutantsAround(File.ReadAllText(error.Path), error.Line))
                .Except(rejected)
                .ToList();
            if (found.Count == 0)
                throw new InvalidOperationException($"the copy cannot be built:\n{output}");
            rejected.UnionWith(found);
            Console.WriteLine($"{found.Count} mutants do not compile, and the next ones take their places");
        }
    }

    private void AddPlanted(string file, IEnumerable<string> folders)
    {
        foreach (var folder in folders)
            File.Copy(PathOf($"{Planted}/{file}"), Path.Combine(folder, file));
    }

    [GeneratedRegex(@"^\s*(.+?\.cs)\((\d+),\d+\): error ", RegexOptions.Multiline, 10_000)]
    private static partial Regex Errors();
}
