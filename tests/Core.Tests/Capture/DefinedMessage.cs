using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>A signature of <c>LoggerMessage.Define</c> that any template with as many holes can be given to.</summary>
internal sealed record DefinedMessage(Type[] Types, Func<LogLevel, EventId, string, Action<ILogger, object?[], Exception?>> DefineAs)
{
    public Action<ILogger, object?[]> Define(string template)
    {
        var log = DefineAs(LogLevel.Information, default, template);
        return (logger, a) => log(logger, a, null);
    }

    /// <summary>A signature with up to six types that are known only at run time.</summary>
    public static DefinedMessage OfTypes(Type[] types)
    {
        var method = typeof(DefinedMessage).GetMethods().Single(method => method.Name == nameof(Of) && method.GetGenericArguments().Length == types.Length);
        return (DefinedMessage)(types.Length == 0 ? method : method.MakeGenericMethod(types)).Invoke(null, null)!;
    }

    public static DefinedMessage Of() => new([], (level, id, template) =>
    {
        var log = LoggerMessage.Define(level, id, template);
        return (logger, _, exception) => log(logger, exception);
    });

    public static DefinedMessage Of<T0>() => new([typeof(T0)], (level, id, template) =>
    {
        var log = LoggerMessage.Define<T0>(level, id, template);
        return (logger, a, exception) => log(logger, (T0)a[0]!, exception);
    });

    public static DefinedMessage Of<T0, T1>() => new([typeof(T0), typeof(T1)], (level, id, template) =>
    {
        var log = LoggerMessage.Define<T0, T1>(level, id, template);
        return (logger, a, exception) => log(logger, (T0)a[0]!, (T1)a[1]!, exception);
    });

    public static DefinedMessage Of<T0, T1, T2>() => new([typeof(T0), typeof(T1), typeof(T2)], (level, id, template) =>
    {
        var log = LoggerMessage.Define<T0, T1, T2>(level, id, template);
        return (logger, a, exception) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, exception);
    });

    public static DefinedMessage Of<T0, T1, T2, T3>() => new([typeof(T0), typeof(T1), typeof(T2), typeof(T3)], (level, id, template) =>
    {
        var log = LoggerMessage.Define<T0, T1, T2, T3>(level, id, template);
        return (logger, a, exception) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, (T3)a[3]!, exception);
    });

    public static DefinedMessage Of<T0, T1, T2, T3, T4>() => new([typeof(T0), typeof(T1), typeof(T2), typeof(T3), typeof(T4)], (level, id, template) =>
    {
        var log = LoggerMessage.Define<T0, T1, T2, T3, T4>(level, id, template);
        return (logger, a, exception) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, (T3)a[3]!, (T4)a[4]!, exception);
    });

    public static DefinedMessage Of<T0, T1, T2, T3, T4, T5>() => new([typeof(T0), typeof(T1), typeof(T2), typeof(T3), typeof(T4), typeof(T5)], (level, id, template) =>
    {
        var log = LoggerMessage.Define<T0, T1, T2, T3, T4, T5>(level, id, template);
        return (logger, a, exception) => log(logger, (T0)a[0]!, (T1)a[1]!, (T2)a[2]!, (T3)a[3]!, (T4)a[4]!, (T5)a[5]!, exception);
    });
}
