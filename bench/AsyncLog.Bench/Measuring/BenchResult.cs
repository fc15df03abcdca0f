namespace AsyncLog.Bench;

/// <summary>The figures of one library under one load in one round; a JSON line.</summary>
/// <param name="Mode">Name of the mode.</param>
/// <param name="Load">What was asked of it, unique in its mode.</param>
/// <param name="Library">Name of the library's configuration.</param>
/// <param name="Round">From 1.</param>
/// <param name="Values">Figures by their key.</param>
internal sealed record BenchResult(string Mode, string Load, string Library, int Round, IReadOnlyDictionary<string, double> Values);
