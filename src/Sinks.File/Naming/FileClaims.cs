namespace AsyncLog;

/// <summary>The paths by which two file sets are known to make files of the same name.</summary>
internal static class FileClaims
{
    // Periods of every length begin at it, and its year without the century, month, week and day are one number: where names with unlike dates can be the
    // same, they are here.
    private static readonly DateTime Meeting = new(2001, 1, 1);

    /// <param name="options">Valid options whose paths are resolved.</param>
    /// <returns>The name of the active file and that of a finished one.</returns>
    public static IEnumerable<string> Of(AsyncFileOptions options)
    {
        FileSinkSettings settings = FileSinkSettings.From(options);
        return [settings.PathOf(settings.Names.ActiveName(Meeting)), settings.PathOf(settings.Names.NumberedName(Meeting, 1))];
    }
}
