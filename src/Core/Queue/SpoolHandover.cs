using System.Diagnostics;

namespace AsyncLog;

/// <summary>How the records of a queue get to the disk: the spool moves the oldest posted segment while memory is short, and saves what is left at the shutdown
/// deadline.</summary>
/// <param name="gate">The instance's lock.</param>
internal sealed class SpoolHandover(SegmentQueue queue, object gate, InstanceQueueState usage)
{
    /// <summary>Begins to move the oldest posted segment to the disk, if memory is short and nothing was delivered for a time.</summary>
    /// <param name="quiet">The time without a delivery; while something is on the disk, memory alone decides.</param>
    /// <param name="left">The rest of that time, if nothing else prevents the move; otherwise zero.</param>
    /// <returns>Null when nothing is moved. Else <see cref="End"/> has to follow; until then workers take nothing.</returns>
    public Segment? Begin(TimeSpan quiet, out TimeSpan left)
    {
        lock (gate)
        {
            left = TimeSpan.Zero;
            // The bounds of the instance are those of the queue in force; what an earlier queue still holds is older and moves first.
            if (queue.IsFinal || !queue.IsAboveSpoolThreshold || queue.Kernel.OldestPosted is not { } segment)
                return null;
            if (usage.Spooled == 0)
            {
                // Counts from the time at which there was something to deliver, not from the silence before a burst.
                var since = Math.Max(usage.DeliveredAt, (queue.Kernel.InHand ?? segment).SealedAt);
                left = quiet - queue.TimeProvider.GetElapsedTime(since);
                if (left > TimeSpan.Zero)
                    return null;
                left = TimeSpan.Zero;
            }

            segment.Place = Segment.Location.Spooling;
            usage.Spooled++;
            return segment;
        }
    }

    /// <summary>Ends the move of a segment. Under the lock.</summary>
    /// <param name="segment">The segment that <see cref="Begin"/> returned.</param>
    /// <param name="isSpooled">True if its records are on the disk; false: it waits as before.</param>
    /// <returns>True if the records have left the queue, and are to be counted on the disk; false also when the deadline passed before, and counted them as lost.</returns>
    public bool End(Segment segment, bool isSpooled)
    {
        Debug.Assert(Monitor.IsEntered(gate), "The counts of queue and disk change in one step.");
        var isOpen = segment.Place == Segment.Location.Spooling;
        Debug.Assert(isOpen || queue.IsFinal, "Only the deadline takes a segment that is being moved.");
        if (isOpen)
            segment.Place = Segment.Location.Posted;
        if (!isSpooled || !isOpen)
        {
            usage.Spooled--;
            return false;
        }

        Debug.Assert(ReferenceEquals(queue.Kernel.OldestPosted, segment), "No worker takes a segment that is being moved.");
        segment.MoveToDisk();
        queue.Return(segment);
        queue.ReleaseWaiters();
        return true;
    }

    /// <summary>The segments that hold accepted records, oldest first, with the batch over the one that the worker has.</summary>
    public IReadOnlyList<Segment> Unsettled
    {
        get
        {
            var unsettled = new List<Segment>();
            lock (gate)
            {
                if (queue.Kernel.InHand is { } inHand)
                    unsettled.Add(inHand);
                for (var segment = queue.Kernel.OldestPosted; segment is not null; segment = segment.Next)
                {
                    if (segment.Place == Segment.Location.Posted)
                        unsettled.Add(segment);
                }
            }

            return unsettled;
        }
    }

    /// <summary>Removes a segment whose open records are on the disk, and counted there. Under the lock.</summary>
    /// <param name="batch">The outcome of the others; null: there are none, except claims without a commit.</param>
    public void Remove(Segment segment, ReadOnlySpan<long> saved, LogBatch? batch)
    {
        Debug.Assert(Monitor.IsEntered(gate) && queue.IsClosed, "Records are saved when no more are accepted.");
        segment.SettleUnsaved(queue.Metrics, saved, batch, queue.IsUncertain, queue.TimeProvider.GetUtcNow().UtcTicks);
        queue.Abandon(segment);
    }
}
