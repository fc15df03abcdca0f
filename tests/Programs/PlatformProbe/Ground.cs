using System.Text;
using AsyncLog.Tests;

namespace AsyncLog.PlatformProbe;

/// <summary>The folder of one check, and what is started in it.</summary>
internal sealed class Ground : IDisposable
{
    // The path of a socket of Unix may have 107 bytes.
    private readonly TempFolder _folder = new();

    public string Folder => _folder.Path;

    public string File(params ReadOnlySpan<string> parts) => _folder.File(parts);

    /// <summary>The names of files below a folder, in ordinal order.</summary>
    public IReadOnlyList<string> Names(string folder = "") =>
        [.. Directory.EnumerateFiles(File(folder), "*").Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    /// <summary>The lines of a file, also while it is written; none while there is no file.</summary>
    public string[] Lines(params ReadOnlySpan<string> parts) => System.IO.File.Exists(File(parts)) ? LinesOf(Read(parts)) : [];

    public byte[] Read(params ReadOnlySpan<string> parts)
    {
        using var file = new FileStream(File(parts), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using var bytes = new MemoryStream();
        file.CopyTo(bytes);
        return bytes.ToArray();
    }

    /// <summary>An application with one file of messages.</summary>
    /// <param name="name">The name of the file.</param>
    /// <param name="options">More options of the section, or keys of the root that begin with a colon.</param>
    public Application LogTo(string name, params ReadOnlySpan<(string Key, string Value)> options) =>
        Application.Start("AsyncFile", [("Path", File(name)), ("Template", "{Message}{NewLine}"), .. options]);

    public static string[] LinesOf(ReadOnlySpan<byte> bytes)
    {
        var lines = Encoding.UTF8.GetString(bytes).ReplaceLineEndings("\n").Split('\n');
        return lines[^1].Length == 0 ? lines[..^1] : lines;
    }

    public void Dispose()
    {
        try
        {
            _folder.Dispose();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A check that failed left something open, which keeps the files on Windows.
            Console.Error.WriteLine($"{Folder} stays: {exception.Message}");
        }
    }
}
