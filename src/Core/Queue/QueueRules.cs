using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>What may change while a queue lives. One immutable value at a time is in force.</summary>
internal sealed record QueueRules
{
    public QueueFullMode FullMode { get; init; }

    public TimeSpan WaitTimeout { get; init; }

    public LogLevel ReserveForLevel { get; init; } = LogLevel.Warning;

    public int ReserveShare { get; init; } = 10;

    public LogLevel FlushLevel { get; init; } = LogLevel.Error;

    public static QueueRules From(SinkOptions options) => new()
    {
        FullMode = options.QueueFullMode,
        WaitTimeout = options.WaitTimeout,
        ReserveForLevel = options.ReserveForLevel,
        ReserveShare = options.ReserveShare,
        FlushLevel = options.FlushLevel,
    };
}
