using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Knows the state types of Microsoft.Extensions.Logging itself: their message is their template with their values in it.</summary>
internal static class MelStates
{
    private static readonly System.Reflection.Module Module = typeof(LoggerMessage).Module;

    /// <summary>The state of <c>LogInformation</c> and its like.</summary>
    public const string Formatted = "Microsoft.Extensions.Logging.FormattedLogValues";

    /// <summary>The states of <c>LoggerMessage.Define</c>.</summary>
    public const string Defined = "Microsoft.Extensions.Logging.LoggerMessage+LogValues";

    public static bool IsTemplateState(Type type) => type.Module == Module && type.FullName is { } name
        && (name == Formatted || name.StartsWith(Defined, StringComparison.Ordinal));

    /// <summary>Whether a formatter is MEL's own, and not one that a wrapper put in its place.</summary>
    public static bool IsOwnFormatter(Delegate formatter) => formatter.Method.Module == Module;
}
