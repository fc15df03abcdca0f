using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>From which level an instance takes records of a category, and why.</summary>
/// <param name="Level">The lowest level taken; <see cref="LogLevel.None"/> for nothing.</param>
/// <param name="Rule">The configuration key that decides, for example <c>Logging:AsyncFile:Files:errors:LogLevel:Default</c>. A rule set in code stands
/// under the equivalent key.</param>
public sealed record EffectiveLevel(LogLevel Level, string Rule);
