using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The routes that take a category's records at each level. Immutable; replaced by a reload.</summary>
internal sealed class CategoryPlan
{
    /// <summary>Takes no record.</summary>
    public static readonly CategoryPlan Empty = new([]);

    private readonly RecordRoute[][] _byLevel = new RecordRoute[DropCounts.Levels][];

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

    /// <summary>One bit per level that a route takes.</summary>
    public uint EnabledLevels { get; }

    /// <summary>The maximum number of bytes of a message that are stored.</summary>
    public int MessageLimit { get; }

    /// <summary>The routes of a level. Those with the same layout follow one another, so that a record is rendered once for all of them.</summary>
    public RecordRoute[] For(LogLevel level) => _byLevel[(int)level];

    private static RecordRoute[] Group(IReadOnlyList<PlannedRoute> routes, LogLevel level)
    {
        var grouped = new List<RecordRoute>();
        foreach (var planned in routes)
        {
            if (level < planned.Minimum || level > planned.Maximum)
                continue;
            var last = grouped.FindLastIndex(other => RecordDispatch.IsSameLayout(other, planned.Route));
            grouped.Insert(last < 0 ? grouped.Count : last + 1, planned.Route);
        }
        return [.. grouped];
    }
}

/// <summary>A route and the levels it takes of one category; a minimum of None takes no record.</summary>
internal sealed record PlannedRoute(RecordRoute Route, LogLevel Minimum, LogLevel Maximum);
