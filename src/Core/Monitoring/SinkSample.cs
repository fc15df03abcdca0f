namespace AsyncLog;

/// <summary>One point in the history of an instance, taken once a second. Totals are those of the process's life: rates are differences.</summary>
internal readonly record struct SinkSample
{
    /// <summary>Time of the sample.</summary>
    public DateTimeOffset At { get; init; }

    /// <summary>Records waiting.</summary>
    public long QueueSize { get; init; }

    /// <summary>Rendered bytes waiting.</summary>
    public long QueueBytes { get; init; }

    /// <summary>The fuller of the two bounds at that time, 0 to 1.</summary>
    internal double QueueFill { get; init; }

    /// <summary>Records in the worker's hands.</summary>
    public long InFlight { get; init; }

    /// <summary>The age of the oldest record in the queue that waits or is in flight.</summary>
    public TimeSpan OldestAge { get; init; }

    /// <summary>Records accepted so far.</summary>
    public long Enqueued { get; init; }

    /// <summary>Records delivered so far.</summary>
    public long Written { get; init; }

    /// <summary>Records lost so far.</summary>
    public long Dropped { get; init; }

    /// <summary>Bytes delivered so far.</summary>
    public long OutputBytes { get; init; }

    /// <summary>Calls of the sink so far that did not fail.</summary>
    public long Batches { get; init; }

    /// <summary>Time spent in them so far.</summary>
    public TimeSpan WriteTime { get; init; }
}

/// <summary>The rates of an instance between the two newest samples: once a second. All zero before there are two.</summary>
internal readonly record struct SinkRates
{
    /// <summary>Records accepted per second.</summary>
    public double EnqueuedPerSecond { get; init; }

    /// <summary>Records delivered per second.</summary>
    public double WrittenPerSecond { get; init; }

    /// <summary>Records lost per second.</summary>
    public double DroppedPerSecond { get; init; }

    /// <summary>Bytes delivered per second.</summary>
    public double OutputBytesPerSecond { get; init; }

    /// <summary>Mean duration of a call of the sink that did not fail; zero when there was none.</summary>
    public TimeSpan MeanWriteTime { get; init; }

    internal static SinkRates Between(SinkSample before, SinkSample after, TimeSpan time)
    {
        var seconds = time.TotalSeconds;
        if (seconds <= 0)
            return default;
        var batches = after.Batches - before.Batches;
        return new SinkRates
        {
            EnqueuedPerSecond = (after.Enqueued - before.Enqueued) / seconds,
            WrittenPerSecond = (after.Written - before.Written) / seconds,
            DroppedPerSecond = (after.Dropped - before.Dropped) / seconds,
            OutputBytesPerSecond = (after.OutputBytes - before.OutputBytes) / seconds,
            MeanWriteTime = batches > 0 ? (after.WriteTime - before.WriteTime) / batches : TimeSpan.Zero,
        };
    }
}
