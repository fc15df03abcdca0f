using System.Security.AccessControl;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>Opens and renames files with the framework, on any system.</summary>
internal sealed class PortableFileSystem : IFileSystem
{
    // macOS has its own numbers: O_APPEND, O_NONBLOCK, O_NOFOLLOW, O_CLOEXEC.
    private static readonly int AppendFlags = OperatingSystem.IsMacOS()
        ? LinuxNative.Write | 0x8 | 0x4 | 0x100 | 0x1000000
        : LinuxNative.Write | LinuxNative.Append | LinuxNative.NonBlocking | LinuxNative.NoFollow | LinuxNative.CloseOnExec;

    public string? Limitation => "on this platform links are checked before opening a file, and several processes on one file are not tested";

    /// <summary>The status of a file where the system does not tell its identity: it is the creation time.</summary>
    public static FileStat StatOf(long size, DateTime created, DateTime lastWrite) =>
        new(0, (ulong)created.Ticks, FileKind.Regular, 1, size, new DateTimeOffset(DateTime.SpecifyKind(lastWrite, DateTimeKind.Utc)));

    public IAppendFile Open(string path, FileOpening opening, UnixFileMode mode)
    {
        try
        {
            Refuse(path);
            string? limitation = null;
            bool isCreated = (opening == FileOpening.New || !File.Exists(path)) && TryCreate(path, opening, mode, out limitation);
            return new PortableAppendFile(OpenToAppend(path), path, isCreated) { Limitation = limitation };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            string errorType = opening == FileOpening.New && File.Exists(path) ? FileErrorClass.Exists : FileErrorClass.Of(exception);
            throw FileErrorClass.Failure("cannot open", path, errorType, cause: exception);
        }
    }

    public FileStat? Stat(string path) => FileErrorClass.Try("cannot inspect", path, () =>
    {
        try
        {
            var file = new FileInfo(path);
            FileKind? kind = file.LinkTarget is not null ? FileKind.Link
                : file.Exists ? FileKind.Regular
                : Directory.Exists(path) ? FileKind.Directory
                : null;
            return kind is null ? null
                : kind == FileKind.Regular ? NativeStat.Of(path) ?? StatOf(file.Length, file.CreationTimeUtc, file.LastWriteTimeUtc)
                : new FileStat(0, 0, kind.Value, 1, 0, default);
        }
        catch (FileNotFoundException)
        {
            // Deleted between the calls.
            return (FileStat?)null;
        }
    });

    public FileMove Archive(string active, string archive) => Move(active, archive);

    public FileMove Publish(string successor, string active) => Move(successor, active);

    public bool Delete(string path) => FileErrorClass.Try("cannot delete", path, () =>
    {
        try
        {
            bool exists = File.Exists(path);
            File.Delete(path);
            return exists;
        }
        catch (DirectoryNotFoundException)
        {
            // Gone with its directory; test Deleting_says_whether_there_was_a_file.
            return false;
        }
    });

    public NewDirectories CreateDirectory(string path, UnixFileMode mode) => Folders.Create(path, mode, Folders.CreateOne);

    // The framework opens no directories.
    public void SyncDirectory(string path)
    {
    }

    public DiskSpace? SpaceOf(string directory) => Folders.SpaceOf(directory);

    public IReadOnlyList<string> List(string directory) => Folders.List(directory);

    public ReadOnlyMemory<byte>? Read(string path, WriteMark from, int maxBytes) => FileErrorClass.Try<ReadOnlyMemory<byte>?>("cannot read", path, () =>
    {
        if (Stat(path) is not { Kind: FileKind.Regular } stat || stat.Device != from.Device || stat.Inode != from.Inode || stat.Size < from.Length)
            return null;
        using SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return Folders.ReadFrom(file, path, from.Length, (int)Math.Min(maxBytes, stat.Size - from.Length));
    });

    private static bool TryCreate(string path, FileOpening opening, UnixFileMode mode, out string? limitation)
    {
        limitation = null;
        try
        {
            NewFile.Create(path, mode, out limitation).Dispose();
            return true;
        }
        catch (IOException) when (opening == FileOpening.NewOrExisting && File.Exists(path))
        {
            // Another process was first: test Writers_at_one_time_do_not_overwrite_each_other.
            return false;
        }
    }

    // The system finds the end for every write, also while other processes append or truncate.
    private static SafeFileHandle OpenToAppend(string path)
    {
        if (OperatingSystem.IsWindows())
            return NativeStat.OpenOnWindows(path, FileSystemRights.AppendData | FileSystemRights.ReadAttributes);
        int errno = LinuxNative.TryOpen(path, AppendFlags, 0, out SafeFileHandle? file);
        return file ?? throw FileErrorClass.Failure("cannot open", path, errno);
    }

    // Before opening, because the framework follows links and waits for pipes.
    private static void Refuse(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null)
            throw FileErrorClass.Failure("cannot open", path, FileErrorClass.Symlink, FileErrorClass.DescribeLink(path));
        const FileAttributes special = FileAttributes.Directory | FileAttributes.Device;
        bool isSpecial = !OperatingSystem.IsWindows() && File.Exists(path) && !file.Attributes.HasFlag(FileAttributes.Normal) && (file.Attributes & special) != 0;
        if (Directory.Exists(path) || isSpecial)
            throw FileErrorClass.Failure("cannot open", path, FileErrorClass.NotAFile, FileErrorClass.DescribeOther(path));
    }

    private static FileMove Move(string from, string to)
    {
        if (File.Exists(to) || Directory.Exists(to))
            return FileMove.TargetTaken;
        try
        {
            File.Move(from, to, overwrite: false);
            return FileMove.Done;
        }
        catch (FileNotFoundException)
        {
            return FileMove.SourceGone;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            if (File.Exists(to))
                return FileMove.TargetTaken;
            throw FileErrorClass.Failure("cannot rename", from, FileErrorClass.Of(exception), cause: exception);
        }
    }
}

/// <summary>A file opened to append: on Windows with no right to write elsewhere, on other systems with O_APPEND.</summary>
internal sealed class PortableAppendFile(SafeFileHandle handle, string path, bool isCreated) : IAppendFile
{
    // For messages and for reading; never for writing.
    private string _path = path;

    public bool IsCreated { get; } = isCreated;

    public string? Limitation { get; init; }

    public int Append(ReadOnlySpan<byte> bytes)
    {
        if (!OperatingSystem.IsWindows())
            return LinuxNative.AppendTo(handle, bytes, out int errno) is > 0 and int written ? written : throw FileErrorClass.Failure("cannot write", _path, errno);
        try
        {
            // The offset is ignored.
            RandomAccess.Write(handle, bytes, 0);
            return bytes.Length;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw FileErrorClass.Failure("cannot write", _path, FileErrorClass.Of(exception), cause: exception);
        }
    }

    public FileStat Stat() => FileErrorClass.Try("cannot inspect", _path, () => StatOf(handle));

    public bool EndsInsideLine()
    {
        try
        {
            using SafeFileHandle reader = File.OpenHandle(_path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            FileStat read = StatOf(reader);
            byte[] last = new byte[1];
            return read.IsSameFile(StatOf(handle)) && read.Size > 0 && RandomAccess.Read(reader, last, read.Size - 1) == 1 && last[0] != (byte)'\n';
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Its name is gone or may not be read: test The_end_of_a_file_that_was_moved_is_never_that_of_the_file_at_its_path.
            return false;
        }
    }

    public void Renamed(string path) => _path = path;

    public void Sync() => FileErrorClass.Try("cannot sync", _path, () =>
    {
        RandomAccess.FlushToDisk(handle);
        return true;
    });

    public void Truncate() => FileErrorClass.Try("cannot truncate", _path, () =>
    {
        // The right to append does not include truncating.
        File.OpenHandle(_path, FileMode.Truncate, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete).Dispose();
        return true;
    });

    public void Dispose() => handle.Dispose();

    private static FileStat StatOf(SafeFileHandle file) => NativeStat.Of(file)
        ?? PortableFileSystem.StatOf(RandomAccess.GetLength(file), File.GetCreationTimeUtc(file), File.GetLastWriteTimeUtc(file));
}
