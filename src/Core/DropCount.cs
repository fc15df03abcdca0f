using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A number of lost records.</summary>
/// <param name="Reason">Why.</param>
/// <param name="Level">Of which level.</param>
/// <param name="Count">How many.</param>
public readonly record struct DropCount(DropReason Reason, LogLevel Level, long Count);
