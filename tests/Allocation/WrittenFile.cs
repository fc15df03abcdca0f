using Microsoft.Win32.SafeHandles;

namespace AsyncLog.Tests;

/// <summary>The file of a path.</summary>
internal sealed class WrittenFile(string path) : Progress(QuietPolls)
{
    private const int QuietPolls = 2;

    private SafeFileHandle? _handle;

    public override void Dispose() => _handle?.Dispose();

    protected override long ReadLength() => RandomAccess.GetLength(_handle ??= Open());

    private SafeFileHandle Open()
    {
        Eventually.True(() => File.Exists(path));
        return File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
    }
}
