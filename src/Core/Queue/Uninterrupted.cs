namespace AsyncLog;

/// <summary>Locks of a caller's thread: an interrupt that the application sends to it neither loses a record nor gets lost.</summary>
internal static class Uninterrupted
{
    /// <summary>Enters a monitor.</summary>
    /// <returns>Whether the thread was interrupted meanwhile; <see cref="Exit"/> interrupts it again.</returns>
    public static bool Enter(object gate)
    {
        var wasInterrupted = false;
        while (true)
        {
            try
            {
                Monitor.Enter(gate);
                return wasInterrupted;
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        }
    }

    /// <summary>Leaves it.</summary>
    public static void Exit(object gate, bool wasInterrupted)
    {
        Monitor.Exit(gate);
        if (wasInterrupted)
            Thread.CurrentThread.Interrupt();
    }
}
