namespace AsyncLog;

/// <summary>Counts of waiting and in-flight records in the queues of one instance, at one instant, under the instance's lock.</summary>
/// <remarks>Only committed records count: a claim whose <c>Log</c> has not returned is not accepted yet.</remarks>
internal sealed class QueueSnapshot
{
    public long Waiting { get; private set; }

    public long WaitingBytes { get; private set; }

    public long InFlight { get; private set; }

    /// <summary>UTC ticks of the oldest record in the queues that waits or is in flight, or <see cref="long.MaxValue"/>.</summary>
    public long OldestTicks { get; private set; } = long.MaxValue;

    /// <summary>The same with records on the disk and those of a process that was killed.</summary>
    public long OldestUnsettledTicks { get; private set; } = long.MaxValue;

    /// <summary>Records on the disk that wait there.</summary>
    public long Spooled { get; private set; }

    /// <summary>Bytes of their files.</summary>
    public long SpooledBytes { get; private set; }

    /// <summary>UTC ticks of the oldest of them, or <see cref="long.MaxValue"/>.</summary>
    public long OldestSpooledTicks { get; private set; } = long.MaxValue;

    public long Capacity { get; private set; }

    public long MemoryLimit { get; private set; }

    /// <summary>Claims in sealed segments, records on the disk and those of a killed process: what <see cref="SinkMetrics.Accepted"/> counts and has no outcome yet.
    /// The segment that takes records is on neither side.</summary>
    public long Unsettled { get; private set; }

    /// <summary>Accepted records by level that are not settled yet.</summary>
    public long[] Levels { get; } = new long[DropCounts.Levels];

    /// <summary>Resets it for the next use.</summary>
    public void Clear()
    {
        (Waiting, WaitingBytes, InFlight, Capacity, MemoryLimit) = (0, 0, 0, 0, 0);
        (Spooled, SpooledBytes, Unsettled) = (0, 0, 0);
        (OldestTicks, OldestUnsettledTicks, OldestSpooledTicks) = (long.MaxValue, long.MaxValue, long.MaxValue);
        Array.Clear(Levels);
    }

    /// <summary>Adds records on the disk.</summary>
    /// <param name="bytes">Bytes of their files.</param>
    /// <param name="oldestTicks">Time of the oldest, UTC ticks.</param>
    public void AddSpool(ReadOnlySpan<long> levels, long bytes, long inFlight, long oldestTicks)
    {
        var records = 0L;
        for (var level = 0; level < levels.Length; level++)
        {
            Levels[level] += levels[level];
            records += levels[level];
        }

        (Spooled, SpooledBytes) = (records - inFlight, bytes);
        InFlight += inFlight;
        Unsettled += records;
        if (records == 0)
            return;
        OldestSpooledTicks = oldestTicks;
        OldestUnsettledTicks = Math.Min(OldestUnsettledTicks, oldestTicks);
    }

    /// <summary>Adds records of a process that was killed: they are delivered before all others.</summary>
    /// <param name="levels">Those without an outcome, by level.</param>
    /// <param name="foundTicks">When they were found, UTC ticks: before, no process could have delivered them.</param>
    public void AddRecovered(ReadOnlySpan<long> levels, long foundTicks)
    {
        var records = 0L;
        for (var level = 0; level < levels.Length; level++)
        {
            Levels[level] += levels[level];
            records += levels[level];
        }

        InFlight += records;
        Unsettled += records;
        if (records > 0)
            OldestUnsettledTicks = Math.Min(OldestUnsettledTicks, foundTicks);
    }

    /// <summary>Adds a queue.</summary>
    /// <param name="isInForce">True if it takes records; the bounds of another one count while records wait in it, so that no queue is more than full.</param>
    public void Add(List<Segment> segments, QueueBounds bounds, bool isInForce)
    {
        var before = Waiting;
        foreach (var segment in segments)
        {
            switch (segment.Place)
            {
                case Segment.Location.Worker:
                    InFlight += segment.AddLevels(Levels);
                    Unsettled += segment.Count;
                    AddAge(segment);
                    break;
                case Segment.Location.Posted or Segment.Location.Spooling:
                    Unsettled += segment.Count;
                    AddWaiting(segment);
                    break;
                case Segment.Location.Current:
                    AddWaiting(segment);
                    break;
            }
        }

        if (!isInForce && Waiting == before)
            return;
        Capacity = Math.Max(Capacity, bounds.Records);
        MemoryLimit = Math.Max(MemoryLimit, (long)bounds.Segments * bounds.SegmentBytes);
    }

    private void AddWaiting(Segment segment)
    {
        Waiting += segment.AddLevels(Levels);
        WaitingBytes += segment.ByteCount;
        AddAge(segment);
    }

    private void AddAge(Segment segment)
    {
        if (segment.Count > 0)
            OldestTicks = Math.Min(OldestTicks, segment.TicksOf(0, long.MaxValue));
        OldestUnsettledTicks = Math.Min(OldestUnsettledTicks, OldestTicks);
    }
}
