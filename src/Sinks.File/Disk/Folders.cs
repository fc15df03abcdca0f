namespace AsyncLog;

/// <summary>What the framework offers for directories on every platform.</summary>
internal static class Folders
{
    public static IReadOnlyList<string> List(string directory)
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
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw FileErrorClass.Failure("cannot list", directory, FileErrorClass.Of(exception), cause: exception);
        }
    }

    /// <summary>Bytes that this user may still write where a directory is or will be; null: not known.</summary>
    public static long? AvailableSpace(string directory)
    {
        try
        {
            return NearestExisting(directory) is { } existing ? new DriveInfo(existing).AvailableFreeSpace : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Not known, and writing will say what is wrong: test FI_93_A_floor_that_cannot_be_looked_at_holds_nothing_back.
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

    public static void Create(string path, UnixFileMode mode)
    {
        if (Directory.Exists(path))
            return;
        if (Path.GetDirectoryName(path) is { } parent)
            Create(parent, mode);
        try
        {
            CreateOne(path, mode);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            string errorType = File.Exists(path) ? FileErrorClass.NotADirectory : FileErrorClass.Of(exception);
            throw FileErrorClass.Failure("cannot create directory", path, errorType, cause: exception);
        }
    }

    private static void CreateOne(string path, UnixFileMode mode)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }

        // The umask took bits away, and a set-group-id directory passed its bit on, which stays.
        Directory.CreateDirectory(path, mode);
        UnixFileMode given = File.GetUnixFileMode(path);
        UnixFileMode wanted = mode | (given & UnixFileMode.SetGroup);
        if (given != wanted)
            File.SetUnixFileMode(path, wanted);
    }
}
