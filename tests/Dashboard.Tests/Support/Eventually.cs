using System.Diagnostics;

namespace AsyncLog.Dashboard;

/// <summary>The only place that waits: polls a condition until it holds or a deadline passes, which is for failing.</summary>
internal static class Eventually
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    public static Task Holds(Func<bool> condition, Func<string> otherwise, TimeSpan? deadline = null)
        => Holds(() => Task.FromResult(condition()), otherwise, deadline);

    public static async Task Holds(Func<Task<bool>> condition, Func<string> otherwise, TimeSpan? deadline = null)
    {
        var start = Stopwatch.GetTimestamp();
        while (!await condition())
        {
            if (Stopwatch.GetElapsedTime(start) > (deadline ?? Deadline))
                Assert.Fail(otherwise());
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }
    }
}
