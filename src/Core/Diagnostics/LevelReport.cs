using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Reports on stderr the lowest level of each category in each instance, and the key that sets it: once, and again when it changes.</summary>
/// <remarks>Callers of loggers never wait for stderr: they only set a flag; the sampler reports it.</remarks>
internal sealed class LevelReport(SelfReport selfReport)
{
    private readonly ConcurrentDictionary<string, (LogLevel Level, string Rule)> _reported = new(StringComparer.Ordinal);
    private bool _isChanged;

    /// <summary>Sets the flag that a logger was created or that levels may have changed.</summary>
    public void MarkChanged() => Volatile.Write(ref _isChanged, true);

    /// <summary>Returns true if levels have to be reported, and resets the flag.</summary>
    public bool TryTakeChanges() => selfReport.IsEnabled(LogLevel.Information) && Interlocked.Exchange(ref _isChanged, false);

    /// <summary>Reports a level unless it was reported before.</summary>
    public void Report(string instance, string category, EffectiveLevel level)
    {
        var key = $"{instance}\0{category}";
        if (_reported.TryGetValue(key, out var reported) && reported == (level.Level, level.Rule))
            return;
        _reported[key] = (level.Level, level.Rule);
        selfReport.Write(LogLevel.Information, instance, $"category {category} from {level.Level} on ({level.Rule}).");
    }
}
