namespace AsyncLog;

/// <summary>The units of the dates in a file name, each larger than the next; weeks apart.</summary>
[Flags]
internal enum FileDateUnits
{
    None = 0,
    Year = 1,
    Month = 2,
    Day = 4,
    Hour = 8,
    Minute = 16,
    Second = 32,
    Week = 64,
}

/// <summary>Compares the units of a date with periods.</summary>
internal static class FileDates
{
    private const FileDateUnits ToTheDay = FileDateUnits.Year | FileDateUnits.Month | FileDateUnits.Day;

    /// <summary>Returns true if two periods of the interval that follow each other always have different dates.</summary>
    public static bool DistinguishesPeriods(this FileDateUnits units, RollingInterval interval)
    {
        FileDateUnits required = interval switch
        {
            RollingInterval.None => FileDateUnits.None,
            RollingInterval.Year => FileDateUnits.Year,
            RollingInterval.Month => FileDateUnits.Year | FileDateUnits.Month,
            RollingInterval.Week or RollingInterval.Day => ToTheDay,
            RollingInterval.Hour => ToTheDay | FileDateUnits.Hour,
            _ => ToTheDay | FileDateUnits.Hour | FileDateUnits.Minute,
        };
        return units.HasFlag(required) || (interval == RollingInterval.Week && units.HasFlag(FileDateUnits.Year | FileDateUnits.Week));
    }

    /// <summary>Returns true if later periods always have later dates: the year is there, and no unit without the next larger one.</summary>
    public static bool SortsByTime(this FileDateUnits units)
    {
        int chain = (int)(units & ~FileDateUnits.Week);
        return chain != 0 && (chain & (chain + 1)) == 0;
    }

    /// <summary>Returns the end of the period of a finished file, by the date in its name.</summary>
    /// <param name="lastWrite">Used where the name has no date: a name may have no date, and without an interval the content is younger than the name.</param>
    public static DateTimeOffset EndOf(this FileDateUnits units, DateTime date, RollingInterval interval, TimeZoneInfo zone, DateTimeOffset lastWrite)
    {
        RollingInterval named = units.ShortestPeriod();
        if (named == RollingInterval.None)
            return lastWrite;

        // A name with the day only, of files that are finished hourly, contains no more than the day.
        RollingInterval period = interval == RollingInterval.None || named < interval ? named : interval;
        DateTimeOffset end = FilePeriod.Containing(new WallClock(zone).LastInstantOf(date), period, zone).End;
        return interval == RollingInterval.None && lastWrite > end ? lastWrite : end;
    }

    // The shortest period that a date names; None without the year.
    private static RollingInterval ShortestPeriod(this FileDateUnits units) =>
        !units.HasFlag(FileDateUnits.Year) ? RollingInterval.None
        : units.HasFlag(FileDateUnits.Week) ? RollingInterval.Week
        : !units.HasFlag(FileDateUnits.Month) ? RollingInterval.Year
        : !units.HasFlag(FileDateUnits.Day) ? RollingInterval.Month
        : !units.HasFlag(FileDateUnits.Hour) ? RollingInterval.Day
        : !units.HasFlag(FileDateUnits.Minute) ? RollingInterval.Hour
        : RollingInterval.Minute;
}
