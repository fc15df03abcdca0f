using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Every path that is proven.</summary>
internal static class PathCatalogue
{
    private static readonly (string Name, Action<ILogger, int> Log)[] Generated =
    [
        ("0 values", Messages.None),
        ("1 value", Messages.One),
        ("2 values", Messages.Two),
        ("3 values", Messages.Three),
        ("4 values", Messages.Four),
        ("5 values", Messages.Five),
        ("6 values", Messages.Six),
        ("small integers", Messages.SmallIntegers),
        ("numbers", Messages.Numbers),
        ("times", Messages.Times),
        ("formats and alignment", Messages.Formatted),
    ];

    public static IReadOnlyList<AllocationPath> All { get; } =
    [
        .. Generated.Select(static call => new AllocationPath("text, " + call.Name, TargetKind.Text, call.Log)),
        .. Generated.Select(static call => new AllocationPath("json, " + call.Name, TargetKind.Json, call.Log)),
        // The object that the caller waits on.
        new("text, 4 values, acknowledged", TargetKind.Acknowledged, Messages.Four) { Allowed = 48 },
        new("clef, 4 values", TargetKind.Clef, Messages.Four),
        new("clef, numbers", TargetKind.Clef, Messages.Numbers),
        new("clef, scopes of pairs", TargetKind.Clef, Messages.Four) { Surround = Scopes },
        new("syslog, 4 values", TargetKind.Syslog, Messages.Four),
        new("syslog, numbers", TargetKind.Syslog, Messages.Numbers),
        new("syslog, times", TargetKind.Syslog, Messages.Times),
        new("syslog over tcp, 4 values", TargetKind.SyslogStream, Messages.Four),
        new("syslog, scopes of pairs", TargetKind.Syslog, Messages.Four) { Surround = Scopes },
        new("syslog, activity", TargetKind.Syslog, Messages.Four) { Surround = static _ => StartActivity() },
        new("otlp, 4 values, caller", TargetKind.Otlp, Messages.Four) { IsCallerOnly = true },
        new("otlp, numbers, caller", TargetKind.Otlp, Messages.Numbers) { IsCallerOnly = true },
        new("otlp, scopes of pairs, caller", TargetKind.Otlp, Messages.Four) { Surround = Scopes, IsCallerOnly = true },
        new("otlp, activity, caller", TargetKind.Otlp, Messages.Four) { Surround = static _ => StartActivity(), IsCallerOnly = true },
        // The worker's HTTP request, spread over the 512 records in it.
        new("otlp, 4 values", TargetKind.Otlp, Messages.Four) { Allowed = 24 },
        // From seven values on the generator writes a state of its own: its indexer boxes each value, and only its formatter knows the message.
        new("text, 7 values", TargetKind.Text, Messages.Seven) { Allowed = 7 * 24, Besides = "formatted, 7 values" },
        new("json, 7 values", TargetKind.Json, Messages.Seven) { Allowed = 7 * 24, Besides = "formatted, 7 values" },
        new("formatted, 7 values", TargetKind.Formatted, Messages.Seven) { Allowed = double.MaxValue },
        // One template with many levels and ids, as generic base classes and named clients have it with many categories.
        new("json, one template of 16 calls", TargetKind.Json, Messages.OneOfMany),
        new("clef, one template of 16 calls", TargetKind.Clef, Messages.OneOfMany),
        new("text, request", TargetKind.Text, Requests.Send),
        new("json, request", TargetKind.Json, Requests.Send),
        new("clef, request", TargetKind.Clef, Requests.Send),
        new("syslog, request", TargetKind.Syslog, Requests.Send),
        new("otlp, request, caller", TargetKind.Otlp, Requests.Send) { IsCallerOnly = true },
        new("text, template", TargetKind.Text, Messages.Template) { Allowed = null },
        new("json, template", TargetKind.Json, Messages.Template) { Allowed = null },
        new("text, template without values", TargetKind.Text, Messages.TemplateWithoutValues) { Allowed = null },
        new("text, scopes of pairs", TargetKind.TextWithScopes, Messages.Four) { Surround = Scopes },
        new("json, scopes of pairs", TargetKind.Json, Messages.Four) { Surround = Scopes },
        new("text, activity", TargetKind.TextWithScopes, Messages.Four) { Surround = static _ => StartActivity() },
        new("json, activity", TargetKind.Json, Messages.Four) { Surround = static _ => StartActivity() },
        new("disabled level", TargetKind.Text, Messages.Disabled) { Writes = false },
        new("dropped", TargetKind.Blocked, Messages.Four),
        new("dropped template", TargetKind.Blocked, Messages.Template) { Allowed = null },
        new("nothing, template", TargetKind.Nothing, Messages.Template) { Allowed = double.MaxValue },
        new("nothing, template without values", TargetKind.Nothing, Messages.TemplateWithoutValues) { Allowed = double.MaxValue },
    ];

    private static Scope? Scopes(ILogger logger)
    {
        var outer = logger.BeginScope(new List<KeyValuePair<string, object?>> { new("RequestId", "0HN7"), new("User", 4711) });
        var inner = logger.BeginScope(new Dictionary<string, object?> { ["Order"] = 12, ["Region"] = "EU" });
        return new Scope(outer, inner);
    }

    private static Activity StartActivity() => new Activity("request").SetIdFormat(ActivityIdFormat.W3C).Start();

    private sealed class Scope(IDisposable? outer, IDisposable? inner) : IDisposable
    {
        public void Dispose()
        {
            inner?.Dispose();
            outer?.Dispose();
        }
    }
}
