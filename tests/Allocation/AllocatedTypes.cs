using System.Diagnostics.Tracing;

namespace AsyncLog.Tests;

/// <summary>Names what a failing path allocated: the runtime tells the type of one object in every 100 KB.</summary>
internal sealed class AllocatedTypes : EventListener
{
    private const EventKeywords Gc = (EventKeywords)0x1;

    private readonly Lock _lock = new();
    private readonly Dictionary<string, int> _samples = new(StringComparer.Ordinal);

    public override string ToString()
    {
        lock (_lock)
            return string.Join(", ", _samples.OrderByDescending(static sample => sample.Value).Take(6).Select(static sample => FormattableString.Invariant($"{sample.Key} x {sample.Value}")));
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
            EnableEvents(eventSource, EventLevel.Verbose, Gc);
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        var at = eventData.PayloadNames?.IndexOf("TypeName") ?? -1;
        if (at < 0 || eventData.EventName?.StartsWith("GCAllocationTick", StringComparison.Ordinal) != true)
            return;
        var type = (string)eventData.Payload![at]!;
        lock (_lock)
            _samples[type] = _samples.GetValueOrDefault(type) + 1;
    }
}
