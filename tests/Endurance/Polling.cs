using System.Diagnostics;

namespace AsyncLog.Endurance;

/// <summary>The only place that waits for something: looks again and again until it holds or the time is over.</summary>
internal static class Polling
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(2);

    /// <returns>How long it took; null: it did not hold in time.</returns>
    public static TimeSpan? Until(Func<bool> holds, TimeSpan longest)
    {
        using var never = new ManualResetEventSlim();
        var start = Stopwatch.GetTimestamp();
        while (!holds())
        {
            if (Stopwatch.GetElapsedTime(start) > longest)
                return null;
            never.Wait(Interval);
        }

        return Stopwatch.GetElapsedTime(start);
    }

    public static void For(TimeSpan time) => Until(static () => false, time);
}
