using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>Chooses how files are written and read on this platform.</summary>
internal static class FileSystems
{
    public static IFileSystem ForThisPlatform() =>
        OperatingSystem.IsLinux() && LinuxFileSystem.IsSupported ? new LinuxFileSystem() : new PortableFileSystem();

    /// <summary>Opens a regular file to read; never through a link, never waiting, and without the lock the framework takes where it can do without.
    /// Exceptions of the framework are not translated.</summary>
    public static FileStream OpenToRead(string path)
    {
        if (!OperatingSystem.IsLinux() || !LinuxFileSystem.IsSupported)
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        int descriptor = LinuxNative.Open(path, LinuxNative.Read | LinuxNative.CloseOnExec | LinuxNative.NonBlocking | LinuxNative.NoFollow, 0);
        return descriptor >= 0
            ? new FileStream(new SafeFileHandle(descriptor, ownsHandle: true), FileAccess.Read, bufferSize: 0)
            : throw FileErrorClass.Failure("cannot open", path, Marshal.GetLastPInvokeError());
    }
}
