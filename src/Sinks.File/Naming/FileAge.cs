namespace AsyncLog;

/// <summary>When the period of a finished file ended, by its name.</summary>
internal static class FileAge
{
    /// <param name="date">What the name says.</param>
    /// <param name="units">What dates in the name tell apart.</param>
    /// <param name="interval">How often files are finished.</param>
    /// <param name="zone">The zone of the names.</param>
    /// <param name="lastWrite">Counts where the name cannot say it: without an interval the content is younger than the name, and a name may have no date.</param>
    public static DateTimeOffset EndOf(DateTime date, FileDateUnits units, RollingInterval interval, TimeZoneInfo zone, DateTimeOffset lastWrite)
    {
        RollingInterval named = IntervalOf(units);
        if (named == RollingInterval.None)
            return lastWrite;

        // A name that tells days of files that are finished hourly says no more than the day.
        RollingInterval period = interval == RollingInterval.None || named < interval ? named : interval;
        var start = new DateTimeOffset(new WallClock(zone).LastInstantOf(date.Ticks), TimeSpan.Zero);
        DateTimeOffset end = FilePeriod.Containing(start, period, zone).End;
        return interval == RollingInterval.None && lastWrite > end ? lastWrite : end;
    }

    // Units without a larger one above them name no period.
    private static RollingInterval IntervalOf(FileDateUnits units) =>
        !units.HasFlag(FileDateUnits.Year) ? RollingInterval.None
        : units.HasFlag(FileDateUnits.Week) ? RollingInterval.Week
        : !units.HasFlag(FileDateUnits.Month) ? RollingInterval.Year
        : !units.HasFlag(FileDateUnits.Day) ? RollingInterval.Month
        : !units.HasFlag(FileDateUnits.Hour) ? RollingInterval.Day
        : !units.HasFlag(FileDateUnits.Minute) ? RollingInterval.Hour
        : RollingInterval.Minute;
}
