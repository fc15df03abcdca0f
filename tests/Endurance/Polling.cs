using System.Diagnostics;

namespace AsyncLog.Tests;

/// <summary>The only place that waits for something: looks again and again until it holds or the time is over.</summary>
internal static class Polling
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(2);

    /// <returns>How long it took; null: it did not hold in time.</returns>
    public static TimeSpan? Until(Func<bool> holds, TimeSpan longest) => Until(holds, longest, out _);

    /// <param name="holds">The condition.</param>
    /// <param name="longest">When to give up.</param>
    /// <param name="lag">How much longer this thread rested than it asked for: what the machine did to a thread that does not log.</param>
    /// <returns>How long it took; null: it did not hold in time.</returns>
    public static TimeSpan? Until(Func<bool> holds, TimeSpan longest, out TimeSpan lag)
    {
        using var never = new ManualResetEventSlim();
        var start = Stopwatch.GetTimestamp();
        lag = TimeSpan.Zero;
        while (!holds())
        {
            if (Stopwatch.GetElapsedTime(start) > longest)
                return null;
            var rest = Stopwatch.GetTimestamp();
            never.Wait(Interval);
            lag += Stopwatch.GetElapsedTime(rest) - Interval;
        }

        return Stopwatch.GetElapsedTime(start);
    }

    public static void For(TimeSpan time) => Until(static () => false, time);
}
