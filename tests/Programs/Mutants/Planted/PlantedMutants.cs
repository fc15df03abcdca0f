using System.Globalization;
using System.IO.MemoryMappedFiles;

/// <summary>Which mutant this process runs with. It is compiled into each project of the copy that has mutants.</summary>
internal static class PlantedMutants
{
    private static readonly int Chosen = int.TryParse(Environment.GetEnvironmentVariable("MUTANT"), CultureInfo.InvariantCulture, out var id) ? id : -1;
    private static readonly MemoryMappedViewAccessor? Executed = OpenExecuted();

    public static bool IsChosen(int id)
    {
        Executed?.Write(id, (byte)1);
        return id == Chosen;
    }

    // A file that the processes of a test share: one byte for each mutant.
    private static MemoryMappedViewAccessor? OpenExecuted()
    {
        if (Environment.GetEnvironmentVariable("MUTANTS_EXECUTED") is not { Length: > 0 } path || !File.Exists(path))
            return null;
        var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        return MemoryMappedFile.CreateFromFile(file, mapName: null, capacity: 0, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: false)
            .CreateViewAccessor();
    }
}
