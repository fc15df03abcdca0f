namespace AsyncLog;

/// <summary>When the path is looked at: before a batch, four times a second at most.</summary>
internal sealed class PathWatch(TimeProvider timeProvider)
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);
    private long _lookedAt = timeProvider.GetTimestamp();

    /// <summary>Whether it is time; then the interval begins anew.</summary>
    public bool IsDue()
    {
        if (timeProvider.GetElapsedTime(_lookedAt) < Interval)
            return false;
        Looked();
        return true;
    }

    public void Looked() => _lookedAt = timeProvider.GetTimestamp();
}
