using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Differential;

/// <summary>Generated log methods.</summary>
internal static partial class SpokenMessages
{
    [LoggerMessage(1, LogLevel.Information, "Started")]
    public static partial void Started(ILogger logger);

    [LoggerMessage(2, LogLevel.Information, "Counted {Number} and {Rest}")]
    public static partial void Counted(ILogger logger, int number, long rest);

    [LoggerMessage(3, LogLevel.Warning, "{Name} measured {Value:F3}, {Ratio}, {IsLate}", EventName = "shop.measured")]
    public static partial void Measured(ILogger logger, string name, double value, float ratio, bool isLate);

    [LoggerMessage(4, LogLevel.Debug, "{Id} on {Day}: {Text}")]
    public static partial void Described(ILogger logger, Guid id, DayOfWeek day, string text);

    [LoggerMessage(5, LogLevel.Error, "Number {Number} failed")]
    public static partial void Failed(ILogger logger, Exception exception, int number);

    [LoggerMessage(6, LogLevel.Information, "{A} {B} {C} {D} {E} {F} {G}", SkipEnabledCheck = true)]
    public static partial void Seven(ILogger logger, int a, string b, double c, bool d, long e, string f, int g);
}
