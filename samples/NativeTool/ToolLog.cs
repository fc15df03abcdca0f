using Microsoft.Extensions.Logging;

namespace NativeTool;

internal static partial class ToolLog
{
    [LoggerMessage(1, LogLevel.Information, "Started with {Count} arguments, {Budget} each")]
    public static partial void Started(ILogger logger, int count, TimeSpan budget);

    [LoggerMessage(2, LogLevel.Error, "It failed")]
    public static partial void Failed(ILogger logger, Exception exception);
}
