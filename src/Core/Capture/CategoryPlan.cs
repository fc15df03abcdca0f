using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Which routes take a category's records at each level, grouped so that a record is rendered once per layout. Immutable; replaced by a reload.</summary>
internal sealed class CategoryPlan
{
    /// <summary>Takes nothing.</summary>
    public static readonly CategoryPlan Empty = new([]);

    private readonly RouteGroup[][] _byLevel = new RouteGroup[DropCounts.Levels][];

    public CategoryPlan(IReadOnlyList<PlannedRoute> routes)
    {
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            _byLevel[(int)level] = Group(routes, level);
            if (_byLevel[(int)level].Length > 0)
                EnabledLevels |= 1u << (int)level;
        }

        foreach (var planned in routes)
            MessageLimit = Math.Max(MessageLimit, planned.Route.MaxRecordSize * RecordRenderer.LimitFactor);
    }

    /// <summary>One bit per level that some route takes.</summary>
    public uint EnabledLevels { get; }

    /// <summary>Bytes of a message beyond which nobody needs it.</summary>
    public int MessageLimit { get; }

    public RouteGroup[] For(LogLevel level) => _byLevel[(int)level];

    private static RouteGroup[] Group(IReadOnlyList<PlannedRoute> routes, LogLevel level) => routes
        .Where(planned => planned.Takes(level))
        .GroupBy(static planned => (planned.Route.Formatter, planned.Route.MaxRecordSize), static planned => planned.Route)
        .Select(static group => new RouteGroup(group.Key.Formatter, [.. group]))
        .ToArray();
}
