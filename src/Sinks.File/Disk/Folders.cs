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
