using System.Diagnostics;

namespace AsyncLog.Tests.Transport;

/// <summary>Polls a condition that another thread or the network brings about; the deadline is for failing, not for passing.</summary>
internal static class Eventually
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(30);

    public static void True(Func<bool> condition, Action? meanwhile = null, int pollMilliseconds = 1)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            if (clock.Elapsed > Deadline)
                throw new TimeoutException("The condition did not come true within 30 s.");
            meanwhile?.Invoke();
            TestContext.Current.CancellationToken.WaitHandle.WaitOne(pollMilliseconds);
        }
    }
}
