namespace AsyncLog;

/// <summary>One number of one instance.</summary>
/// <param name="Labels">The labels beyond those of the instance.</param>
/// <param name="Value">The number.</param>
internal readonly record struct StatusSample(Label[] Labels, double Value);
