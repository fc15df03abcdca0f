namespace AsyncLog;

/// <summary>What happened to one instance lately: its state now against the history's points.</summary>
internal sealed record RecentValues
{
    private static readonly TimeSpan RateWindow = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LatencyWindow = TimeSpan.FromSeconds(60);

    /// <summary>Records offered per second.</summary>
    public required double In { get; init; }

    /// <summary>Records delivered per second.</summary>
    public required double Out { get; init; }

    /// <summary>Records lost per second.</summary>
    public required double Lost { get; init; }

    /// <summary>How far back the drops reach: ten minutes, less soon after the start.</summary>
    public required TimeSpan DropWindow { get; init; }

    /// <summary>Records lost in that time.</summary>
    public required IReadOnlyList<DropCount> Drops { get; init; }

    /// <summary>The writes of the last minute.</summary>
    public required Latency Writes { get; init; }

    /// <param name="points">The history, oldest first.</param>
    /// <param name="now">The state now, taken after all of them.</param>
    /// <param name="instance">Of which instance.</param>
    public static RecentValues Of(IReadOnlyList<HistoryPoint> points, HistoryPoint now, string instance)
    {
        var current = now.Instances[instance];
        var (rateFrom, rateSince) = At(points, now, instance, RateWindow);
        var (writesFrom, _) = At(points, now, instance, LatencyWindow);
        var (dropsFrom, dropsSince) = At(points, now, instance, StatusHistory.Length);
        double PerSecond(long since) => rateSince > TimeSpan.Zero ? since / rateSince.TotalSeconds : 0;
        return new RecentValues
        {
            In = PerSecond(current.Offered - (rateFrom?.Offered ?? 0)),
            Out = PerSecond(current.Written - (rateFrom?.Written ?? 0)),
            Lost = PerSecond(current.Dropped - (rateFrom?.Dropped ?? 0)),
            DropWindow = dropsSince,
            Drops = DropsSince(current.Drops, dropsFrom?.Drops ?? []),
            Writes = writesFrom is null ? current.Writes : current.Writes.Since(writesFrom.Writes),
        };
    }

    public static IReadOnlyList<DropCount> DropsSince(IReadOnlyList<DropCount> now, IReadOnlyList<DropCount> then)
        => [.. now
            .Select(drop => drop with { Count = drop.Count - then.FirstOrDefault(old => old.Reason == drop.Reason && old.Level == drop.Level).Count })
            .Where(static drop => drop.Count > 0)];

    // The newest point that is at least so old; before the history is that long, the oldest one.
    private static (InstancePoint? Point, TimeSpan Since) At(IReadOnlyList<HistoryPoint> points, HistoryPoint now, string instance, TimeSpan age)
    {
        var point = points.LastOrDefault(point => now.At - point.At >= age && point.Instances.ContainsKey(instance))
            ?? points.FirstOrDefault(point => point.Instances.ContainsKey(instance));
        return point is null ? (null, TimeSpan.Zero) : (point.Instances[instance], now.At - point.At);
    }
}
