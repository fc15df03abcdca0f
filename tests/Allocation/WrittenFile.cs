using Microsoft.Win32.SafeHandles;

namespace AsyncLog.Allocation;

/// <summary>The file of a path, watched without allocating: a flush of the logger would cost what is being measured.</summary>
internal sealed class WrittenFile(string path) : IDisposable
{
    // the last segment of a burst may stay open longer; it is one of many
    private const int QuietMilliseconds = 3;

    private SafeFileHandle? _handle;
    private long _length;

    /// <summary>Returns when the file has grown since the last time, and grows no more.</summary>
    public void WaitUntilQuiet()
    {
        _handle ??= Open();
        var grown = _length;
        for (var quiet = 0; quiet < QuietMilliseconds; quiet++)
        {
            Thread.Sleep(1);
            var length = RandomAccess.GetLength(_handle);
            if (length != _length || length == grown)
                quiet = 0;
            _length = length;
        }
    }

    public void Dispose() => _handle?.Dispose();

    private SafeFileHandle Open()
    {
        while (!File.Exists(path))
            Thread.Sleep(1);
        return File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
    }
}
