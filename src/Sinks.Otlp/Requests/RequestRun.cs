namespace AsyncLog;

/// <summary>Records of one category that follow each other in the batch: their bytes are those of so many fields of a ScopeLogs.</summary>
/// <param name="Start">Where they begin in what is left of the batch.</param>
/// <param name="Length">Their bytes.</param>
/// <param name="Next">The number of the same category's next run; -1: none.</param>
internal readonly record struct RequestRun(int Start, int Length, int Next);
