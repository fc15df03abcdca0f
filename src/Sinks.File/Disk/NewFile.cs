namespace AsyncLog;

/// <summary>Creates files with what the framework offers. What it throws passes on.</summary>
internal static class NewFile
{
    /// <summary>Creates a file that must not exist, with exactly a mode.</summary>
    public static FileStream Create(string path, UnixFileMode mode)
    {
        var created = new FileStream(path, Options(mode));
        try
        {
            // The umask took bits away.
            if (!OperatingSystem.IsWindows())
                File.SetUnixFileMode(created.SafeFileHandle, mode);
            return created;
        }
        catch
        {
            created.Dispose();
            throw;
        }
    }

    /// <summary>How it is created: at no time may anybody do more with the file than the mode says.</summary>
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
