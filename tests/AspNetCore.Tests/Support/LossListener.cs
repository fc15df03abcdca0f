using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Globalization;

namespace AsyncLog.Tests.Support;

/// <summary>Adds up what the EventSource tells of the losses of one sink.</summary>
internal sealed class LossListener(string sink) : EventListener
{
    private const string Source = "AsyncLog-Diagnostics";
    private readonly ConcurrentQueue<long> _ended = new();

    public long Lost => _ended.Sum();

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == Source)
            EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
    }

    // The base class may call it before the constructor has run.
    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData is { EventSource.Name: Source, EventName: "DropsEnded", Payload: { } payload } && Equals(payload[0], sink))
            _ended?.Enqueue(Convert.ToInt64(payload[2], CultureInfo.InvariantCulture));
    }
}
