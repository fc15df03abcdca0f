using System.IO.MemoryMappedFiles;
using System.Reflection;
using Xunit.v3;

[assembly: ExecutedMutants]

/// <summary>Writes down which mutants each class of tests executes. The tests have to run one after the other.</summary>
[AttributeUsage(AttributeTargets.Assembly)]
internal sealed class ExecutedMutantsAttribute : BeforeAfterTestAttribute
{
    private static readonly string? Path = Environment.GetEnvironmentVariable("MUTANTS_EXECUTED") is { Length: > 0 } path ? path : null;
    private static readonly MemoryMappedViewAccessor? Executed = OpenExecuted();
    private static string? _previous;

    // A constructor runs before this call, and Dispose after the next one: what was executed between two tests belongs to both.
    public override void Before(MethodInfo methodUnderTest, IXunitTest test)
    {
        var current = test.TestCase.TestClassName;
        Note(current == _previous ? [current] : [_previous, current]);
        _previous = current;
    }

    public override void After(MethodInfo methodUnderTest, IXunitTest test) => Note([_previous]);

    private static MemoryMappedViewAccessor? OpenExecuted()
    {
        if (Path is null)
            return null;
        var file = new FileStream(Path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        return MemoryMappedFile.CreateFromFile(file, mapName: null, capacity: 0, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: false)
            .CreateViewAccessor();
    }

    private static void Note(string?[] classes)
    {
        if (Executed is null)
            return;
        var ids = new List<long>();
        for (long id = 0; id < Executed.Capacity; id++)
        {
            if (Executed.ReadByte(id) == 0)
                continue;
            Executed.Write(id, (byte)0);
            ids.Add(id);
        }

        if (ids.Count > 0)
            File.AppendAllLines(Path + ".classes", classes.OfType<string>().Select(name => $"{name} {string.Join(' ', ids)}"));
    }
}
