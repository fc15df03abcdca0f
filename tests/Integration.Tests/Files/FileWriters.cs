using System.Globalization;

namespace AsyncLog.Integration;

/// <summary>Several processes of tests/Programs/FileWriter that write one file.</summary>
internal sealed class FileWriters : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(8);
    private readonly TempFolder _folder = new();
    private readonly List<ChildProgram> _writers = [];

    /// <summary>The folder of the shared file.</summary>
    public string Folder => _folder.File("logs");

    public IReadOnlyList<ChildProgram> Writers => _writers;

    public string Printed => string.Join('\n', _writers.Select(static writer => writer.Printed));

    /// <param name="writer">How the writer's records begin.</param>
    /// <param name="records">How many; 0: until the end.</param>
    /// <param name="options">As <c>FileSizeLimit=1MB</c>.</param>
    public ChildProgram Add(string writer, int records, params ReadOnlySpan<string> options)
    {
        string[] arguments =
            [Path.Combine(Repository.TestProgram("FileWriter"), "FileWriter.dll"), writer, records.ToString(CultureInfo.InvariantCulture), Folder, .. options];
        var program = new ChildProgram("dotnet", arguments, _folder.Path);
        _writers.Add(program);
        return program;
    }

    /// <summary>Lets all begin at once.</summary>
    public async Task Begin()
    {
        await Eventually.Holds(() => _writers.TrueForAll(static writer => writer.Output.Contains("ready")), () => "they do not start: " + Printed);
        File.WriteAllText(Folder + ".go", "");
    }

    /// <summary>Waits until all who live have written everything.</summary>
    public Task Written() => Eventually.Holds(
        () => _writers.TrueForAll(static writer => writer.HasExited || writer.Output.Any(static line => line.StartsWith("written: ", StringComparison.Ordinal))),
        () => "they do not come to an end: " + Printed,
        Patience);

    /// <summary>Lets all end.</summary>
    public void End() => File.WriteAllText(Folder + ".end", "");

    public void Dispose()
    {
        _writers.ForEach(static writer => writer.Dispose());
        _folder.Dispose();
    }
}
