using System.CodeDom.Compiler;
using System.Diagnostics;
using System.Reflection;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Recognizes the state types and formatters of Microsoft.Extensions.Logging itself, whose text follows from template and values.</summary>
internal static class MelStates
{
    private static readonly Module Abstractions = typeof(ILogger).Module;

    /// <summary>Returns true if the type is the state of <c>LogInformation(template, args)</c> and its relatives.</summary>
    public static bool IsTemplateCall(Type type)
        => type.IsValueType && type.Module == Abstractions && type.FullName == "Microsoft.Extensions.Logging.FormattedLogValues";

    /// <summary>Returns true if the type is a state of <c>LoggerMessage.Define</c>.</summary>
    public static bool IsDefined(Type type)
        => type.IsValueType && type.DeclaringType == typeof(LoggerMessage) && type.Name.StartsWith("LogValues", StringComparison.Ordinal);

    /// <summary>Returns true if the type is a state that the source generator of <c>[LoggerMessage]</c> makes for more than six values.</summary>
    public static bool IsGenerated(Type type)
        => type.IsValueType && type.IsNested && type.GetCustomAttribute<GeneratedCodeAttribute>() is { Tool: "Microsoft.Extensions.Logging.Generators" };

    /// <summary>Returns true if a formatter delegate is the one that the source generator put in a state.</summary>
    public static bool IsGeneratedFormatter(Delegate formatter, Type state)
    {
        var declaring = formatter.Method.DeclaringType;
        while (declaring is not null && declaring != state)
            declaring = declaring.DeclaringType;
        return declaring == state;
    }

    /// <summary>Returns true if the type is the state of HttpClientFactory with the headers of a request or response: its values are the headers as they are, and
    /// only its text leaves out those that are secret.</summary>
    public static bool HasSecretValues(Type type) => type.FullName == "Microsoft.Extensions.Http.Logging.HttpHeadersLogValue";

    /// <summary>Returns true if the record is one of HttpClientFactory with headers. The type of the state does not tell: enrichment joins its pairs with others.</summary>
    public static bool HasSecretValues(string? eventName, string category)
        => eventName is "RequestHeader" or "ResponseHeader" or "RequestPipelineRequestHeader" or "RequestPipelineResponseHeader"
            && category.StartsWith("System.Net.Http.HttpClient.", StringComparison.Ordinal);

    /// <summary>Returns true if a formatter delegate is MEL's own: a wrapper may pass its own with MEL's state.</summary>
    public static bool IsOwnFormatter(Delegate formatter) => formatter.Method.Module == Abstractions;

    /// <summary>The scope with the members of the current activity that <c>ActivityTrackingOptions</c> selects; null when there is none.</summary>
    /// <remarks>Each factory that creates such scopes (MEL's, that of Microsoft.Extensions.Telemetry) has its own type, and keeps the scope in this property.</remarks>
    public static object? ActivityScope => Activity.Current?.GetCustomProperty("__ActivityLogScope__");
}
