namespace AsyncLog;

/// <summary>Limits reports of repeated events: the first of a kind at once, then at most one a minute with the count since. The owner's lock
/// protects it.</summary>
internal sealed class OncePerMinute(TimeProvider timeProvider)
{
    private const int MaxKinds = 256;
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);
    private readonly Dictionary<(string Kind, string Reason), Reported> _reported = [];

    /// <summary>Counts an event.</summary>
    /// <param name="reason">Why it happened. Each reason of a kind has its own minute: a new one is reported at once.</param>
    /// <returns>The number of events that were not reported since the last report; null: this one is not reported either.</returns>
    public long? Count(string kind, string reason = "")
    {
        var key = (kind, reason);
        var now = timeProvider.GetTimestamp();
        var last = _reported.GetValueOrDefault(key);
        if (last is not null && timeProvider.GetElapsedTime(last.At, now) < Pause)
        {
            _reported[key] = last with { Missed = last.Missed + 1 };
            return null;
        }

        // Bounds the memory: a kind that is forgotten here is reported once more within its minute.
        if (last is null && _reported.Count >= MaxKinds)
            _reported.Clear();
        _reported[key] = new Reported(now, 0);
        return last?.Missed ?? 0;
    }

    /// <summary>Ends a kind: its next event is the first again.</summary>
    public void Remove(string kind)
    {
        foreach (var key in _reported.Keys)
        {
            if (key.Kind == kind)
                _reported.Remove(key);
        }
    }

    private sealed record Reported(long At, long Missed);
}
