using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>A file written at its end as the framework sees it: right while one process writes it.</summary>
internal sealed class PortableByteFile(SafeFileHandle handle, string path, bool isCreated) : IByteFile
{
    // For messages and for reading; never for writing.
    private string _path = path;

    public bool IsCreated { get; } = isCreated;

    public string? Limitation { get; init; }

    public int Append(ReadOnlySpan<byte> bytes)
    {
        long end = Try("cannot look at", () => RandomAccess.GetLength(handle));
        try
        {
            RandomAccess.Write(handle, bytes, end);
            return bytes.Length;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The framework does not say how much it wrote before it failed; the file does.
            long written = Try("cannot look at", () => RandomAccess.GetLength(handle)) - end;
            if (written > 0)
                return (int)Math.Min(written, bytes.Length);
            throw FileErrorClass.Failure("cannot write", _path, FileErrorClass.Of(exception), cause: exception);
        }
    }

    public FileStat Stat() => Try("cannot look at", () => PortableByteFiles.StatOf(
        RandomAccess.GetLength(handle), File.GetCreationTimeUtc(handle), File.GetLastWriteTimeUtc(handle)));

    public bool EndsInsideLine() => Try("cannot read", () =>
    {
        using SafeFileHandle reader = File.OpenHandle(_path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        long length = RandomAccess.GetLength(reader);
        byte[] last = new byte[1];
        return length > 0 && RandomAccess.Read(reader, last, length - 1) == 1 && last[0] != (byte)'\n';
    });

    public void Renamed(string path) => _path = path;

    public void Sync() => Try("cannot sync", () =>
    {
        RandomAccess.FlushToDisk(handle);
        return true;
    });

    public void Truncate() => Try("cannot truncate", () =>
    {
        RandomAccess.SetLength(handle, 0);
        return true;
    });

    public void Dispose() => handle.Dispose();

    private T Try<T>(string operation, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw FileErrorClass.Failure(operation, _path, FileErrorClass.Of(exception), cause: exception);
        }
    }
}
