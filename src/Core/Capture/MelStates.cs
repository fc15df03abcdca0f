using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Knows the state types of Microsoft.Extensions.Logging itself: their message is their template with their values in it.</summary>
internal static class MelStates
{
    private static readonly Module Module = typeof(LoggerMessage).Module;

    /// <summary>The state of <c>LogInformation</c> and its like.</summary>
    public const string Formatted = "Microsoft.Extensions.Logging.FormattedLogValues";

    /// <summary>The states of <c>LoggerMessage.Define</c>.</summary>
    public const string Defined = "Microsoft.Extensions.Logging.LoggerMessage+LogValues";

    public static bool IsTemplateState(Type type) => type.Module == Module && type.FullName is { } name
        && (name == Formatted || name.StartsWith(Defined, StringComparison.Ordinal));

    /// <summary>The fields of a state of <c>LoggerMessage.Define</c>: MEL's formatter first, then the values in order; null when the type is not what it should be.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A field that was trimmed away makes the answer null.")]
    public static FieldInfo[]? FieldsOf(Type type)
    {
        if (!IsTemplateState(type) || type.FullName == Formatted)
            return null;
        var arguments = type.GetGenericArguments();
        var fields = new FieldInfo[arguments.Length + 1];
        for (var i = 0; i < fields.Length; i++)
        {
            var field = type.GetField(i == 0 ? "_formatter" : $"_value{i - 1}", BindingFlags.Instance | BindingFlags.NonPublic);
            if (field is null || (i > 0 && field.FieldType != arguments[i - 1]))
                return null;
            fields[i] = field;
        }

        return fields;
    }

    /// <summary>Whether a formatter is MEL's own, and not one that a wrapper put in its place.</summary>
    public static bool IsOwnFormatter(Delegate formatter) => formatter.Method.Module == Module;
}
