namespace AsyncLog;

/// <summary>What became of a record that was offered to a queue.</summary>
internal enum WriteOutcome
{
    /// <summary>It has its place.</summary>
    Accepted,

    /// <summary>The record bound stands against it.</summary>
    QueueFull,

    /// <summary>The byte bound stands against it.</summary>
    QueueMemory,

    /// <summary>The queue takes nothing any more.</summary>
    Closed,
}
