namespace AsyncLog.Documents;

/// <summary>A folder of its own for one test.</summary>
internal sealed class TempFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("asynclog-documents-").FullName;

    public string File(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
