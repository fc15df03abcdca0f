namespace AsyncLog;

/// <summary>Which numbers of a period are taken.</summary>
internal static class FileNumbers
{
    /// <summary>The highest number in a directory, compressed files included, and whether that file is there uncompressed; -1: none.</summary>
    public static (long Number, bool IsPlain) Highest(IByteFiles files, FileSinkSettings settings, DateTime periodStart)
    {
        (long Number, bool IsPlain) highest = (-1, false);
        string date = settings.Names.NumberedName(periodStart, 1);
        foreach (string name in ListOrNothing(files, settings.Directory))
        {
            if (!settings.Names.TryParse(name, out ArchiveKey stamp) || settings.Names.NumberedName(stamp.Date, 1) != date || stamp.Number < highest.Number)
                continue;
            bool isPlain = settings.Names.NumberedName(stamp.Date, stamp.Number) == name;
            highest = (stamp.Number, isPlain || (stamp.Number == highest.Number && highest.IsPlain));
        }

        return highest;
    }

    private static IReadOnlyList<string> ListOrNothing(IByteFiles files, string directory)
    {
        try
        {
            return files.List(directory);
        }
        catch (LogSinkException)
        {
            // Whoever creates or renames finds the taken names one by one: test A_directory_that_cannot_be_listed_is_rolled_in_all_the_same.
            return [];
        }
    }
}
