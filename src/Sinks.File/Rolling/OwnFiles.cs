namespace AsyncLog;

/// <summary>Finds the finished files of a set: regular files with a name this set could have given, never the active one.</summary>
internal sealed class OwnFiles(IByteFiles files, TimeProvider timeProvider, FileNameOwners owners, object owner)
{
    /// <summary>An earlier clock is wrong: by it no file counts as named ahead of time.</summary>
    private static readonly DateTimeOffset FirstPlausible = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <param name="settings">The settings in force.</param>
    /// <param name="names">What is in the directory.</param>
    /// <param name="activePath">The active file; of dated files whatever was begun after it counts as active too.</param>
    /// <param name="undated">Takes the names of files whose name and last write are both ahead of the clock; null: not asked for.</param>
    /// <returns>The oldest first; without files that vanished meanwhile.</returns>
    public List<FinishedFile> Finished(FileSinkSettings settings, IReadOnlyList<string> names, string activePath, List<string>? undated = null)
    {
        string active = Path.GetFileName(activePath);
        bool isDated = settings.Names.TryParse(active, out ArchiveKey activeStamp) && settings.Names.IsDated;
        TimeZoneInfo zone = settings.UsesUtc ? TimeZoneInfo.Utc : timeProvider.LocalTimeZone;
        FileDateUnits units = settings.Names.DateUnits;
        DateTimeOffset now = timeProvider.GetUtcNow();
        DateTime latest = now < FirstPlausible ? DateTime.MaxValue : TimeZoneInfo.ConvertTime(now, zone).DateTime;
        var found = new List<FinishedFile>();
        foreach (string name in names)
        {
            if (name == active || !settings.Names.TryParse(name, out ArchiveKey stamp) || !owners.Owns(owner, settings, name)
                || files.Stat(settings.PathOf(name)) is not { Kind: FileKind.Regular } stat)
                continue;

            // Named by a clock that was ahead: by its name it would be the newest for years, and all that is really newer would be deleted before it.
            bool isAhead = stamp.Date > latest;
            if (isAhead && stat.LastWrite > now)
                undated?.Add(name);
            if (isAhead)
                stamp = stamp with { Date = TimeZoneInfo.ConvertTime(stat.LastWrite < now ? stat.LastWrite : now, zone).DateTime };
            if (!isDated || stamp.CompareTo(activeStamp) < 0)
                found.Add(new FinishedFile(name, stamp, stat, FilePeriod.EndOf(stamp.Date, units, settings.Interval, zone, stat.LastWrite)));
        }

        found.Sort();
        return found;
    }
}
