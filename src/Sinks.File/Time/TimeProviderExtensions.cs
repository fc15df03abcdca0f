namespace AsyncLog;

/// <summary>Measures pauses with the monotonic clock, which a change of the wall clock does not affect.</summary>
internal static class TimeProviderExtensions
{
    /// <param name="timeProvider">The clock.</param>
    /// <returns>Time left; zero when it is over.</returns>
    public static TimeSpan GetRemaining(this TimeProvider timeProvider, TimeSpan pause, long since) =>
        pause - timeProvider.GetElapsedTime(since) is { Ticks: > 0 } left ? left : TimeSpan.Zero;
}
