using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>System calls that the framework lacks. Only this class has numbers that differ between processors.</summary>
internal static unsafe partial class LinuxNative
{
    public const int NotPermitted = 1;
    public const int NoEntry = 2;
    public const int Interrupted = 4;
    public const int Exists = 17;
    public const int NotImplemented = 38;
    public const int InvalidArgument = 22;
    public const int NotSupported = 95;

    public const int Read = 0;
    public const int Write = 1;
    public const int Create = 0x40;
    public const int Exclusive = 0x80;
    public const int Append = 0x400;
    public const int NonBlocking = 0x800;
    public const int CloseOnExec = 0x80000;

    public const int EmptyPath = 0x1000;
    public const int SeekHole = 4;

    /// <summary>With the id 0 it is the thread that calls: on Linux each has its own.</summary>
    public const int OfThread = 0;

    /// <summary>The nice value of a thread that runs when no other wants to.</summary>
    public const int LowestPriority = 19;
    private const int NoFollowPath = 0x100;
    private const int CurrentDirectory = -100;
    private const uint BasicStats = 0x7ff;
    private const uint RenameNoReplace = 1;
    private const int KindMask = 0xf000;

    /// <summary>Do not follow a link at the end of the path.</summary>
    public static int NoFollow { get; } = UsesArmFlags ? 0x8000 : 0x20000;

    /// <summary>Open directories only.</summary>
    public static int Directory { get; } = UsesArmFlags ? 0x4000 : 0x10000;

    private static bool UsesArmFlags =>
        RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm or Architecture.Armv6 or Architecture.Ppc64le;

    // Called by number, because older and other C libraries lack the names.
    private static int StatNumber { get; } = RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 332,
        Architecture.Arm64 or Architecture.RiscV64 or Architecture.LoongArch64 => 291,
        Architecture.Arm or Architecture.Armv6 => 397,
        Architecture.S390x => 379,
        Architecture.Ppc64le => 383,
        _ => 0,
    };

    private static int RenameNumber { get; } = RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 316,
        Architecture.Arm64 or Architecture.RiscV64 or Architecture.LoongArch64 => 276,
        Architecture.Arm or Architecture.Armv6 => 382,
        Architecture.S390x => 347,
        Architecture.Ppc64le => 357,
        _ => 0,
    };

    /// <returns>An error number, or 0.</returns>
    public static int TryStat(string path, out FileStat stat) => TryStat(CurrentDirectory, path, NoFollowPath, out stat);

    /// <returns>An error number, or 0.</returns>
    public static int TryStat(SafeFileHandle file, out FileStat stat)
    {
        bool isHeld = false;
        try
        {
            file.DangerousAddRef(ref isHeld);
            return TryStat((int)file.DangerousGetHandle(), "", EmptyPath, out stat);
        }
        finally
        {
            if (isHeld)
                file.DangerousRelease();
        }
    }

    /// <summary>Opens a file or a directory, again when a signal interrupts it. macOS too, with its own flags.</summary>
    /// <returns>An error number, or 0.</returns>
    public static int TryOpen(string path, int flags, UnixFileMode mode, out SafeFileHandle? handle)
    {
        int descriptor;
        int errno;
        do
        {
            descriptor = Open(path, flags, (uint)mode);
            errno = descriptor < 0 ? Marshal.GetLastPInvokeError() : 0;
        }
        while (errno == Interrupted);

        handle = descriptor < 0 ? null : new SafeFileHandle(descriptor, ownsHandle: true);
        return errno;
    }

    /// <returns>An error number, or 0.</returns>
    public static int TryRenameNoReplace(string from, string to)
    {
        if (RenameNumber == 0)
            return NotImplemented;
        return Rename2(RenameNumber, CurrentDirectory, from, CurrentDirectory, to, RenameNoReplace) == 0 ? 0 : Marshal.GetLastPInvokeError();
    }

    /// <summary>The kind of a file by its mode. macOS too.</summary>
    public static FileKind KindOf(int mode) => (mode & KindMask) switch
    {
        0x8000 => FileKind.Regular,
        0x4000 => FileKind.Directory,
        0xa000 => FileKind.Link,
        _ => FileKind.Other,
    };

    /// <summary>The time of a file.</summary>
    public static DateTimeOffset TimeOf(long seconds, long nanoseconds)
    {
        // Years 1 to 9999; file systems can hold more.
        seconds = Math.Clamp(seconds, -62_135_596_800, 253_402_300_799);
        return DateTimeOffset.FromUnixTimeSeconds(seconds).AddTicks(nanoseconds / 100);
    }

    /// <summary>Appends to a file that was opened for it. macOS too.</summary>
    /// <param name="errno">An error number, or 0.</param>
    /// <returns>Number of bytes written.</returns>
    public static int AppendTo(SafeFileHandle file, ReadOnlySpan<byte> bytes, out int errno)
    {
        do
        {
            nint written;
            fixed (byte* first = bytes)
                written = WriteTo(file, first, bytes.Length);
            errno = written < 0 ? Marshal.GetLastPInvokeError() : 0;
            if (written > 0)
                return (int)written;
        }
        while (errno == Interrupted);
        return 0;
    }

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    public static partial int SyncData(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    public static partial int Sync(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    public static partial nint Seek(SafeFileHandle file, nint offset, int origin);

    [LibraryImport("libc", EntryPoint = "setpriority")]
    public static partial int SetPriority(int kind, uint id, int nice);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "mkdir", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int MakeDirectory(string path, uint mode);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static partial nint WriteTo(SafeFileHandle file, byte* bytes, nint count);

    [LibraryImport("libc", EntryPoint = "rename", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Rename(string from, string to);

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Link(string existing, string further);

    [LibraryImport("libc", EntryPoint = "unlink", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unlink(string path);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint Rename2(nint number, nint fromDirectory, string from, nint toDirectory, string to, nuint flags);

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint StatX(nint number, nint directory, string path, nint flags, nuint mask, StatBuffer* result);

    private static int TryStat(int directory, string path, int flags, out FileStat stat)
    {
        StatBuffer buffer;
        stat = default;
        if (StatNumber == 0)
            return NotImplemented;
        while (StatX(StatNumber, directory, path, flags, BasicStats, &buffer) != 0)
        {
            int errno = Marshal.GetLastPInvokeError();
            if (errno != Interrupted)
                return errno;
        }

        stat = new FileStat(
            ((ulong)buffer.DeviceMajor << 32) | buffer.DeviceMinor, buffer.Inode, KindOf(buffer.Mode), buffer.Links, (long)buffer.Size,
            TimeOf(buffer.WriteSeconds, buffer.WriteNanoseconds));
        return 0;
    }

    // struct statx is the same on every processor.
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct StatBuffer
    {
        [FieldOffset(16)]
        public readonly uint Links;

        [FieldOffset(28)]
        public readonly ushort Mode;

        [FieldOffset(32)]
        public readonly ulong Inode;

        [FieldOffset(40)]
        public readonly ulong Size;

        [FieldOffset(112)]
        public readonly long WriteSeconds;

        [FieldOffset(120)]
        public readonly uint WriteNanoseconds;

        [FieldOffset(136)]
        public readonly uint DeviceMajor;

        [FieldOffset(140)]
        public readonly uint DeviceMinor;
    }
}
