namespace AsyncLog;

/// <summary>Finds the finished files of a set: regular files with a name this set could have given, never the active one.</summary>
internal sealed class OwnFiles(IByteFiles files, TimeProvider timeProvider, FileNameOwners owners, object owner)
{
    /// <param name="settings">The settings in force.</param>
    /// <param name="names">What is in the directory.</param>
    /// <param name="activePath">The active file; of dated files whatever was begun after it counts as active too.</param>
    /// <returns>The oldest first; without files that vanished meanwhile.</returns>
    public List<FinishedFile> Finished(FileSinkSettings settings, IReadOnlyList<string> names, string activePath)
    {
        string active = Path.GetFileName(activePath);
        bool isDated = settings.Names.TryParse(active, out FileStamp activeStamp) && settings.Names.IsDated;
        TimeZoneInfo zone = settings.UsesUtc ? TimeZoneInfo.Utc : timeProvider.LocalTimeZone;
        FileDateUnits units = settings.Names.DateUnits;
        var found = new List<FinishedFile>();
        foreach (string name in names)
        {
            if (name == active || !settings.Names.TryParse(name, out FileStamp stamp) || (isDated && stamp.CompareTo(activeStamp) >= 0))
                continue;
            if (owners.Owns(owner, settings, name) && files.Stat(settings.PathOf(name)) is { Kind: FileKind.Regular } stat)
                found.Add(new FinishedFile(name, stamp, stat, FileAge.EndOf(stamp.Date, units, settings.Interval, zone, stat.LastWrite)));
        }

        found.Sort();
        return found;
    }
}
