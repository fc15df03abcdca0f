namespace AsyncLog;

/// <summary>What flows through an instance, between the two newest samples: once a second. All zero before there are two.</summary>
/// <param name="EnqueuedPerSecond">Records accepted per second.</param>
/// <param name="WrittenPerSecond">Records delivered per second.</param>
/// <param name="DroppedPerSecond">Records lost per second.</param>
/// <param name="OutputBytesPerSecond">Bytes delivered per second.</param>
/// <param name="MeanWriteTime">How long one call of the sink took; zero when there was none.</param>
public readonly record struct SinkRates(
    double EnqueuedPerSecond, double WrittenPerSecond, double DroppedPerSecond, double OutputBytesPerSecond, TimeSpan MeanWriteTime)
{
    internal static SinkRates Between(SinkSample before, SinkSample after)
    {
        var seconds = (after.At - before.At).TotalSeconds;
        if (seconds <= 0)
            return default;
        var batches = after.Batches - before.Batches;
        return new SinkRates(
            (after.Enqueued - before.Enqueued) / seconds,
            (after.Written - before.Written) / seconds,
            (after.Dropped - before.Dropped) / seconds,
            (after.OutputBytes - before.OutputBytes) / seconds,
            batches > 0 ? (after.WriteTime - before.WriteTime) / batches : TimeSpan.Zero);
    }
}
