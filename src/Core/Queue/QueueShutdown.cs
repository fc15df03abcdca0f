using System.Diagnostics;

namespace AsyncLog;

/// <summary>The end of a queue at the shutdown deadline, and of a segment in the hands of a worker that hangs: counts what is left as lost.</summary>
/// <param name="queue">The queue.</param>
/// <param name="gate">The instance's lock.</param>
/// <param name="usage">What the queues of the instance share.</param>
internal sealed class QueueShutdown(SegmentQueue queue, object gate, QueueUsage usage)
{
    private bool _isFinal;

    /// <summary>True if the deadline passed: the worker settles nothing any more. Read by any thread.</summary>
    public bool IsFinal => Volatile.Read(ref _isFinal);

    /// <summary>Closes the queue and ends its drain: the worker settles nothing after this.</summary>
    public void Stop()
    {
        queue.Close();
        lock (gate)
            Volatile.Write(ref _isFinal, true);
    }

    /// <summary>Ends the drain at the deadline: counts what was not saved as <see cref="DropReason.ShutdownTimeout"/>.</summary>
    /// <returns>Number of records lost.</returns>
    public long Finish()
    {
        Stop();
        lock (gate)
        {
            var now = queue.TimeProvider.GetUtcNow().UtcTicks;
            var left = 0L;
            while ((queue.Kernel.InHand ?? queue.Kernel.OldestPosted) is { } segment)
                left += Abandon(segment, now);
            queue.Flushes.PassAll(isDelivered: left == 0 && usage.OnDisk.Count == 0);
            queue.ReleaseWaiters();
            queue.Signal.Set();
            return left;
        }
    }

    /// <summary>Takes the segment away from a worker that hangs in its sink, and counts what is left of it as lost. Under the lock.</summary>
    /// <param name="nowTicks">The time of the loss, UTC.</param>
    /// <returns>Number of records lost.</returns>
    public long AbandonInHand(long nowTicks)
    {
        Debug.Assert(Monitor.IsEntered(gate), "Segments change their places under the lock only.");
        if (queue.Kernel.InHand is not { } segment)
            return 0;
        var lost = Abandon(segment, nowTicks);
        queue.Forget(segment);
        return lost;
    }

    // Counts the records of a segment as lost, except what the worker had delivered of it.
    private long Abandon(Segment segment, long nowTicks)
    {
        long lost = segment.Count;
        if (Volatile.Read(ref segment.Batch) is { } offered && offered.Holds(segment.Memory))
        {
            var batch = offered.Copy();
            var before = batch.Refused.Total;
            batch.RefuseRest(DropReason.ShutdownTimeout);
            segment.Settle(queue.Metrics, batch, queue.IsUncertain, nowTicks);
            lost = batch.Refused.Total - before;
        }
        else
        {
            segment.Lose(queue.Metrics, DropReason.ShutdownTimeout, nowTicks);
        }

        queue.Abandon(segment);
        return lost;
    }
}
