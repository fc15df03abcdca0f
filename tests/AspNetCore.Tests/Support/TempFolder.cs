namespace AsyncLog.AspNetCore;

/// <summary>A folder that a test has to itself.</summary>
internal sealed class TempFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("asynclog-page-").FullName;

    public string File(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
