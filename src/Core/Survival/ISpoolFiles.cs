using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>The file operations of a spool. Everything throws <see cref="LogSinkException"/> with the class of the failure.</summary>
internal interface ISpoolFiles
{
    /// <summary>Creates a directory, and those above it, that only this user may enter; checks that one which exists is of that kind.</summary>
    void CreateDirectory(string path);

    /// <summary>Takes the lock of a directory.</summary>
    /// <returns>Null when another process has it. Disposing it releases the lock.</returns>
    IDisposable? TryLock(string path);

    /// <summary>The names in a directory; none when it does not exist.</summary>
    IReadOnlyList<string> List(string directory);

    /// <summary>Creates a file that must not exist.</summary>
    /// <param name="toDisk">True to return when it is on the disk.</param>
    void Write(string path, SegmentImage image, bool toDisk);

    /// <summary>Returns the content of a file; null when there is none.</summary>
    byte[]? Read(string path);

    /// <summary>Gives a file another name, replacing nothing that a spool writes.</summary>
    void Rename(string from, string to);

    /// <summary>Deletes a file, or an empty directory; nothing happens when there is none.</summary>
    void Delete(string path);

    /// <summary>Forces the names in a directory to the disk.</summary>
    void SyncDirectory(string path);

    /// <summary>Free and all bytes of the file system; null: not known.</summary>
    (long Available, long Total)? SpaceOf(string directory);
}

/// <summary>The files of the system.</summary>
internal sealed partial class SpoolFiles : ISpoolFiles
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode OwnerDirectory = OwnerOnly | UnixFileMode.UserExecute;
    private const UnixFileMode OthersWrite = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;

    public static ISpoolFiles Instance { get; } = new SpoolFiles();

    /// <summary>The number of the user whose rights this process has.</summary>
    public static uint EffectiveUser => Native.EffectiveUser();

    public void CreateDirectory(string path) => Run("create", path, () =>
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }

        CreateMissing(path);
        var about = Native.LStat(path);
        if (new DirectoryInfo(path).LinkTarget is not null)
            throw new LogSinkException("permission", $"{path} is a link; it must be a directory", isPermanent: true);
        if (about.User != EffectiveUser || (about.Mode & OthersWrite) != 0)
            throw new LogSinkException("permission", $"{path} belongs to another user or others may write it: name a directory of its own below it", isPermanent: true);
    });

    // One by one: the framework gives the mode to the last one only.
    private static void CreateMissing(string path)
    {
        if (Directory.Exists(path))
            return;
        if (Directory.GetParent(path) is { } parent)
            CreateMissing(parent.FullName);
        Directory.CreateDirectory(path, OwnerDirectory);
    }

    /// <summary>Returns true if a path is a regular file of this user, not a link.</summary>
    public static bool IsOwnFile(string path)
    {
        try
        {
            return new FileInfo(path) is { Exists: true, LinkTarget: null } && Native.LStat(path).User == EffectiveUser;
        }
        catch (IOException)
        {
            // Gone meanwhile.
            return false;
        }
    }

    /// <summary>Opens a file for this process alone; one that is created is for this user only.</summary>
    /// <returns>Null when another process has it, or it is gone.</returns>
    public static FileStream? OpenLocked(string path, FileMode mode)
    {
        FileStream? file = null;
        try
        {
            file = new FileStream(path, Options(mode, FileAccess.ReadWrite));
            // The framework's own lock can be switched off by an environment variable.
            if (OperatingSystem.IsWindows() || Native.TryLock(file.SafeFileHandle))
                return file;
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        catch (IOException exception) when ((exception.HResult & 0xFFFF) is Native.WouldBlock or Native.SharingViolation or Native.WouldBlockOnMac)
        {
            return null;
        }

        file.Dispose();
        return null;
    }

    public IDisposable? TryLock(string path) => Run("lock", path, () => OpenLocked(path, FileMode.OpenOrCreate));

    public IReadOnlyList<string> List(string directory) => Run("list", directory, () =>
    {
        try
        {
            return (IReadOnlyList<string>)[.. Directory.EnumerateFileSystemEntries(directory).Select(static path => Path.GetFileName(path))];
        }
        catch (DirectoryNotFoundException)
        {
            return [];
        }
    });

    public void Write(string path, SegmentImage image, bool toDisk) => Run("write", path, () =>
    {
        using var file = new FileStream(path, Options(FileMode.CreateNew, FileAccess.Write));
        RandomAccess.Write(file.SafeFileHandle, [image.Head, image.Bytes], 0);
        if (toDisk)
            RandomAccess.FlushToDisk(file.SafeFileHandle);
    });

    public byte[]? Read(string path) => Run("read", path, () =>
    {
        try
        {
            return new FileInfo(path).LinkTarget is null ? File.ReadAllBytes(path) : [];
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    });

    public void Rename(string from, string to) => Run("rename", from, () => File.Move(from, to));

    public void Delete(string path) => Run("delete", path, () =>
    {
        if (Directory.Exists(path))
            Directory.Delete(path);
        else if (Directory.Exists(Path.GetDirectoryName(path)))
            File.Delete(path);
    });

    public void SyncDirectory(string path) => Run("sync", path, () =>
    {
        // Windows cannot, and keeps the order of names itself.
        if (!OperatingSystem.IsWindows())
            Native.Sync(path);
    });

    public (long Available, long Total)? SpaceOf(string directory)
    {
        try
        {
            var drive = new DriveInfo(directory);
            return drive.TotalSize == 0 ? null : (drive.AvailableFreeSpace, drive.TotalSize);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Unknown; writing reports the error.
            return null;
        }
    }

    /// <summary>Runs a file operation; its failure is a <see cref="LogSinkException"/>.</summary>
    public static void Run(string operation, string path, Action action) => Run(operation, path, () =>
    {
        action();
        return 0;
    });

    /// <inheritdoc cref="Run(string, string, Action)"/>
    public static T Run<T>(string operation, string path, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Failure(operation, path, exception);
        }
    }

    /// <summary>The failure of a file operation, with its class.</summary>
    public static LogSinkException Failure(string operation, string path, Exception exception)
    {
        var errorType = exception is UnauthorizedAccessException ? "permission" : ErrorTypeOf(exception.HResult & 0xFFFF, OperatingSystem.IsWindows(), OperatingSystem.IsMacOS());
        return new LogSinkException(errorType, $"cannot {operation} {path}: {exception.Message}", innerException: exception);
    }

    /// <summary>The class of an error number: one number means different errors on different systems.</summary>
    internal static string ErrorTypeOf(int number, bool isWindows, bool isMac) => (isWindows, number) switch
    {
        // ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL; ERROR_WRITE_PROTECT.
        (true, 112 or 39) => "no_space",
        (true, 19) => "read_only",
        // ENOSPC, EDQUOT; EROFS.
        (false, 28) => "no_space",
        (false, 122) when !isMac => "no_space",
        (false, 69) when isMac => "no_space",
        (false, 30) => "read_only",
        _ => "io_error",
    };

    private static FileStreamOptions Options(FileMode mode, FileAccess access)
    {
        var options = new FileStreamOptions { Mode = mode, Access = access, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows() && mode != FileMode.Open)
            options.UnixCreateMode = OwnerOnly;
        return options;
    }

    // What the framework does not tell: the owner of a directory, and how to sync one.
    private static partial class Native
    {
        public static (uint User, UnixFileMode Mode) LStat(string path)
        {
            if (LStat(path, out var status) != 0)
                throw new IOException($"cannot stat {path}");
            return (status.User, (UnixFileMode)(status.Mode & 0xFFF));
        }

        public static void Sync(string path)
        {
            var descriptor = Open(path, 0);
            if (descriptor < 0)
                throw new IOException($"cannot open {path}");
            // On macOS fsync leaves the data in the cache of the drive.
            var result = OperatingSystem.IsMacOS() && Control(descriptor, FullSync) == 0 ? 0 : SyncFile(descriptor);
            _ = Close(descriptor);
            if (result != 0)
                throw new IOException($"cannot sync {path}");
        }

        public const int WouldBlock = 11;
        public const int WouldBlockOnMac = 35;
        public const int SharingViolation = 32;
        private const int FullSync = 51;
        private const int Exclusive = 2;
        private const int NonBlocking = 4;

        // A lock of the open file: it ends with the process, however that ends. A file system without locks has none to respect.
        public static bool TryLock(SafeFileHandle handle)
            => Lock(handle, Exclusive | NonBlocking) == 0 || Marshal.GetLastPInvokeError() is not (WouldBlock or WouldBlockOnMac);

        [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
        private static partial int Lock(SafeFileHandle handle, int operation);

        [LibraryImport("libc", EntryPoint = "geteuid")]
        public static partial uint EffectiveUser();

        [LibraryImport("libSystem.Native", EntryPoint = "SystemNative_LStat", StringMarshalling = StringMarshalling.Utf8)]
        private static partial int LStat(string path, out FileStatus status);

        [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
        private static partial int Open(string path, int flags);

        [LibraryImport("libc", EntryPoint = "fsync")]
        private static partial int SyncFile(int descriptor);

        [LibraryImport("libc", EntryPoint = "fcntl")]
        private static partial int Control(int descriptor, int command);

        [LibraryImport("libc", EntryPoint = "close")]
        private static partial int Close(int descriptor);

        // The framework's own structure, the same on every Unix.
        [StructLayout(LayoutKind.Sequential)]
        private struct FileStatus
        {
            public int Flags;
            public int Mode;
            public uint User;
            public uint Group;
            public long Size;
            public long AccessTime;
            public long AccessNanoseconds;
            public long ModificationTime;
            public long ModificationNanoseconds;
            public long ChangeTime;
            public long ChangeNanoseconds;
            public long BirthTime;
            public long BirthNanoseconds;
            public long Device;
            public long RawDevice;
            public long Inode;
            public uint UserFlags;
        }
    }
}
