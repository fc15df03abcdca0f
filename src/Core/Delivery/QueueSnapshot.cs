namespace AsyncLog;

/// <summary>What waits and what is in flight in the queues of one instance, read at one instant under the instance's lock.</summary>
/// <remarks>Only committed records count: a claim whose <c>Log</c> has not returned is not accepted yet.</remarks>
internal sealed class QueueSnapshot
{
    public long Waiting { get; private set; }

    public long WaitingBytes { get; private set; }

    public long InFlight { get; private set; }

    /// <summary>UTC ticks of the oldest waiting record, or <see cref="long.MaxValue"/>.</summary>
    public long OldestTicks { get; private set; } = long.MaxValue;

    public long Capacity { get; private set; }

    public long MemoryLimit { get; private set; }

    /// <summary>Accepted records by level that are not settled yet.</summary>
    public long[] Levels { get; } = new long[DropCounts.Levels];

    public void Add(List<Segment> segments, QueueBounds bounds)
    {
        Capacity = bounds.Records;
        MemoryLimit = (long)bounds.Segments * bounds.SegmentBytes;
        foreach (var segment in segments)
        {
            switch (segment.Place)
            {
                case Segment.Location.Worker:
                    InFlight += segment.AddCommitted(Levels);
                    break;
                case Segment.Location.Posted or Segment.Location.Current:
                    AddWaiting(segment);
                    break;
            }
        }
    }

    private void AddWaiting(Segment segment)
    {
        Waiting += segment.AddCommitted(Levels);
        WaitingBytes += segment.ByteCount;
        if (segment.Count > 0 && Volatile.Read(ref segment.Slots[0].Word) != 0)
            OldestTicks = Math.Min(OldestTicks, segment.Slots[0].Ticks);
    }
}
