namespace AsyncLog;

/// <summary>A finished file of a set.</summary>
/// <param name="Key">The date and number of its name; where the date is ahead of the clock, the time of its last write in its place.</param>
internal sealed record ArchiveFile(string Name, ArchiveKey Key, FileStat Stat, DateTimeOffset End) : IComparable<ArchiveFile>
{
    /// <summary>The oldest comes first.</summary>
    public int CompareTo(ArchiveFile? other)
    {
        if (other is null)
            return 1;
        int byKey = Key.CompareTo(other.Key);
        return byKey != 0 ? byKey : string.CompareOrdinal(Name, other.Name);
    }
}

/// <summary>Finds the finished files of a set: regular files with a name that only this set could have made, never the active one.</summary>
internal sealed class ArchiveFinder(IFileSystem files, TimeProvider timeProvider, LogFileRegistry registry, object owner)
{
    /// <summary>Earliest plausible time: with an earlier clock no file counts as named ahead of time.</summary>
    private static readonly DateTimeOffset FirstPlausible = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <param name="activePath">The active file; of dated files every later one counts as active too.</param>
    /// <param name="undated">Receives the names of files whose name and last write are both ahead of the clock; null: they are not needed.</param>
    /// <returns>The oldest first; without files that vanished meanwhile.</returns>
    public List<ArchiveFile> Find(LogFileSettings settings, IReadOnlyList<string> names, string activePath, List<string>? undated = null)
    {
        string active = Path.GetFileName(activePath);
        ArchiveKey activeKey = default;
        bool isDated = settings.Names.IsDated && settings.Names.TryParse(active, out activeKey);
        TimeZoneInfo zone = settings.ZoneOf(timeProvider);
        DateTimeOffset now = timeProvider.GetUtcNow();
        DateTime latest = now < FirstPlausible ? DateTime.MaxValue : TimeZoneInfo.ConvertTime(now, zone).DateTime;
        var found = new List<ArchiveFile>();
        foreach (string name in names)
        {
            if (name == active || !settings.Names.TryParse(name, out ArchiveKey key) || !registry.Owns(owner, settings, name)
                || files.Stat(settings.PathOf(name)) is not { Kind: FileKind.Regular } stat)
                continue;

            // A clock that was ahead named it. By its name it would be the newest file for years, and all newer files would be deleted first.
            bool isAhead = key.Date > latest;
            if (isAhead && stat.LastWrite > now)
                undated?.Add(name);
            if (isAhead)
                key = key with { Date = TimeZoneInfo.ConvertTime(stat.LastWrite < now ? stat.LastWrite : now, zone).DateTime };
            if (!isDated || key.CompareTo(activeKey) < 0)
                found.Add(new ArchiveFile(name, key, stat, settings.Names.DateUnits.EndOf(key.Date, settings.Options.RollingInterval, zone, stat.LastWrite)));
        }

        found.Sort();
        return found;
    }
}
