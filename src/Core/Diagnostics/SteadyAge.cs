namespace AsyncLog;

/// <summary>Ages of what the wall clock dated; setting that clock changes none of them. Any thread.</summary>
/// <remarks>Each call compares the clock with the time that passed since the last one. A difference is the distance by which the clock was set between the two;
/// a time that cannot be one since then was read before, and is off by that distance.</remarks>
internal sealed class SteadyAge(TimeProvider timeProvider)
{
    // Smaller changes are gradual corrections: the clock was not set.
    private static readonly TimeSpan MinClockChange = TimeSpan.FromSeconds(1);

    // Protects the fields below.
    private readonly Lock _gate = new();
    private (DateTimeOffset Time, long Reading) _last = (timeProvider.GetUtcNow(), timeProvider.GetTimestamp());
    private (TimeSpan Distance, long Earliest) _set;

    /// <summary>The age of a time of day, UTC ticks; not below zero.</summary>
    public TimeSpan Of(long utcTicks)
    {
        lock (_gate)
        {
            var now = timeProvider.GetUtcNow();
            var reading = timeProvider.GetTimestamp();
            var distance = now - _last.Time - timeProvider.GetElapsedTime(_last.Reading, reading);
            if (distance.Duration() >= MinClockChange)
                _set = (distance, _last.Reading);
            _last = (now, reading);
            var age = TimeSpan.FromTicks(now.UtcTicks - utcTicks);
            if (age <= -MinClockChange || (_set.Distance != TimeSpan.Zero && age > timeProvider.GetElapsedTime(_set.Earliest, reading)))
                age -= _set.Distance;
            return age > TimeSpan.Zero ? age : TimeSpan.Zero;
        }
    }
}
