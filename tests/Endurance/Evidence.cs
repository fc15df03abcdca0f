using Microsoft.Win32.SafeHandles;

namespace AsyncLog.Tests;

/// <summary>Every byte that was written, wherever it went: each file once, deleted ones by the handle that was opened before.</summary>
internal sealed class Evidence(Ground ground) : IDisposable
{
    private const string CopySuffix = ".copy";
    private readonly List<(string Name, SafeFileHandle Handle)> _deleted = [];

    public string PathOf(int act, ActKind kind) => Path.Combine(ground.Kept, FormattableString.Invariant($"{act:000}-{kind}"));

    public string CopyPathOf(int act) => PathOf(act, ActKind.CopyAndTruncateFile) + CopySuffix;

    /// <summary>Deletes a file, but not for the judge.</summary>
    public void Delete(string path)
    {
        _deleted.Add((path, File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete)));
        File.Delete(path);
    }

    /// <summary>Reads all of it.</summary>
    /// <returns>Name, content, and whether it is a copy made while others wrote, which may end inside a line.</returns>
    public IEnumerable<(string Name, byte[] Content, bool IsCopy)> Read()
    {
        foreach (var directory in new[] { ground.Kept, ground.Logs })
        {
            foreach (var path in Directory.EnumerateFiles(directory).Order(StringComparer.Ordinal))
                yield return (Path.GetRelativePath(ground.Root, path), File.ReadAllBytes(path), path.EndsWith(CopySuffix, StringComparison.Ordinal));
        }

        foreach (var (name, handle) in _deleted)
        {
            var content = new byte[RandomAccess.GetLength(handle)];
            var done = 0;
            while (done < content.Length && RandomAccess.Read(handle, content.AsSpan(done), done) is > 0 and var read)
                done += read;
            yield return (Path.GetRelativePath(ground.Root, name) + " (deleted)", content, false);
        }
    }

    public void Dispose() => _deleted.ForEach(static deleted => deleted.Handle.Dispose());
}
