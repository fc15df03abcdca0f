namespace AsyncLog;

/// <summary>What the publisher keeps of an instance once a second: no report, so that nothing is allocated for it.</summary>
/// <param name="Sample">For the history.</param>
/// <param name="State">The state.</param>
/// <param name="Reason">Why it is not healthy.</param>
/// <param name="Fill">How full the queue is, 0 to 1.</param>
internal readonly record struct InstanceLook(SinkSample Sample, SinkState State, string? Reason, double Fill);
