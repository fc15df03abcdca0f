namespace AsyncLog;

/// <summary>Delays between attempts: doubling from the first to the longest. Pure.</summary>
/// <param name="First">After the first failure.</param>
/// <param name="Longest">The upper bound.</param>
/// <param name="HasJitter">True if a delay is drawn uniformly from zero to its value, so that many senders do not come back at once.</param>
internal readonly record struct Backoff(TimeSpan First, TimeSpan Longest, bool HasJitter = false)
{
    /// <summary>The back-off of local destinations: 0.1 s doubling to 0.8 s.</summary>
    /// <remarks>Less than a second, so that a fresh record is delivered within a second of the cause's end, the attempt itself included.</remarks>
    public static Backoff Local { get; } = new(TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(800));

    /// <summary>The delay after a failure.</summary>
    /// <param name="attempt">0 after the first failure.</param>
    /// <param name="random">A number from 0 to 1; used with <see cref="HasJitter"/>.</param>
    public TimeSpan DelayOf(int attempt, double random)
    {
        var ticks = Math.Min(First.Ticks * Math.Pow(2, Math.Min(attempt, 30)), Longest.Ticks);
        return TimeSpan.FromTicks((long)(HasJitter ? ticks * random : ticks));
    }
}
