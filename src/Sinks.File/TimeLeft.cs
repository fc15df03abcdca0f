namespace AsyncLog;

/// <summary>How much is left of a pause, by the clock that nobody sets.</summary>
internal static class TimeLeft
{
    /// <param name="pause">How long it is.</param>
    /// <param name="since">The time stamp it began at.</param>
    /// <param name="timeProvider">The clock.</param>
    /// <returns>Zero when it is over.</returns>
    public static TimeSpan Of(TimeSpan pause, long since, TimeProvider timeProvider) =>
        pause - timeProvider.GetElapsedTime(since) is { Ticks: > 0 } left ? left : TimeSpan.Zero;
}
