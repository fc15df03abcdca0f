using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The words of metrics and JSON for the enumerations.</summary>
internal static class Words
{
    private static readonly string[] States = [.. Enum.GetValues<SinkState>().Select(static state => JsonNamingPolicy.SnakeCaseLower.ConvertName(state.ToString()))];
    private static readonly string[] Levels = [.. Enum.GetValues<LogLevel>().Select(static level => level.ToString())];

    /// <summary>The levels that a record can have.</summary>
    public static ReadOnlySpan<LogLevel> RecordLevels => [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];

    public static string Of(DropReason reason) => new DropCount(reason, LogLevel.None, 0).ReasonName;

    public static string Of(SinkState state) => States[(int)state];

    public static string Of(LogLevel level) => Levels[(int)level];
}
