namespace AsyncLog.Tests;

/// <summary>A folder of its own for one test.</summary>
internal sealed class TempFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("asynclog-test-").FullName;

    public string this[string name] => System.IO.Path.Join(Path, name);

    public IReadOnlyList<string> Names => [.. Directory.EnumerateFileSystemEntries(Path).Select(path => System.IO.Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    public string Read(string name)
    {
        // On Windows a file that is written can be read only by those who share it.
        using var reader = new StreamReader(new FileStream(this[name], FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
        return reader.ReadToEnd();
    }

    public void Write(string name, string text) => File.WriteAllText(this[name], text);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
