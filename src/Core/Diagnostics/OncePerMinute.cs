namespace AsyncLog;

/// <summary>Limits reports of repeated events: the first of a kind at once, then at most one a minute with the count since. The owner's lock
/// protects it.</summary>
internal sealed class OncePerMinute(TimeProvider timeProvider)
{
    private const int MaxKinds = 256;
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);
    private readonly Dictionary<string, Reported> _reported = new(StringComparer.Ordinal);

    /// <summary>Counts an event.</summary>
    /// <returns>The number of events that were not reported since the last report; null: this one is not reported either.</returns>
    public long? Count(string kind)
    {
        var now = timeProvider.GetTimestamp();
        var last = _reported.GetValueOrDefault(kind);
        if (last is not null && timeProvider.GetElapsedTime(last.At, now) < Pause)
        {
            _reported[kind] = last with { Missed = last.Missed + 1 };
            return null;
        }

        // Bounds the memory: a kind that is forgotten here is reported once more within its minute.
        if (last is null && _reported.Count >= MaxKinds)
            _reported.Clear();
        _reported[kind] = new Reported(now, 0);
        return last?.Missed ?? 0;
    }

    /// <summary>Ends a kind: its next event is the first again.</summary>
    public void Remove(string kind) => _reported.Remove(kind);

    private sealed record Reported(long At, long Missed);
}
