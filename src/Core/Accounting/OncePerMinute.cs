namespace AsyncLog;

/// <summary>What is told of things that happen again and again: the first of a kind at once, then at most one a minute, with the count since. Its owner's
/// lock protects it.</summary>
internal sealed class OncePerMinute<TKind>(TimeProvider timeProvider)
    where TKind : notnull
{
    private const int MostKinds = 256;
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);
    private readonly Dictionary<TKind, Told> _told = [];

    /// <summary>It happened.</summary>
    /// <returns>How many were not told since the last one that was; null: this one is not to be told either.</returns>
    public long? Count(TKind kind)
    {
        var now = timeProvider.GetTimestamp();
        var isKnown = _told.TryGetValue(kind, out var last);
        if (isKnown && timeProvider.GetElapsedTime(last.At, now) < Pause)
        {
            _told[kind] = last with { Missed = last.Missed + 1 };
            return null;
        }

        // Bounds the memory: a kind that is forgotten here is reported once more within its minute.
        if (!isKnown && _told.Count >= MostKinds)
            _told.Clear();
        _told[kind] = new Told(now, 0);
        return last.Missed;
    }

    /// <summary>It is over: the next one is the first again.</summary>
    public void Forget(TKind kind) => _told.Remove(kind);

    private readonly record struct Told(long At, long Missed);
}
