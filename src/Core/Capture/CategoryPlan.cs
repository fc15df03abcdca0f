using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The routes that take a category's records at each level. Immutable; replaced by a reload.</summary>
internal sealed class CategoryPlan
{
    /// <summary>Takes no record.</summary>
    public static readonly CategoryPlan Empty = new([]);

    private readonly LevelPlan[] _byLevel = new LevelPlan[DropCounts.Levels];

    public CategoryPlan(IReadOnlyList<PlannedRoute> routes)
    {
        for (var level = LogLevel.Trace; level <= LogLevel.Critical; level++)
        {
            _byLevel[(int)level] = new LevelPlan(Group(routes, level));
            if (_byLevel[(int)level].Routes.Length > 0)
                EnabledLevels |= 1u << (int)level;
        }

        foreach (var planned in routes)
            MessageLimit = Math.Max(MessageLimit, planned.Route.MaxRecordSize * RecordRenderer.LimitFactor);
    }

    /// <summary>One bit per level that a route takes.</summary>
    public uint EnabledLevels { get; }

    /// <summary>The maximum number of bytes of a message that are stored.</summary>
    public int MessageLimit { get; }

    /// <summary>The plan of a level.</summary>
    public LevelPlan For(LogLevel level) => _byLevel[(int)level];

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

/// <summary>The routes that take a category's records at one level, and the calls in the code whose records need no event there.</summary>
/// <param name="routes">Those with the same layout follow one another, so that a record is rendered once for all of them.</param>
internal sealed class LevelPlan(RecordRoute[] routes)
{
    public RecordRoute[] Routes { get; } = routes;

    public CallSiteTable Sites { get; } = new();

    /// <summary>Returns true if each route accepts the level and none acknowledges it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsPlain(LogLevel level)
    {
        foreach (var route in Routes)
        {
            if (level < route.Queue.AdmitFrom || level >= route.Queue.AcknowledgeFrom)
                return false;
        }

        return true;
    }

    /// <summary>Creates the site of a call for the routes.</summary>
    /// <param name="message">The template of the message, see <see cref="ICallSiteFormatterFactory"/>.</param>
    public CallSite CreateSite(object owner, EventId id, LogEvent logEvent, MessageTemplate message, StateValues values)
    {
        var formatters = new CallSiteFormatter?[Routes.Length];
        for (var i = 0; i < formatters.Length; i++)
        {
            formatters[i] = i > 0 && RecordDispatch.IsSameLayout(Routes[i - 1], Routes[i]) ? formatters[i - 1]
                : Routes[i].CallSiteFormatters?.CreateCallSiteFormatter(logEvent, message, values);
        }

        return new CallSite(owner, id, formatters);
    }
}

/// <summary>A route and the levels it takes of one category; a minimum of None takes no record.</summary>
internal sealed record PlannedRoute(RecordRoute Route, LogLevel Minimum, LogLevel Maximum);
