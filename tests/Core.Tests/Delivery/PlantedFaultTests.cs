using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace AsyncLog.Tests.Delivery;

/// <summary>Counts that were made apart from each other show records that vanish. Each test compiles the product with a fault at one hand-over, and loads it beside the product.</summary>
public sealed class PlantedFaultTests
{
    private const string Usings = "global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq; global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks;";
    private static readonly string Core = Path.Combine(Repository.Root, "src", "Core");
    private static readonly CSharpParseOptions Language = new(LanguageVersion.Latest);
    private static readonly Lazy<Compilation> Product = new(Parse);
    private static readonly string[] Friends = ["AsyncLog.Tests", "AsyncLog.Tests.Support"];

    [Theory]
    [InlineData("take")]
    [InlineData("settle")]
    [InlineData("eviction")]
    [InlineData("abandonment")]
    [InlineData("replacement")]
    [InlineData("spool")]
    [InlineData("replay")]
    [InlineData("save")]
    [InlineData("recovery")]
    public void Without_a_fault_nothing_is_unaccounted_for(string place)
    {
        var (unaccounted, missing, flushed, said) = HandOver.Run(place);
        Assert.Equal((0, 0), (unaccounted, missing));
        Assert.NotEqual(false, flushed);
        Assert.DoesNotContain("unaccounted", said, StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Category", "slow")]
    [InlineData("take", "Queue/SegmentQueue.cs", "                EndSeal(segment!, now);\n", "                EndSeal(segment!, now);\n            if (segment is not null)\n            {\n                Return(segment);\n                segment = null;\n            }\n\n")]
    [InlineData("settle", "Diagnostics/SinkMetrics.cs", "Written += written;", "Written += written - 1;")]
    [InlineData("eviction", "Queue/SegmentQueue.cs", "        oldest.CountLost(Metrics, DropReason.Evicted, _timeProvider.GetUtcNow().UtcTicks);\n", "")]
    [InlineData("abandonment", "Queue/SegmentQueue.cs", "            segment.CountLost(Metrics, DropReason.ShutdownTimeout, nowTicks);\n", "")]
    [InlineData("replacement", "Queue/SegmentQueue.cs", "            lost = AbandonAsLost(segment, nowTicks);\n", "            Abandon(segment);\n")]
    [InlineData("spool", "Survival/Spool.cs", "                    _index.Add(file, isCounted: true);\n", "")]
    [InlineData("replay", "Survival/Spool.cs", "            segment.Settle(_instance.Metrics, batch, isUncertain: false, _timeProvider.GetUtcNow().UtcTicks);\n", "")]
    [InlineData("save", "Survival/Spool.cs", "                    _index.Add(file, isOldest: isInHand);\n", "")]
    [InlineData("recovery", "Survival/CrashRegions.cs", "        segment.Settle(_instance.Metrics, batch, isUncertain: false, nowTicks);\n", "")]
    public void A_fault_at_a_hand_over_is_unaccounted_for_within_a_second(string place, string file, string text, string replacement)
    {
        var context = new Beside(Compile(file, text, replacement));
        var run = context.LoadFromAssemblyName(typeof(HandOver).Assembly.GetName()).GetType(typeof(HandOver).FullName!)!.GetMethod(nameof(HandOver.Run))!;
        var (unaccounted, missing, flushed, said) = ((long, long, bool?, string))run.Invoke(null, [place])!;
        Assert.True(missing > 0, "The fault has no effect.");
        Assert.Equal(missing, unaccounted);
        Assert.NotEqual(true, flushed);
        Assert.Contains("unaccounted for. This is a defect of AsyncLog: please report it with this line.", said, StringComparison.Ordinal);
    }

    private static MemoryStream Compile(string file, string text, string replacement)
    {
        var tree = Product.Value.SyntaxTrees.Single(tree => tree.FilePath == Path.Combine(Core, file.Replace('/', Path.DirectorySeparatorChar)));
        var source = tree.ToString();
        Assert.Equal(2, source.Split(text).Length);
        var image = new MemoryStream();
        var changed = CSharpSyntaxTree.ParseText(source.Replace(text, replacement, StringComparison.Ordinal), Language, tree.FilePath);
        var result = Product.Value.ReplaceSyntaxTree(tree, changed).Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static found => found.Severity == DiagnosticSeverity.Error)));
        image.Position = 0;
        return image;
    }

    private static Compilation Parse()
    {
        var trees = Directory.EnumerateFiles(Core, "*.cs", SearchOption.AllDirectories).Where(static path => !IsOutput(path))
            .Select(static path => CSharpSyntaxTree.ParseText(File.ReadAllText(path), Language, path))
            .Append(CSharpSyntaxTree.ParseText(
                Usings + string.Concat(Friends.Select(static friend => $"[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"{friend}\")]")), Language));
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => !Path.GetFileName(path).StartsWith("AsyncLog", StringComparison.Ordinal)).Select(static path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create(
            "AsyncLog", trees, references,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable,
                specificDiagnosticOptions: [new("ASYNCLOG001", ReportDiagnostic.Suppress)]));
        CSharpGeneratorDriver.Create(Interop(), parseOptions: Language).RunGeneratorsAndUpdateCompilation(compilation, out var generated, out _);
        return generated;
    }

    // Core calls the system through the generator of the SDK.
    private static IEnumerable<ISourceGenerator> Interop()
    {
        var packs = new DirectoryInfo(Path.Combine(System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", "packs", "Microsoft.NETCore.App.Ref"));
        var path = packs.EnumerateFiles("Microsoft.Interop.LibraryImportGenerator.dll", SearchOption.AllDirectories).First().FullName;
        return new Microsoft.CodeAnalysis.Diagnostics.AnalyzerFileReference(path, new Loader()).GetGenerators(LanguageNames.CSharp);
    }

    private static bool IsOutput(string path) => path.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal)
        || path.Contains($"{Path.DirectorySeparatorChar}bin{Path.DirectorySeparatorChar}", StringComparison.Ordinal);

    private sealed class Loader : IAnalyzerAssemblyLoader
    {
        public void AddDependencyLocation(string fullPath)
        {
        }

        public Assembly LoadFromPath(string fullPath) => Assembly.LoadFrom(fullPath);
    }

    /// <summary>The tests again, with the changed product instead of the one that they were built with.</summary>
    private sealed class Beside(MemoryStream product) : AssemblyLoadContext("planted")
    {
        protected override Assembly? Load(AssemblyName assemblyName)
        {
            if (assemblyName.Name == "AsyncLog")
                return LoadFromStream(product);
            return Friends.Contains(assemblyName.Name) ? LoadFromAssemblyPath(Path.Combine(AppContext.BaseDirectory, assemblyName.Name + ".dll")) : null;
        }
    }
}
