namespace AsyncLog;

/// <summary>Limits reports of repeated events: the first of a kind at once, then at most one a minute with the count since. The owner's lock
/// protects it.</summary>
internal sealed class OncePerMinute<TKind>(TimeProvider timeProvider)
    where TKind : notnull
{
    private const int MostKinds = 256;
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);
    private readonly Dictionary<TKind, Reported> _reported = [];

    /// <summary>Counts an event.</summary>
    /// <returns>The number of events that were not reported since the last report; null: this one is not reported either.</returns>
    public long? Count(TKind kind)
    {
        var now = timeProvider.GetTimestamp();
        var isKnown = _reported.TryGetValue(kind, out var last);
        if (isKnown && timeProvider.GetElapsedTime(last.At, now) < Pause)
        {
            _reported[kind] = last with { Missed = last.Missed + 1 };
            return null;
        }

        // Bounds the memory: a kind that is forgotten here is reported once more within its minute.
        if (!isKnown && _reported.Count >= MostKinds)
            _reported.Clear();
        _reported[kind] = new Reported(now, 0);
        return last.Missed;
    }

    /// <summary>Ends a kind: its next event is the first again.</summary>
    public void Forget(TKind kind) => _reported.Remove(kind);

    private readonly record struct Reported(long At, long Missed);
}
