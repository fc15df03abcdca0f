namespace AsyncLog.Bench;

/// <summary>What a syslog receiver over TCP does to its sender.</summary>
internal enum ReceiverKind
{
    /// <summary>Reads as fast as it can.</summary>
    Healthy,

    /// <summary>Takes 50 ms for each record.</summary>
    Slow,

    /// <summary>Accepts and never reads: the buffers of both systems fill.</summary>
    Stalled,

    /// <summary>Is not there.</summary>
    Absent,

    /// <summary>Reads, and resets each connection after a second.</summary>
    Resetting,

    /// <summary>Reads, and never stops sending garbage.</summary>
    Talking,

    /// <summary>Has a name that does not resolve.</summary>
    Unresolved,
}
