using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What the publisher does with one instance each time it looks: adds a sample to the history. Outlives every route.</summary>
internal sealed class InstanceWatch(SinkInstance instance)
{
    private static readonly Dictionary<string, EffectiveLevel> NoLevels = [];

    // Only those who look take it.
    private readonly Lock _gate = new();

    /// <summary>Takes a snapshot and tells what changed.</summary>
    public SinkStatus Look()
    {
        lock (_gate)
        {
            var status = instance.GetStatus(NoLevels);
            instance.History.Add(SampleOf(status, instance.TimeProvider.GetUtcNow()));
            return status;
        }
    }

    /// <summary>The books at this instant, without the levels.</summary>
    public SinkStatus Read() => instance.GetStatus(NoLevels);

    private static SinkSample SampleOf(SinkStatus status, DateTimeOffset now) => new(
        now, status.QueueSize, status.QueueBytes, status.OldestAge, status.Enqueued, status.Written, status.Dropped, status.OutputBytes, status.Batches, status.WriteTime);
}
