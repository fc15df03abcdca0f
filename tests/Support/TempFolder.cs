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
        if (!System.IO.File.Exists(path))
            return [];
        using var reader = new StringReader(Read(path));
        var lines = new List<string>();
        while (reader.ReadLine() is { } line)
            lines.Add(line);
        return [.. lines];
    }

    /// <summary>The text of a file, also while it is written.</summary>
    public string Read(string name)
    {
        using var reader = new StreamReader(Open(name, FileMode.Open, FileAccess.Read));
        return reader.ReadToEnd();
    }

    /// <summary>The content of a file, also while it is written.</summary>
    public byte[] Bytes(string name)
    {
        using var file = Open(name, FileMode.Open, FileAccess.Read);
        var content = new byte[file.Length];
        file.ReadExactly(content);
        return content;
    }

    /// <summary>Appends as another program does, also while the file is written.</summary>
    public void Append(string name, string text)
    {
        using var writer = new StreamWriter(Open(name, FileMode.Append, FileAccess.Write));
        writer.Write(text);
    }

    public void Write(string name, string text) => System.IO.File.WriteAllText(File(name), text);

    // On Windows a file that is written can be opened only by those who share it.
    private FileStream Open(string name, FileMode mode, FileAccess access) => new(File(name), mode, access, FileShare.ReadWrite | FileShare.Delete);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
