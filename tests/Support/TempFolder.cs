namespace AsyncLog.Tests;

/// <summary>A folder of its own for one test.</summary>
/// <param name="parent">Where it lies; null: the temporary directory.</param>
internal sealed class TempFolder(string? parent = null) : IDisposable
{
    public string Path { get; } = parent is null
        ? Directory.CreateTempSubdirectory("asynclog-").FullName : Directory.CreateDirectory(System.IO.Path.Combine(parent, $"asynclog-test-{Guid.NewGuid():N}")).FullName;

    /// <summary>The names of files and folders in it, in ordinal order.</summary>
    public IReadOnlyList<string> Names => [.. Directory.EnumerateFileSystemEntries(Path).Select(path => System.IO.Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    public string File(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <summary>The lines of a file, also while it is written; none while there is no file.</summary>
    public string[] Lines(params ReadOnlySpan<string> parts)
    {
        var path = File(parts);
        return System.IO.File.Exists(path) ? System.IO.File.ReadAllLines(path) : [];
    }

    /// <summary>The text of a file, also while it is written.</summary>
    public string Read(string name)
    {
        // On Windows a file that is written can be read only by those who share it.
        using var reader = new StreamReader(new FileStream(File(name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
        return reader.ReadToEnd();
    }

    public void Write(string name, string text) => System.IO.File.WriteAllText(File(name), text);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
