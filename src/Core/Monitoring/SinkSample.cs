namespace AsyncLog;

/// <summary>One point in the history of an instance, taken once a second. Totals are those of the process's life: rates are differences.</summary>
/// <param name="At">When.</param>
/// <param name="QueueSize">Records waiting.</param>
/// <param name="QueueBytes">Rendered bytes waiting.</param>
/// <param name="OldestAge">The age of the oldest waiting record.</param>
/// <param name="Enqueued">Records accepted so far.</param>
/// <param name="Written">Records delivered so far.</param>
/// <param name="Dropped">Records lost so far.</param>
/// <param name="OutputBytes">Bytes delivered so far.</param>
/// <param name="Batches">Calls of the sink so far.</param>
/// <param name="WriteTime">Time spent in them so far.</param>
public readonly record struct SinkSample(
    DateTimeOffset At, long QueueSize, long QueueBytes, TimeSpan OldestAge, long Enqueued, long Written, long Dropped, long OutputBytes, long Batches, TimeSpan WriteTime);
