namespace AsyncLog;

/// <summary>A folder of its own for one test.</summary>
/// <param name="parent">Where it lies; null: the temporary directory.</param>
internal sealed class TempFolder(string? parent = null) : IDisposable
{
    public string Path { get; } = parent is null
        ? Directory.CreateTempSubdirectory("asynclog-").FullName : Directory.CreateDirectory(System.IO.Path.Combine(parent, $"asynclog-test-{Guid.NewGuid():N}")).FullName;

    public string File(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <summary>The lines of a file, also while it is written; none while there is no file.</summary>
    public string[] Lines(params ReadOnlySpan<string> parts)
    {
        var path = File(parts);
        return System.IO.File.Exists(path) ? System.IO.File.ReadAllLines(path) : [];
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
