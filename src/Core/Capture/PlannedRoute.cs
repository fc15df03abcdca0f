using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A route and the levels it takes of one category.</summary>
/// <param name="Route">The way to the instance.</param>
/// <param name="Minimum">The lowest level; None takes nothing.</param>
/// <param name="Maximum">The highest level.</param>
internal readonly record struct PlannedRoute(RecordRoute Route, LogLevel Minimum, LogLevel Maximum)
{
    public bool Takes(LogLevel level) => level >= Minimum && level <= Maximum;
}
