using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>Linux: native opening and renaming. No lock is ever taken on a log file, because a .NET reader could not open it then.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxFileSystem : IFileSystem
{
    private const int Attempts = 8;
    private readonly bool _renamesWithoutReplacing;
    private readonly bool _hasHardLinks;

    /// <param name="renamesWithoutReplacing">False in tests only: as on file systems that cannot.</param>
    /// <param name="hasHardLinks">False in tests only: as on file systems that have none.</param>
    public LinuxFileSystem(bool renamesWithoutReplacing = true, bool hasHardLinks = true) =>
        (_renamesWithoutReplacing, _hasHardLinks) = (renamesWithoutReplacing, hasHardLinks);

    /// <summary>True if the kernel and its filters let these calls through.</summary>
    public static bool IsSupported => LinuxNative.TryStat("/", out _) == 0;

    public string? Limitation => null;

    public IAppendFile Open(string path, FileOpening opening, UnixFileMode mode)
    {
        const int flags = LinuxNative.Write | LinuxNative.Append | LinuxNative.CloseOnExec | LinuxNative.NonBlocking;
        int errno = 0;

        // Other processes may create and delete the name in between, so this tries a few times.
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            errno = LinuxNative.TryOpen(path, flags | LinuxNative.NoFollow | LinuxNative.Create | LinuxNative.Exclusive, mode, out SafeFileHandle? created);
            if (created is not null)
                return Created(created, path, mode);
            if (errno != LinuxNative.Exists || opening == FileOpening.New)
                break;
            errno = LinuxNative.TryOpen(path, flags | LinuxNative.NoFollow, 0, out SafeFileHandle? existing);
            if (existing is not null)
                return Regular(existing, path);
            if (errno != LinuxNative.NoEntry)
                break;
        }

        throw FileErrorClass.Failure("cannot open", path, errno);
    }

    public FileStat? Stat(string path)
    {
        int errno = LinuxNative.TryStat(path, out FileStat stat);
        return errno == 0 ? stat
            : FileErrorClass.OfErrno(errno) is FileErrorClass.NotFound or FileErrorClass.NotADirectory ? null
            : throw FileErrorClass.Failure("cannot inspect", path, errno);
    }

    public FileMove Archive(string active, string archive) =>
        TryRename(active, archive) ?? RenameOverReserved(active, archive);

    public FileMove Publish(string successor, string active) =>
        TryRename(successor, active) ?? LinkAndUnlink(successor, active);

    public bool Delete(string path)
    {
        if (LinuxNative.Unlink(path) == 0)
            return true;
        int errno = Marshal.GetLastPInvokeError();
        return errno == LinuxNative.NoEntry ? false : throw FileErrorClass.Failure("cannot delete", path, errno);
    }

    public NewDirectories CreateDirectory(string path, UnixFileMode mode) => Folders.Create(path, mode, CreateOne);

    public void SyncDirectory(string path)
    {
        int errno = LinuxNative.TryOpen(path, LinuxNative.Read | LinuxNative.CloseOnExec | LinuxNative.Directory, 0, out SafeFileHandle? directory);
        using (directory)
        {
            while (directory is not null && LinuxNative.Sync(directory) != 0)
            {
                errno = Marshal.GetLastPInvokeError();
                if (errno != LinuxNative.Interrupted)
                    break;
                errno = 0;
            }
        }

        if (errno != 0)
            throw FileErrorClass.Failure("cannot sync", path, errno);
    }

    public DiskSpace? SpaceOf(string directory) => Folders.SpaceOf(directory);

    public IReadOnlyList<string> List(string directory) => Folders.List(directory);

    public ReadOnlyMemory<byte>? Read(string path, WriteMark from, int maxBytes)
    {
        int errno = LinuxNative.TryOpen(path, LinuxNative.Read | LinuxNative.CloseOnExec | LinuxNative.NonBlocking | LinuxNative.NoFollow, 0, out SafeFileHandle? file);
        if (file is null)
            return errno == LinuxNative.NoEntry ? null : throw FileErrorClass.Failure("cannot read", path, errno);
        using (file)
        {
            errno = LinuxNative.TryStat(file, out FileStat stat);
            if (errno != 0)
                throw FileErrorClass.Failure("cannot read", path, errno);
            if (stat.Device != from.Device || stat.Inode != from.Inode || stat.Size < from.Length)
                return null;
            return Folders.ReadFrom(file, path, from.Length, (int)Math.Min(maxBytes, stat.Size - from.Length));
        }
    }

    private static LinuxAppendFile Created(SafeFileHandle handle, string path, UnixFileMode mode)
    {
        try
        {
            return new LinuxAppendFile(handle, path, isCreated: true) { Limitation = NewFile.SetMode(handle, path, mode) };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            handle.Dispose();
            LinuxNative.Unlink(path);
            throw FileErrorClass.Failure("cannot set the mode of", path, FileErrorClass.Of(exception), cause: exception);
        }
    }

    // Never by its path, which others may have replaced by now.
    private static string? CreateOne(string path, UnixFileMode mode)
    {
        if (LinuxNative.MakeDirectory(path, (uint)mode) != 0)
        {
            int errno = Marshal.GetLastPInvokeError();
            return errno == LinuxNative.Exists && Directory.Exists(path) ? null : throw FileErrorClass.Failure("cannot create", path, errno);
        }

        int opened = LinuxNative.TryOpen(path, LinuxNative.Read | LinuxNative.CloseOnExec | LinuxNative.Directory | LinuxNative.NoFollow, 0, out SafeFileHandle? directory);
        using (directory)
        {
            // Keeps the bit that a set-group-id directory passes on.
            return directory is null
                ? throw FileErrorClass.Failure("cannot open", path, opened)
                : NewFile.SetMode(directory, path, mode | (File.GetUnixFileMode(directory) & UnixFileMode.SetGroup));
        }
    }

    private static LinuxAppendFile Regular(SafeFileHandle handle, string path)
    {
        int errno = LinuxNative.TryStat(handle, out FileStat stat);
        if (errno == 0 && stat.Kind == FileKind.Regular)
            return new LinuxAppendFile(handle, path, isCreated: false);
        handle.Dispose();
        throw errno != 0
            ? FileErrorClass.Failure("cannot inspect", path, errno)
            : FileErrorClass.Failure("cannot open", path, FileErrorClass.NotAFile, FileErrorClass.DescribeOther(path));
    }

    /// <returns>Null where the file system cannot do it.</returns>
    private FileMove? TryRename(string from, string to)
    {
        int errno = _renamesWithoutReplacing ? LinuxNative.TryRenameNoReplace(from, to) : LinuxNative.NotImplemented;
        return errno switch
        {
            0 => FileMove.Done,
            LinuxNative.NoEntry => FileMove.SourceGone,
            LinuxNative.Exists => FileMove.TargetTaken,
            LinuxNative.NotImplemented or LinuxNative.InvalidArgument => null,
            _ => throw FileErrorClass.Failure("cannot rename", from, errno),
        };
    }

    private static FileMove RenameOverReserved(string from, string to)
    {
        int errno = LinuxNative.TryOpen(to, LinuxNative.Write | LinuxNative.CloseOnExec | LinuxNative.NoFollow | LinuxNative.Create | LinuxNative.Exclusive,
            UnixFileMode.UserRead | UnixFileMode.UserWrite, out SafeFileHandle? reserved);
        if (reserved is null)
            return errno == LinuxNative.Exists ? FileMove.TargetTaken : throw FileErrorClass.Failure("cannot create", to, errno);
        reserved.Dispose();
        if (LinuxNative.Rename(from, to) == 0)
            return FileMove.Done;
        errno = Marshal.GetLastPInvokeError();
        LinuxNative.Unlink(to);
        return errno == LinuxNative.NoEntry ? FileMove.SourceGone : throw FileErrorClass.Failure("cannot rename", from, errno);
    }

    private FileMove LinkAndUnlink(string from, string to)
    {
        int errno = !_hasHardLinks ? LinuxNative.NotSupported : LinuxNative.Link(from, to) == 0 ? 0 : Marshal.GetLastPInvokeError();
        if (errno == 0)
        {
            Delete(from);
            return FileMove.Done;
        }

        return errno switch
        {
            LinuxNative.NoEntry => FileMove.SourceGone,
            LinuxNative.Exists => FileMove.TargetTaken,

            // No hard links: blobfuse, s3fs, gcsfuse. What another process writes to the reserved name at this moment is lost.
            LinuxNative.NotPermitted or LinuxNative.NotSupported or LinuxNative.NotImplemented => RenameOverReserved(from, to),
            _ => throw FileErrorClass.Failure("cannot rename", from, errno),
        };
    }
}

/// <summary>A file opened with O_APPEND: the kernel finds the end for every write, also while other processes append or truncate.</summary>
internal sealed class LinuxAppendFile(SafeFileHandle handle, string path, bool isCreated) : IAppendFile
{
    private const int Samples = 100;

    // For messages and for reading; never for writing.
    private string _path = path;

    public bool IsCreated { get; } = isCreated;

    public string? Limitation { get; init; }

    public int Append(ReadOnlySpan<byte> bytes) =>
        LinuxNative.AppendTo(handle, bytes, out int errno) is > 0 and int written ? written : throw FileErrorClass.Failure("cannot write", _path, errno);

    public FileStat Stat()
    {
        int errno = LinuxNative.TryStat(handle, out FileStat stat);
        return errno == 0 ? stat : throw FileErrorClass.Failure("cannot inspect", _path, errno);
    }

    public bool EndsInsideLine()
    {
        // By its descriptor, because its name may belong to another file by now; by its name if /proc is missing.
        using SafeFileHandle? reader = OpenToRead(string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{handle.DangerousGetHandle()}"), 0)
            ?? OpenToRead(_path, LinuxNative.NoFollow);
        if (reader is null || LinuxNative.TryStat(reader, out FileStat read) != 0 || !read.IsSameFile(Stat()))
            return false;
        for (int sample = 0; sample < Samples; sample++)
        {
            long size = Stat().Size;
            if (size == 0 || LastByte(reader, size) is null or (byte)'\n')
                return false;
            AwaitWriteInProgress(reader, size);
            if (Stat().Size == size)
                return true;
        }

        // Other processes append all the time, and they append whole lines.
        return false;
    }

    public void Renamed(string path) => _path = path;

    public void Sync()
    {
        while (LinuxNative.SyncData(handle) != 0)
        {
            int errno = Marshal.GetLastPInvokeError();
            if (errno != LinuxNative.Interrupted)
                throw FileErrorClass.Failure("cannot sync", _path, errno);
        }
    }

    public void Truncate() => FileErrorClass.Try("cannot truncate", _path, () =>
    {
        RandomAccess.SetLength(handle, 0);
        return true;
    });

    public void Close()
    {
        if (handle.IsClosed)
            return;
        int descriptor = (int)handle.DangerousGetHandle();
        handle.SetHandleAsInvalid();

        // The descriptor is closed also if the call was interrupted.
        if (LinuxNative.Close(descriptor) != 0 && Marshal.GetLastPInvokeError() is var errno and not LinuxNative.Interrupted)
            throw FileErrorClass.Failure("cannot close", _path, errno);
    }

    public void Dispose() => handle.Dispose();

    private static byte? LastByte(SafeFileHandle reader, long size)
    {
        Span<byte> last = stackalloc byte[1];
        return RandomAccess.Read(reader, last, size - 1) == 1 ? last[0] : null;
    }

    /// <summary>Returns when a write that another process began is done: the size grows page by page meanwhile, so that half a line is seen.</summary>
    /// <remarks>
    /// Seeking a hole waits for the same lock of the inode as a write (ext4, btrfs, tmpfs, overlay); on XFS the read of the last byte has waited for
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
