namespace AsyncLog;

/// <summary>Lets a sink wake the worker it belongs to, also after a reload put another queue in front of it.</summary>
internal sealed class SinkWakes
{
    private SegmentQueue? _queue;

    public SegmentQueue? Queue
    {
        get => Volatile.Read(ref _queue);
        set => Volatile.Write(ref _queue, value);
    }

    public void Wake() => Queue?.Wake();
}
