namespace AsyncLog.Tests;

/// <summary>A folder of its own for one test.</summary>
internal sealed class TempFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("asynclog-test-").FullName;

    public string this[string name] => System.IO.Path.Join(Path, name);

    public IReadOnlyList<string> Names => [.. Directory.EnumerateFileSystemEntries(Path).Select(path => System.IO.Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    public string Read(string name) => File.ReadAllText(this[name]);

    public void Write(string name, string text) => File.WriteAllText(this[name], text);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
