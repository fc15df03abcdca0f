namespace AsyncLog.Bench;

/// <summary>The mean cost of one call.</summary>
/// <param name="Nanoseconds">Time in the call.</param>
/// <param name="Bytes">Bytes allocated per call in the whole process, worker included.</param>
internal readonly record struct CallCost(double Nanoseconds, double Bytes);
