using System.Reflection;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Knows the state types and formatters of Microsoft.Extensions.Logging itself, whose text follows from template and values.</summary>
internal static class MelStates
{
    private static readonly Module Abstractions = typeof(ILogger).Module;

    // The constant name lets the trimmer see it. Null where the type is gone: then there is nothing to skip.
    private static readonly Type? ActivityScope = Type.GetType(
        "Microsoft.Extensions.Logging.LoggerFactoryScopeProvider+ActivityLogScope, Microsoft.Extensions.Logging");

    /// <summary>Whether the type is the state of <c>LogInformation(template, args)</c> and its relatives.</summary>
    public static bool IsTemplateCall(Type type)
        => type.IsValueType && type.Module == Abstractions && type.FullName == "Microsoft.Extensions.Logging.FormattedLogValues";

    /// <summary>Whether the type is a state of <c>LoggerMessage.Define</c>.</summary>
    public static bool IsDefined(Type type)
        => type.IsValueType && type.DeclaringType == typeof(LoggerMessage) && type.Name.StartsWith("LogValues", StringComparison.Ordinal);

    /// <summary>Whether a formatter delegate is MEL's own: a wrapper may pass its own with MEL's state.</summary>
    public static bool IsOwnFormatter(Delegate formatter) => formatter.Method.Module == Abstractions;

    /// <summary>Whether a scope holds the activity's ids that an event has anyway.</summary>
    public static bool IsActivityScope(object scope) => ActivityScope is not null && scope.GetType() == ActivityScope;
}
