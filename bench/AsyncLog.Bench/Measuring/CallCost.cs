namespace AsyncLog.Bench;

/// <summary>The mean cost of one call.</summary>
/// <param name="Nanoseconds">Time in the call.</param>
/// <param name="Typical">The same of the median stretch between two looks at the clock: without what preemption and wake-ups add now and then.</param>
/// <param name="Bytes">Bytes allocated per call in the whole process, worker included.</param>
internal readonly record struct CallCost(double Nanoseconds, double Typical, double Bytes);
