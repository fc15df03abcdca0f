using System.Reflection;
using System.Runtime.Loader;
using AsyncLog.Tests.Kernel;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace AsyncLog.Tests;

/// <summary>A version of the kernel with a defect: its source with a text replaced, compiled with the stand-ins and the scenario into an assembly of its own.</summary>
/// <param name="Name">The defect.</param>
/// <param name="File">The file of src/Core/Queue.</param>
/// <param name="Changes">Texts, each followed by what takes its place.</param>
internal sealed record KernelMutant(string Name, string File, params string[] Changes)
{
    private const string Kernel = "SegmentKernel.cs";
    private const string Holds = "a batch delay";
    private const string Usings = "global using System; global using System.Collections.Generic; global using System.Linq; global using System.Threading; global using AsyncLog.Sinks;";

    public static IReadOnlyList<KernelMutant> All { get; } =
    [
        new("the worker parks without a second look", Kernel, "return !HasRecords;", "return true;"),
        new("the worker looks before it announces the sleep", Kernel,
            "        Volatile.Write(ref _workerState, WorkerStates.Parked);\n        Interlocked.MemoryBarrier();\n        return !HasRecords;",
            "        var hasRecords = HasRecords;\n        Volatile.Write(ref _workerState, WorkerStates.Parked);\n        Interlocked.MemoryBarrier();\n        return !hasRecords;"),
        new("no barrier between announcement and second look", Kernel, "        Interlocked.MemoryBarrier();\n        return !HasRecords;", "        return !HasRecords;"),
        new("the worker holds without a second look", Kernel, "return !HasPosted;", "return true;") { In = Holds },
        new("no barrier between the announcement of a batch delay and the second look", Kernel, "        Interlocked.MemoryBarrier();\n        return !HasPosted;", "        return !HasPosted;") { In = Holds },
        new("a full segment that does not end a batch delay", Kernel, "if (state == WorkerStates.Holding ||", "if (") { In = Holds },
        new("a wake-up that changes the state and sets no signal", Kernel, "== state)\n            _signal.Set();", "== state)\n            return;"),
        new("a commit that wakes nobody", Kernel, "if (state == WorkerStates.Parked ||", "if ("),
        new("the commit before the copy", Kernel,
            "            record.CopyTo(segment.BytesAt(offset, record.Length));\n", "",
            "            // Until here: its memory", "            record.CopyTo(segment.BytesAt(offset, record.Length));\n            // Until here: its memory"),
        new("the time after the commit", Kernel,
            "            slot.Ticks = ticks;\n", "", "            // Until here: its memory", "            slot.Ticks = ticks;\n            // Until here: its memory"),
        new("an add instead of a compare-and-swap", Kernel,
            "            if (Interlocked.CompareExchange(ref segment.State, StateWord.Claimed(word, record.Length), word) != word)\n                continue;\n",
            "            word = Interlocked.Add(ref segment.State, StateWord.Claimed(0, record.Length)) - StateWord.Claimed(0, record.Length);\n"),
        new("a claim that reads and writes in two steps", Kernel,
            "if (Interlocked.CompareExchange(ref segment.State, StateWord.Claimed(word, record.Length), word) != word)\n                continue;",
            "Volatile.Write(ref segment.State, StateWord.Claimed(word, record.Length));"),
        new("a claim that does not look at the sealed bit", Kernel, "StateWord.IsSealed(word) || !segment.Fits", "!segment.Fits"),
        new("a seal that reads and writes in two steps", Kernel,
            "var word = Interlocked.Or(ref current.State, StateWord.Sealed);", "var word = Volatile.Read(ref current.State);\n        Volatile.Write(ref current.State, word | StateWord.Sealed);"),
        new("a seal without a look at the count after it", Kernel,
            "        var segment = Seal();\n        if (segment.Count == 0)", "        var count = Current.Count;\n        var segment = Seal();\n        if (count == 0)"),
        new("the current segment before the posted ones", Kernel, "if (_oldestPosted is { } posted)", "if (!(sealCurrent && HasCurrentRecords) && _oldestPosted is { } posted)",
            "return sealCurrent && HasRecords ?", "return sealCurrent && HasCurrentRecords ?",
            "    private readonly Segment Seal()", "    private readonly bool HasCurrentRecords => !StateWord.IsSealed(CurrentWord) && StateWord.Count(CurrentWord) > 0;\n\n    private readonly Segment Seal()"),
        new("a segment that is sealed and not posted", Kernel, "        else\n            Post(segment);\n", ""),
        new("the end of the posted list is kept", Kernel, "            if (segment.Next is null)\n                _newestPosted = null;\n", ""),
        new("the lowest level after the state word", Kernel,
            "        segment.LowestLevel = (int)lowestLevel;\n", "",
            "        Volatile.Write(ref segment.State, StateWord.Fresh(sequence));", "        Volatile.Write(ref segment.State, StateWord.Fresh(sequence));\n        Volatile.Write(ref segment.LowestLevel, (int)lowestLevel);")
        {
            In = "the third segment is for the second caller",
            From = 3,
        },
        new("no sequence in the state word", "Segment.cs", "=> (sequence & SequenceField) << SequenceShift;", "=> 0;"),
        new("slots that are cleared after the segment was opened", "SegmentPool.cs", "        segment.Clear();\n", "", "        CheckUntouched(segment);\n        return segment;", "        return segment;")
        {
            In = "three records in segments of one",
            From = 3,
            Also = (Kernel, "        Volatile.Write(ref segment.State, StateWord.Fresh(sequence));\n", "        Volatile.Write(ref segment.State, StateWord.Fresh(sequence));\n        _ = segment.Count;\n        segment.Slots.Clear();\n        segment.AreLevelsKnown = false;\n"),
        },
        new("slots that are never cleared", "Segment.cs", "        Slots[..Count].Clear();\n", ""),
        new("a segment that is delivered before all commits", "Segment.cs", "if (AddCommitted(found) < Count)", "if (AddCommitted(found) < 0)"),
        new("a segment that is recycled while it is posted", Kernel, "            Unlink(posted);\n            return TakeInHand(posted);", "            return TakeInHand(posted);"),
        new("a closed queue that still wakes nobody", Kernel, "    public void Wake()\n    {\n        Volatile.Write(ref _workerState, WorkerStates.Awake);\n        _signal.Set();", "    public void Wake()\n    {\n        Volatile.Write(ref _workerState, WorkerStates.Awake);"),
    ];

    /// <summary>A change in another file.</summary>
    public (string File, string Text, string Replacement)? Also { get; init; }

    /// <summary>The only plan that finds it; null: all are tried.</summary>
    public string? In { get; init; }

    /// <summary>The preemptions that it takes; 0: one or two are tried.</summary>
    public int From { get; init; }

    /// <summary>Tries the plans until one fails.</summary>
    /// <returns>The plan and the failing interleaving; null: none fails.</returns>
    public string? Run()
    {
        var context = new AssemblyLoadContext(Name, isCollectible: true);
        try
        {
            var run = context.LoadFromStream(Compile()).GetType(typeof(Exploration).FullName!)!.GetMethod("Run", BindingFlags.Public | BindingFlags.Static)!;
            for (var bound = Math.Max(1, From); bound <= Math.Max(2, From); bound++)
            {
                for (var plan = 0; plan < Plan.All.Count; plan++)
                {
                    if (In is not null && Plan.All[plan].Name != In)
                        continue;
                    var result = ((string? Failure, int, int))run.Invoke(null, [plan, bound])!;
                    if (result.Failure is { } failure)
                        return $"{Plan.All[plan].Name}, {bound} preemptions:\n{failure}";
                }
            }

            return null;
        }
        finally
        {
            context.Unload();
        }
    }

    private static string Replace(string source, string text, string replacement, string file)
    {
        var first = source.IndexOf(text, StringComparison.Ordinal);
        Assert.True(first >= 0, $"{file} does not contain:\n{text}");
        Assert.True(source.IndexOf(text, first + 1, StringComparison.Ordinal) < 0, $"{file} contains more than once:\n{text}");
        return source.Replace(text, replacement, StringComparison.Ordinal);
    }

    private MemoryStream Compile()
    {
        var sources = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var file in (string[])["Segment.cs", Kernel, "SegmentPool.cs"])
            sources[file] = System.IO.File.ReadAllText(Path.Combine(Repository.Root, "src", "Core", "Queue", file));
        for (var change = 0; change < Changes.Length; change += 2)
            sources[File] = Replace(sources[File], Changes[change], Changes[change + 1], File);
        if (Also is var (other, text, replacement))
            sources[other] = Replace(sources[other], text, replacement, other);
        foreach (var path in Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests", "Interleavings", "Kernel"), "*.cs"))
            sources[path] = System.IO.File.ReadAllText(path);
        sources["Usings"] = Usings;
        var language = new CSharpParseOptions(LanguageVersion.Latest, preprocessorSymbols: ["DEBUG"]);
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileNameWithoutExtension(path) != "AsyncLog.Interleavings").Select(static path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create(
            "AsyncLog.Interleavings",
            sources.Select(source => CSharpSyntaxTree.ParseText(source.Value, language, source.Key)),
            references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable));
        var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static found => found.Severity == DiagnosticSeverity.Error)));
        image.Position = 0;
        return image;
    }
}
