using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace AsyncLog;

/// <summary>Creates files with the framework. Its exceptions are not translated.</summary>
internal static class NewFile
{
    private const int TemporaryNames = 10;

    /// <summary>Creates something under a temporary name: one with the id of this process, which may be left from a process that had the same id. Where another user's
    /// file has that name, as anybody may create one in a directory such as <c>/tmp</c>, the name has another number, which nobody can know before.</summary>
    /// <param name="pathOf">Returns the path with a number.</param>
    /// <param name="remove">Removes what is left at the path.</param>
    /// <param name="create">Creates it, and fails if the path exists.</param>
    public static (string Path, T Created) CreateTemporary<T>(TimeProvider time, Func<int, string> pathOf, Action<string> remove, Func<string, T> create)
    {
        for (int attempt = 0; ; attempt++)
        {
            string path = pathOf(attempt == 0 ? Environment.ProcessId : (int)((time.GetTimestamp() + attempt) % FileNamePattern.LargestProcessId) + 1);
            try
            {
                if (attempt == 0)
                    remove(path);
            }
            catch (LogSinkException)
            {
                // The name is taken: test A_file_of_another_user_under_a_temporary_name_is_no_hindrance.
                continue;
            }

            try
            {
                return (path, create(path));
            }
            catch (Exception exception) when (attempt < TemporaryNames && FileErrorClass.Of(exception) == FileErrorClass.Exists)
            {
                // The next name: the same test.
            }
        }
    }

    /// <summary>Creates a file that must not exist, with exactly a mode where the file system can do that.</summary>
    /// <param name="limitation">Difference between the file and the request; null: none.</param>
    public static FileStream Create(string path, UnixFileMode mode, out string? limitation)
    {
        var created = new FileStream(path, Options(mode));
        try
        {
            limitation = OperatingSystem.IsWindows() ? null : SetMode(created.SafeFileHandle, path, mode);
            return created;
        }
        catch
        {
            created.Dispose();
            File.Delete(path);
            throw;
        }
    }

    /// <summary>Creates a file with exactly the mode of another one; that a mode cannot be set was reported when the other one was created.</summary>
    public static FileStream CreateLike(FileStream model, string path) =>
        Create(path, OperatingSystem.IsWindows() ? UnixFileMode.None : File.GetUnixFileMode(model.SafeFileHandle), out _);

    /// <summary>Gives a created file or directory exactly a mode: the umask took bits away.</summary>
    /// <returns>The report where the file system does not let its modes be set; null: the mode is right.</returns>
    [UnsupportedOSPlatform("windows")]
    public static string? SetMode(SafeFileHandle handle, string path, UnixFileMode mode)
    {
        UnixFileMode given = File.GetUnixFileMode(handle);
        if (given == mode)
            return null;
        try
        {
            File.SetUnixFileMode(handle, mode);
            return null;
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException
            || (exception is IOException && FileErrorClass.IsUnsupported(exception.HResult, OperatingSystem.IsMacOS())))
        {
            // The file system has modes of its own: CIFS, Azure Files, vfat.
            return $"the mode of {path} cannot be set to {Octal(mode)} ({FileErrorClass.Of(exception)}); it stays {Octal(given)}";
        }
    }

    private static string Octal(UnixFileMode mode) => "0" + Convert.ToString((int)mode, 8);

    /// <summary>Creates the stream options of a new file: at no time does the file allow more than the mode.</summary>
    public static FileStreamOptions Options(UnixFileMode mode)
    {
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.Write,
            Share = FileShare.ReadWrite | FileShare.Delete,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = mode;
        return options;
    }
}
