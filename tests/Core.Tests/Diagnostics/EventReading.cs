using System.Collections.Concurrent;
using System.Diagnostics.Tracing;

namespace AsyncLog.Tests.Diagnostics;

/// <summary>Listens to the EventSource and keeps the events in which a text stands; other tests write events too, at the same time.</summary>
/// <param name="text">The text; of this test only, unless <paramref name="thread"/> is set.</param>
/// <param name="thread">The thread whose events are kept; null: those of all threads.</param>
internal sealed class EventReading(string text, Thread? thread = null) : EventListener
{
    private readonly ConcurrentQueue<(string Name, object?[] Payload)> _events = new();

    /// <summary>Name and payload, in order.</summary>
    public IReadOnlyList<(string Name, object?[] Payload)> Events => [.. _events];

    public IEnumerable<object?[]> Of(string name) => Events.Where(told => told.Name == name).Select(static told => told.Payload);

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == AsyncLogEventSource.SourceName)
            EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        // The base class may call before the constructor has run.
        if (text is null || eventData.Payload is not { } payload || (thread is not null && thread != Thread.CurrentThread))
            return;
        if (payload.Any(value => value is string said && said.Contains(text, StringComparison.Ordinal)))
            _events.Enqueue((eventData.EventName!, [.. payload]));
    }
}
