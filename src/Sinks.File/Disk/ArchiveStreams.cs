using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>Reads finished files and makes new ones besides them. What the framework throws passes on.</summary>
internal static class ArchiveStreams
{
    /// <summary>Opens a regular file to read; never through a link, never waiting, and without the lock the framework takes where it can do without.</summary>
    public static FileStream OpenToRead(string path)
    {
        if (!OperatingSystem.IsLinux() || !LinuxByteFiles.IsSupported)
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        int descriptor = LinuxNative.Open(path, LinuxNative.Read | LinuxNative.CloseOnExec | LinuxNative.NonBlocking | LinuxNative.NoFollow, 0);
        return descriptor >= 0
            ? new FileStream(new SafeFileHandle(descriptor, ownsHandle: true), FileAccess.Read, bufferSize: 0)
            : throw LinuxByteFiles.Failure("cannot open", path, Marshal.GetLastPInvokeError());
    }

    /// <summary>Creates a file with exactly the mode of another one; where modes cannot be set, that was said when the other one was created.</summary>
    public static FileStream CreateLike(FileStream model, string path) =>
        NewFile.Create(path, OperatingSystem.IsWindows() ? UnixFileMode.None : File.GetUnixFileMode(model.SafeFileHandle), out _);
}
