using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>A signature of <c>LoggerMessage.Define</c> that any template with as many holes can be given to.</summary>
internal sealed record DefinedMessage(Type[] Types, Func<string, Action<ILogger, object?[]>> Define)
{
    private const LogLevel Level = LogLevel.Information;

    public static DefinedMessage Of() => new([], template =>
    {
        var log = LoggerMessage.Define(Level, default, template);
        return (logger, _) => log(logger, null);
    });

    public static DefinedMessage Of<T0>() => new([typeof(T0)], template =>
    {
        var log = LoggerMessage.Define<T0>(Level, default, template);
        return (logger, a) => log(logger, (T0)a[0]!, null);
    });

    public static DefinedMessage Of<T0, T1>() => new([typeof(T0), typeof(T1)], template =>
    {
        var log = LoggerMessage.Define<T0, T1>(Level, default, template);
        return (logger, a) => log(logger, (T0)a[0]!, (T1)a[1]!, null);
    });

    public static DefinedMessage Of<T0, T1, T2>() => new([typeof(T0), typeof(T1), typeof(T2)], template =>
    {
        var log = LoggerMessage.Define<T0, T1, T2>(Level, default, template);
        return (logger, a) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, null);
    });

    public static DefinedMessage Of<T0, T1, T2, T3>() => new([typeof(T0), typeof(T1), typeof(T2), typeof(T3)], template =>
    {
        var log = LoggerMessage.Define<T0, T1, T2, T3>(Level, default, template);
        return (logger, a) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, (T3)a[3]!, null);
    });

    public static DefinedMessage Of<T0, T1, T2, T3, T4>() => new([typeof(T0), typeof(T1), typeof(T2), typeof(T3), typeof(T4)], template =>
    {
        var log = LoggerMessage.Define<T0, T1, T2, T3, T4>(Level, default, template);
        return (logger, a) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, (T3)a[3]!, (T4)a[4]!, null);
    });

    public static DefinedMessage Of<T0, T1, T2, T3, T4, T5>() => new([typeof(T0), typeof(T1), typeof(T2), typeof(T3), typeof(T4), typeof(T5)], template =>
    {
        var log = LoggerMessage.Define<T0, T1, T2, T3, T4, T5>(Level, default, template);
        return (logger, a) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, (T3)a[3]!, (T4)a[4]!, (T5)a[5]!, null);
    });
}
