using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>One call in the code at one level of one category: what writes its records without an event.</summary>
/// <param name="owner">Identifies the template: see <see cref="CallSiteTable"/>.</param>
/// <param name="formatters">For each route that takes the level. Null: the layout needs an event.</param>
internal sealed class CallSite(object owner, Microsoft.Extensions.Logging.EventId id, CallSiteFormatter?[] formatters)
{
    public readonly object Owner = owner;
    public readonly CallSiteFormatter?[] Formatters = formatters;
    public readonly string? EventName = id.Name;
    public readonly int EventId = id.Id;

    /// <summary>False if each record needs an event for the first route.</summary>
    public readonly bool IsUsable = formatters is [not null, ..];

    /// <summary>The records without an event. A field, because its methods change it.</summary>
    [SuppressMessage("Design", "CA1051", Justification = "A mutable struct.")]
    public MissCounter Misses;
}
