using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace AsyncLog.Tests.Delivery;

/// <summary>Counts that were made apart from each other show records that vanish. Each test compiles the product with a fault at one hand-over, and loads it beside the product.</summary>
[Collection(nameof(PlantedFaultTests))]
[CollectionDefinition(nameof(PlantedFaultTests), DisableParallelization = true)]
public sealed class PlantedFaultTests
{
    private const string Usings = "global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq; global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks; global using AsyncLog.Sinks;";
    private static readonly string Core = Path.Combine(Repository.Root, "src", "Core");
    private static readonly string[] Friends = ["AsyncLog.Tests", "AsyncLog.Tests.Support"];
    private static readonly Lazy<Beside> Faulty = new(Compile);

    // The place; the file of src/Core; the text that does it right; what takes its place, or nothing.
    private static readonly (string Place, string File, string Text, string Faulty)[] Faults =
    [
        ("take", "Queue/SegmentQueue.cs", "            PassSettled();\n            CheckInvariants();\n            if (sealCurrent && !IsClosed)\n                TryOpen(LogLevel.Trace);",
            "if (segment is not null) { Return(segment); segment = null; } PassSettled(); if (sealCurrent && !IsClosed) TryOpen(LogLevel.Trace);"),
        ("settle", "Diagnostics/SinkMetrics.cs", "        Written += written;", "Written += written - 1;"),
        ("eviction", "Queue/SegmentQueue.cs", "        oldest.CountLost(Metrics, DropReason.Evicted, _timeProvider.GetUtcNow().UtcTicks);", ""),
        ("abandonment", "Queue/SegmentQueue.cs", "            segment.CountLost(Metrics, DropReason.ShutdownTimeout, nowTicks);", ""),
        ("replacement", "Queue/SegmentQueue.cs", "            lost = AbandonAsLost(segment, nowTicks);", "Abandon(segment);"),
        ("spool", "Survival/Spool.cs", "                    _index.Add(file, isCounted: true);", ""),
        ("replay", "Survival/Spool.cs", "            segment.Settle(_instance.Metrics, batch, isUncertain: false, _timeProvider.GetUtcNow().UtcTicks);", ""),
        ("save", "Survival/Spool.cs", "                    _index.Add(file, isOldest: isInHand);", ""),
        ("recovery", "Survival/CrashRegions.cs", "        segment.Settle(_instance.Metrics, batch, isUncertain: false, nowTicks);", ""),
    ];

    [Theory]
    [MemberData(nameof(Places))]
    public void Without_a_fault_nothing_is_unaccounted_for(string place)
    {
        var (unaccounted, missing, flushed, said) = HandOver.Run(place);
        Assert.Equal((0, 0), (unaccounted, missing));
        Assert.NotEqual(false, flushed);
        Assert.DoesNotContain("unaccounted", said, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void A_fault_at_a_hand_over_is_unaccounted_for_within_a_second(string place)
    {
        Faulty.Value.Product.GetType("AsyncLog.Planted")!.GetField("Now")!.SetValue(null, place);
        var tests = Faulty.Value.LoadFromAssemblyName(typeof(HandOver).Assembly.GetName());
        var run = tests.GetType(typeof(HandOver).FullName!)!.GetMethod(nameof(HandOver.Run))!;
        var (unaccounted, missing, flushed, said) = ((long, long, bool?, string))run.Invoke(null, [place])!;
        Assert.True(missing > 0, "The fault has no effect.");
        Assert.Equal(missing, unaccounted);
        Assert.NotEqual(true, flushed);
        Assert.Contains("unaccounted for. This is a defect of AsyncLog: please report it with this line.", said, StringComparison.Ordinal);
    }

    public static TheoryData<string> Places() => [.. Faults.Select(static fault => fault.Place)];

    // One build has all faults; a field chooses one.
    private static Beside Compile()
    {
        var sources = Directory.EnumerateFiles(Core, "*.cs", SearchOption.AllDirectories).Where(static path => !IsOutput(path)).ToDictionary(static path => path, File.ReadAllText);
        foreach (var (place, file, text, faulty) in Faults)
        {
            var path = Path.Combine(Core, file.Replace('/', Path.DirectorySeparatorChar));
            Assert.Equal(2, sources[path].Split(text).Length);
            var (isPlanted, isNotPlanted) = ($"AsyncLog.Planted.Now == \"{place}\"", $"AsyncLog.Planted.Now != \"{place}\"");
            sources[path] = sources[path].Replace(
                text, faulty.Length == 0 ? $"if ({isNotPlanted})\n{text}" : $"if ({isPlanted})\n{{\n{faulty}\n}}\nelse\n{{\n{text}\n}}\n", StringComparison.Ordinal);
        }

        var language = new CSharpParseOptions(LanguageVersion.Latest);
        var trees = sources.Select(source => CSharpSyntaxTree.ParseText(source.Value, language, source.Key)).Append(CSharpSyntaxTree.ParseText(
            Usings + string.Concat(Friends.Select(static friend => $"[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"{friend}\")]"))
            + "namespace AsyncLog { internal static class Planted { public static string Now; } }", language));
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => !Path.GetFileName(path).StartsWith("AsyncLog", StringComparison.Ordinal)).Select(static path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create(
            "AsyncLog", trees, references,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable));
        CSharpGeneratorDriver.Create(Interop(), parseOptions: language).RunGeneratorsAndUpdateCompilation(compilation, out var generated, out _);
        using var image = new MemoryStream();
        var result = generated.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static found => found.Severity == DiagnosticSeverity.Error)));
        image.Position = 0;
        return new Beside(image);
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
    private sealed class Beside : AssemblyLoadContext
    {
        public Beside(Stream product)
            : base("planted")
            => Product = LoadFromStream(product);

        public Assembly Product { get; }

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            if (assemblyName.Name == "AsyncLog")
                return Product;
            return Friends.Contains(assemblyName.Name) ? LoadFromAssemblyPath(Path.Combine(AppContext.BaseDirectory, assemblyName.Name + ".dll")) : null;
        }
    }
}
