using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>Lists, creates and measures directories with the framework, on every platform.</summary>
internal static class Folders
{
    private const string NetworkDrive = "a network drive";

    public static IReadOnlyList<string> List(string directory) => FileErrorClass.Try<IReadOnlyList<string>>("cannot list", directory, () =>
    {
        try
        {
            return [.. Directory.EnumerateFileSystemEntries(directory).Select(static path => Path.GetFileName(path))];
        }
        catch (DirectoryNotFoundException)
        {
            // Has nothing in it; test Nothing_is_listed_in_a_directory_that_does_not_exist.
            return [];
        }
    });

    /// <summary>Reads so many bytes of an open file, or as many as there are.</summary>
    public static ReadOnlyMemory<byte> ReadFrom(SafeFileHandle file, string path, long offset, int count) => FileErrorClass.Try("cannot read", path, () =>
    {
        byte[] bytes = new byte[count];
        int read = 0;
        while (read < count && RandomAccess.Read(file, bytes.AsSpan(read), offset + read) is > 0 and var more)
            read += more;
        return (ReadOnlyMemory<byte>)bytes.AsMemory(0, read);
    });

    /// <summary>The space of the file system where a directory is or will be; null: not known.</summary>
    public static DiskSpace? SpaceOf(string directory)
    {
        try
        {
            var drive = NearestExisting(directory) is { } existing ? new DriveInfo(existing) : null;

            // A file system without a size, such as /proc, is never full.
            return drive is null || drive.TotalSize == 0 ? null : new DiskSpace(drive.AvailableFreeSpace, drive.TotalSize);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Unknown; writing reports the error: test A_floor_that_cannot_be_looked_at_holds_nothing_back.
            return null;
        }
    }

    /// <summary>The directory itself or the first above it that exists.</summary>
    public static string? NearestExisting(string directory)
    {
        string? existing = directory;
        while (existing is not null && !Directory.Exists(existing))
            existing = Path.GetDirectoryName(existing);
        return existing;
    }

    /// <summary>Creates a directory and those above it.</summary>
    /// <param name="createOne">Creates one whose parent exists; one that exists already stays as it is. Returns how it differs from what was requested, or null.</param>
    public static NewDirectories Create(string path, UnixFileMode mode, Func<string, UnixFileMode, string?> createOne)
    {
        if (Directory.Exists(path))
            return default;
        string? parent = Path.GetDirectoryName(path);
        NewDirectories above = parent is null ? default : Create(parent, mode, createOne);
        try
        {
            string? limitation = createOne(path, mode);
            return new NewDirectories(above.ExistingParent ?? parent, above.Limitation ?? limitation);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or LogSinkException)
        {
            string errorType = File.Exists(path) ? FileErrorClass.NotADirectory : FileErrorClass.Of(exception);
            string? detail = errorType == FileErrorClass.NotFound ? "a directory cannot be created there: change Path" : null;
            throw FileErrorClass.Failure("cannot create directory", path, errorType, detail, exception);
        }
    }

    /// <summary>Creates one with the framework's calls.</summary>
    public static string? CreateOne(string path, UnixFileMode mode)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return null;
        }

        // The umask removed bits. The bit that a set-group-id directory passes on stays.
        Directory.CreateDirectory(path, mode);
        UnixFileMode given = File.GetUnixFileMode(path);
        UnixFileMode wanted = mode | (given & UnixFileMode.SetGroup);
        if (given != wanted)
            File.SetUnixFileMode(path, wanted);
        return null;
    }

    /// <summary>The name of the file system of a directory if it is one on which two hosts do not append one after the other; null: a local one, or not known.</summary>
    public static string? NetworkFileSystemOf(string directory)
    {
        try
        {
            if (OperatingSystem.IsWindows() && IsShare(directory))
                return NetworkDrive;
            return NearestExisting(directory) is { } existing && new DriveInfo(existing) is var drive
                ? NetworkNameOf(drive.DriveType, drive.DriveFormat, OperatingSystem.IsWindows())
                : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Unknown; opening the file reports the error: test Nothing_is_said_of_a_directory_that_cannot_be_looked_at.
            return null;
        }
    }

    /// <summary>Tells a drive of another host from a local one: Windows gives the name of the file system that the other host has.</summary>
    public static string? NetworkNameOf(DriveType type, string format, bool isWindows) =>
        isWindows && type == DriveType.Network ? NetworkDrive : IsNetwork(format) ? format : null;

    /// <summary>Returns true for a Windows path on a server: <c>\\server\share</c>, which has no drive.</summary>
    public static bool IsShare(string path) =>
        path.StartsWith(@"\\?\UNC\", StringComparison.OrdinalIgnoreCase) || (path.StartsWith(@"\\", StringComparison.Ordinal) && path is not [_, _, '?' or '.', ..]);

    /// <param name="format">The name of a file system, as the system's table of mounts has it.</param>
    public static bool IsNetwork(string format) =>
        format is "nfs" or "nfs4" or "cifs" or "smb" or "smb2" or "smb3" or "smbfs" or "fuse.sshfs" or "9p" or "ncpfs" or "afs";
}
