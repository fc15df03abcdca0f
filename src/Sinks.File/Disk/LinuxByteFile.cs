using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>A file opened with O_APPEND: the kernel finds its end anew for every write, whoever else writes or cuts it.</summary>
internal sealed class LinuxByteFile(SafeFileHandle handle, string path, bool isCreated) : IByteFile
{
    private const int Looks = 100;

    // For messages and for reading; never for writing.
    private string _path = path;

    public bool IsCreated { get; } = isCreated;

    public string? Limitation { get; init; }

    public unsafe int Append(ReadOnlySpan<byte> bytes)
    {
        while (true)
        {
            nint written;
            fixed (byte* first = bytes)
                written = LinuxNative.WriteTo(handle, first, bytes.Length);
            if (written > 0)
                return (int)written;
            int errno = written < 0 ? Marshal.GetLastPInvokeError() : 0;
            if (errno != LinuxNative.Interrupted)
                throw LinuxByteFiles.Failure("cannot write", _path, errno);
        }
    }

    public FileStat Stat()
    {
        int errno = LinuxNative.TryStat(handle, out FileStat stat);
        return errno == 0 ? stat : throw LinuxByteFiles.Failure("cannot look at", _path, errno);
    }

    public bool EndsInsideLine()
    {
        // By its descriptor, because its name may be another file's by now; by its name where /proc is missing.
        using SafeFileHandle? reader = OpenToRead(string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{handle.DangerousGetHandle()}"), 0)
            ?? OpenToRead(_path, LinuxNative.NoFollow);
        if (reader is null || LinuxNative.TryStat(reader, out FileStat read) != 0 || !read.IsSameFile(Stat()))
            return false;
        for (int look = 0; look < Looks; look++)
        {
            long size = Stat().Size;
            if (size == 0 || LastByte(reader, size) is null or (byte)'\n')
                return false;
            AwaitWriteInProgress(reader, size);
            if (Stat().Size == size)
                return true;
        }

        // Others append all the time, and whole lines.
        return false;
    }

    public void Renamed(string path) => _path = path;

    public void Sync()
    {
        while (LinuxNative.SyncData(handle) != 0)
        {
            int errno = Marshal.GetLastPInvokeError();
            if (errno != LinuxNative.Interrupted)
                throw LinuxByteFiles.Failure("cannot sync", _path, errno);
        }
    }

    public void Truncate()
    {
        try
        {
            RandomAccess.SetLength(handle, 0);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw FileErrorClass.Failure("cannot truncate", _path, FileErrorClass.Of(exception), cause: exception);
        }
    }

    public void Close()
    {
        if (handle.IsClosed)
            return;
        int descriptor = (int)handle.DangerousGetHandle();
        handle.SetHandleAsInvalid();

        // Interrupted or not, the descriptor is gone.
        if (LinuxNative.Close(descriptor) != 0 && Marshal.GetLastPInvokeError() is var errno and not LinuxNative.Interrupted)
            throw LinuxByteFiles.Failure("cannot close", _path, errno);
    }

    public void Dispose() => handle.Dispose();

    private static byte? LastByte(SafeFileHandle reader, long size)
    {
        Span<byte> last = stackalloc byte[1];
        return RandomAccess.Read(reader, last, size - 1) == 1 ? last[0] : null;
    }

    /// <summary>Returns when a write that another process began is done: the size grows page by page meanwhile, so that half a line is seen.</summary>
    /// <remarks>
    /// Looking for a hole waits for the same lock of the inode as a write (ext4, btrfs, tmpfs, overlay); on XFS the read of the last byte has waited for
    /// it. On a file system that does neither, at worst an empty line stands between two records.
    /// </remarks>
    private static void AwaitWriteInProgress(SafeFileHandle reader, long size) =>
        LinuxNative.Seek(reader, (nint)Math.Min(size - 1, nint.MaxValue), LinuxNative.SeekHole);

    private static SafeFileHandle? OpenToRead(string name, int flags)
    {
        int descriptor = LinuxNative.Open(name, LinuxNative.Read | LinuxNative.CloseOnExec | LinuxNative.NonBlocking | flags, 0);
        return descriptor < 0 ? null : new SafeFileHandle(descriptor, ownsHandle: true);
    }
}
