namespace AsyncLog;

/// <summary>What the queues of one instance share: after a reload the old one drains beside the new one. Under the instance's lock.</summary>
internal sealed class InstanceQueueState
{
    /// <summary>What the queues hold together.</summary>
    public MemoryUse Memory { get; } = new();

    /// <summary>The queue that takes records: its waiting callers are released when another queue frees space.</summary>
    public SegmentQueue? InForce { get; set; }

    /// <summary>Set when a segment is posted and more than seven tenths of a bound are in use; null without a spool.</summary>
    public WorkerSignal? SpoolSignal { get; set; }

    /// <summary>Segments on the disk or on the way there, and those of a killed process. They are older than what the queues hold: workers take nothing from a
    /// queue while there are some.</summary>
    public int Spooled;

    /// <summary>In <see cref="OnDisk"/>: what a crash buffer has of a killed process. It is older than all segments.</summary>
    public const long Recovered = 0;

    /// <summary>The number of the segment that was opened last, in any queue.</summary>
    public long Sequence { get; set; }

    /// <summary>The numbers of the segments on the disk whose records this process accepted, and <see cref="Recovered"/>, in ascending order: flushes wait for
    /// them.</summary>
    public List<long> OnDisk { get; } = [];

    /// <summary>The queues with flushes that wait: what is sent from the disk may be what they wait for, also after the worker of a queue has ended.</summary>
    public List<SegmentQueue> Flushing { get; } = [];

    /// <summary>Returns false if the instance has accepted records that are nowhere and have no outcome. Under the instance's lock; flushes ask it.</summary>
    public Func<bool> IsAccountedFor { get; set; } = static () => true;

    /// <summary>Time of the last delivery of anything, in the clock's time stamps.</summary>
    public long DeliveredAt { get; set; }

    /// <summary>Adds a segment that is on the disk instead of in a queue.</summary>
    public void AddOnDisk(long sequence)
    {
        var place = OnDisk.BinarySearch(sequence);
        if (place < 0)
            OnDisk.Insert(~place, sequence);
    }

    /// <summary>Removes a segment on the disk whose records are settled, also in another order than they came: flushes that waited for them go on.</summary>
    public void RemoveOnDisk(long sequence)
    {
        OnDisk.Remove(sequence);
        foreach (var queue in Flushing)
            queue.PassSettled();
        ForgetFlushed();
    }

    /// <summary>Lets go of queues whose flushes are answered: a replaced one keeps memory.</summary>
    public void ForgetFlushed() => Flushing.RemoveAll(static queue => !queue.Flushes.IsWaiting);

    /// <summary>Answers all flushes, also later ones: this process sends nothing any more.</summary>
    public void EndFlushes()
    {
        foreach (var queue in Flushing)
            queue.Flushes.PassAll(isDelivered: OnDisk.Count == 0);
        InForce?.Flushes.PassAll(isDelivered: OnDisk.Count == 0);
        ForgetFlushed();
    }
}
