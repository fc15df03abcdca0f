namespace AsyncLog;

/// <summary>What the history keeps of one instance at one instant.</summary>
internal sealed record InstancePoint
{
    public required long Offered { get; init; }

    public required long Written { get; init; }

    public required long Dropped { get; init; }

    public required long QueueSize { get; init; }

    public required IReadOnlyList<DropCount> Drops { get; init; }

    /// <summary>Writes since the start of the process, by how long they took.</summary>
    public required Latency Writes { get; init; }

    public static InstancePoint Of(SinkStatus status, Latency writes)
        => new()
        {
            Offered = status.Offered,
            Written = status.Written,
            Dropped = status.Dropped,
            QueueSize = status.QueueSize,
            Drops = status.Drops,
            Writes = writes,
        };
}
