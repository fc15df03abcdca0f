using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

namespace Replay;

/// <summary>What logs call their levels.</summary>
internal static partial class LevelWord
{
    /// <summary>The level of a word; Information for one that is none.</summary>
    public static LogLevel Of(string? word) => word?.ToUpperInvariant() switch
    {
        "TRACE" or "VERBOSE" => LogLevel.Trace,
        "DEBUG" => LogLevel.Debug,
        "WARN" or "WARNING" => LogLevel.Warning,
        "ERROR" or "ERR" or "SEVERE" => LogLevel.Error,
        "FATAL" or "CRITICAL" or "CRIT" => LogLevel.Critical,
        _ => LogLevel.Information,
    };

    /// <summary>The level that a line names in capitals, as nearly all logs do.</summary>
    public static LogLevel In(string line) => Of(Word().Match(line).Value);

    [GeneratedRegex(@"\b(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b", RegexOptions.CultureInvariant)]
    private static partial Regex Word();
}
