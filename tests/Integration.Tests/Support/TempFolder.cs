namespace AsyncLog.Integration;

/// <summary>A folder of its own for one test.</summary>
internal sealed class TempFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("asynclog-").FullName;

    public string File(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <summary>The lines of a file, also while it is written; none while there is no file.</summary>
    public string[] Lines(params ReadOnlySpan<string> parts)
    {
        var path = File(parts);
        return System.IO.File.Exists(path) ? System.IO.File.ReadAllLines(path) : [];
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
