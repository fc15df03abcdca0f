using System.Diagnostics;

namespace AsyncLog.Tests;

/// <summary>Polls a condition that another thread brings about; the deadline is for failing, not for passing.</summary>
internal static class Eventually
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(30);

    public static async Task True(Func<bool> condition)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            if (clock.Elapsed > Deadline)
                throw new TimeoutException("The condition did not come true within 30 s.");
            await Task.Delay(1, TestContext.Current.CancellationToken);
        }
    }
}
