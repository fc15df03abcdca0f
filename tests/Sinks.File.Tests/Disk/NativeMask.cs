using System.Runtime.InteropServices;

namespace AsyncLog.Tests.Disk;

internal static partial class NativeMask
{
    [LibraryImport("libc", EntryPoint = "umask")]
    public static partial uint Set(uint mask);
}
