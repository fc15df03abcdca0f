using Microsoft.Win32.SafeHandles;

namespace AsyncLog.Allocation;

/// <summary>The file of a path.</summary>
internal sealed class WrittenFile(string path) : Written
{
    private SafeFileHandle? _handle;

    protected override long Bytes => RandomAccess.GetLength(_handle ??= Open());

    public override void Dispose() => _handle?.Dispose();

    private SafeFileHandle Open()
    {
        while (!File.Exists(path))
            Thread.Sleep(1);
        return File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
    }
}
