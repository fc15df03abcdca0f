using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>From which level an instance takes records of a category, and why.</summary>
public sealed class EffectiveLevel
{
    internal EffectiveLevel(LogLevel level, string rule) => (Level, Rule) = (level, rule);

    /// <summary>The lowest level taken; <see cref="LogLevel.None"/> for nothing.</summary>
    public LogLevel Level { get; }

    /// <summary>The configuration key that decides, for example <c>Logging:AsyncFile:Files:errors:LogLevel:Default</c>. A rule set in code stands under the equivalent key.</summary>
    public string Rule { get; }
}
