namespace AsyncLog;

/// <summary>What the publisher reads of an instance once a second. A struct, unlike <see cref="SinkStatus"/>: reading it allocates nothing.</summary>
/// <param name="Sample">For the history.</param>
/// <param name="State">The state.</param>
/// <param name="Reason">Why it is not healthy.</param>
/// <param name="Fill">How full the queue is, 0 to 1.</param>
internal readonly record struct InstanceLook(SinkSample Sample, SinkState State, string? Reason, double Fill);
