using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Security.AccessControl;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>The status of files as the system has it, with the identity that the framework lacks. Null if the system does not report it.</summary>
internal static unsafe partial class NativeStat
{
    private const int WindowsLength = 52;
    private const int MacLength = 144;

    /// <summary>The status of an open file.</summary>
    public static FileStat? Of(SafeFileHandle file)
    {
        if (OperatingSystem.IsWindows())
            return OfWindows(file);
        if (OperatingSystem.IsMacOS())
            return OfMac(file);
        return LinuxNative.TryStat(file, out FileStat stat) == 0 ? stat : null;
    }

    /// <summary>The status of the regular file at a path; links are not followed. Exceptions of the framework are not translated.</summary>
    public static FileStat? Of(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            using SafeFileHandle file = OpenOnWindows(path, FileSystemRights.ReadAttributes);
            return OfWindows(file);
        }

        if (OperatingSystem.IsMacOS())
        {
            byte* buffer = stackalloc byte[MacLength];
            return (IsArm ? StatArm(path, buffer) : StatIntel(path, buffer)) == 0 ? FromMac(new ReadOnlySpan<byte>(buffer, MacLength)) : null;
        }

        return LinuxNative.TryStat(path, out FileStat stat) == 0 ? stat : null;
    }

    /// <summary>Opens an existing file with rights that <see cref="FileAccess"/> cannot express.</summary>
    [SupportedOSPlatform("windows")]
    public static SafeFileHandle OpenOnWindows(string path, FileSystemRights rights) => new FileInfo(path).Create(
        FileMode.Open, rights | FileSystemRights.Synchronize, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1, FileOptions.None, fileSecurity: null).SafeFileHandle;

    /// <summary>Reads BY_HANDLE_FILE_INFORMATION: the identity is the serial number of the volume and the index of the file.</summary>
    public static FileStat FromWindows(ReadOnlySpan<byte> information)
    {
        static uint Word(ReadOnlySpan<byte> from, int offset) => BinaryPrimitives.ReadUInt32LittleEndian(from[offset..]);
        static long Long(ReadOnlySpan<byte> from, int high, int low) => ((long)Word(from, high) << 32) | Word(from, low);
        const uint directory = 0x10;
        const uint reparsePoint = 0x400;
        uint attributes = Word(information, 0);
        FileKind kind = (attributes & reparsePoint) != 0 ? FileKind.Link : (attributes & directory) != 0 ? FileKind.Directory : FileKind.Regular;
        DateTimeOffset lastWrite = DateTimeOffset.FromFileTime(Long(information, 24, 20)).ToUniversalTime();
        return new FileStat(
            Word(information, 28), (ulong)Long(information, 44, 48), kind, Word(information, 40), Long(information, 32, 36), lastWrite);
    }

    /// <summary>Reads struct stat of macOS with 64-bit inodes, the same on both processors.</summary>
    public static FileStat FromMac(ReadOnlySpan<byte> stat)
    {
        FileKind kind = LinuxNative.KindOf(BinaryPrimitives.ReadUInt16LittleEndian(stat[4..]));
        DateTimeOffset lastWrite = LinuxNative.TimeOf(BinaryPrimitives.ReadInt64LittleEndian(stat[48..]), BinaryPrimitives.ReadInt64LittleEndian(stat[56..]));
        return new FileStat(
            BinaryPrimitives.ReadUInt32LittleEndian(stat), BinaryPrimitives.ReadUInt64LittleEndian(stat[8..]), kind,
            BinaryPrimitives.ReadUInt16LittleEndian(stat[6..]), BinaryPrimitives.ReadInt64LittleEndian(stat[96..]), lastWrite);
    }

    private static bool IsArm => RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    private static FileStat? OfWindows(SafeFileHandle file)
    {
        byte* buffer = stackalloc byte[WindowsLength];
        return GetFileInformation(file, buffer) != 0 ? FromWindows(new ReadOnlySpan<byte>(buffer, WindowsLength)) : null;
    }

    private static FileStat? OfMac(SafeFileHandle file)
    {
        byte* buffer = stackalloc byte[MacLength];
        return (IsArm ? StatArm(file, buffer) : StatIntel(file, buffer)) == 0 ? FromMac(new ReadOnlySpan<byte>(buffer, MacLength)) : null;
    }

    [LibraryImport("kernel32", EntryPoint = "GetFileInformationByHandle")]
    private static partial int GetFileInformation(SafeFileHandle file, byte* information);

    // On x64 the plain names are those of the old structure.
    [LibraryImport("libc", EntryPoint = "fstat")]
    private static partial int StatArm(SafeFileHandle file, byte* stat);

    [LibraryImport("libc", EntryPoint = "fstat$INODE64")]
    private static partial int StatIntel(SafeFileHandle file, byte* stat);

    [LibraryImport("libc", EntryPoint = "lstat", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int StatArm(string path, byte* stat);

    [LibraryImport("libc", EntryPoint = "lstat$INODE64", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int StatIntel(string path, byte* stat);
}
