using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>One event's way through the routes that take it: each is offered it once, or counts why not.</summary>
internal struct RecordPass(RouteGroup[] groups, LogLevel level, int category)
{
    private int _group;
    private int _route;

    /// <summary>Whether the record is rendered in one layout only.</summary>
    public readonly bool HasOneLayout => groups.Length == 1;

    // Asked before a call: most events have one route.
    private readonly bool HasNext
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _route < groups[_group].Routes.Length || _group + 1 < groups.Length;
    }

    /// <summary>Moves to the next route that lets the level in now; counts the drop at the others.</summary>
    /// <returns>False when there is none.</returns>
    public bool MoveToAdmitted()
    {
        for (; _group < groups.Length; _group++, _route = 0)
        {
            var routes = groups[_group].Routes;
            for (; _route < routes.Length; _route++)
            {
                if (routes[_route].Admits(level))
                    return true;
            }
        }

        return false;
    }

    /// <summary>Renders and offers from the current route on.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void WriteAll(LogEvent logEvent, RecordBuffer record)
    {
        RouteGroup? rendered = null;
        do
        {
            var group = groups[_group];
            var route = group.Routes[_route];
            if (!ReferenceEquals(rendered, group))
                RecordRenderer.Render(group.Formatter, logEvent, record, route.MaxRecordSize);
            rendered = group;
            if (!Offer(route, logEvent, record))
                rendered = null;
            // Only now is it counted, accepted or not; an exception before leaves this route to DropRest.
            _route++;
        }
        while (HasNext && MoveToAdmitted());
    }

    /// <summary>Counts the event as dropped at every route that was not offered it yet.</summary>
    public void DropRest(DropReason reason)
    {
        for (; _group < groups.Length; _group++, _route = 0)
        {
            var routes = groups[_group].Routes;
            for (; _route < routes.Length; _route++)
                routes[_route].Drop(reason, level);
        }
    }

    // False when the record had to be rendered again, for the route that took this one's place.
    private readonly bool Offer(RecordRoute route, LogEvent logEvent, RecordBuffer record)
    {
        if (route.Write(record.WrittenSpan, level, logEvent.UtcTicks, category, logEvent))
            return true;
        OfferToSuccessor(route.Successor!, logEvent, record);
        return false;
    }

    private readonly void OfferToSuccessor(RecordRoute route, LogEvent logEvent, RecordBuffer record)
    {
        while (true)
        {
            RecordRenderer.Render(route.Formatter, logEvent, record, route.MaxRecordSize);
            if (route.Write(record.WrittenSpan, level, logEvent.UtcTicks, category, logEvent))
                return;
            route = route.Successor!;
        }
    }
}
