using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>One call of a logger as a vector describes it.</summary>
internal static class VectorRecord
{
    private static readonly string[] Fields =
        ["level", "category", "eventId", "eventName", "message", "state", "scopes", "exception", "trace", "time", "culture", "times"];

    /// <summary>Makes the call.</summary>
    public static void Log(JsonElement record, IVectorTarget harness)
    {
        VectorFile.RequireKnown(record, Fields);
        harness.Clock.Now = record.TextOf("time", null) is { } time ? DateTimeOffset.Parse(time, CultureInfo.InvariantCulture) : VectorClock.Noon;
        var logger = harness.Logger(record.TextOf("category", harness.DefaultCategory) ?? "");
        var activity = ActivityOf(record);
        var scopes = record.Find("scopes") is { } list ? list.EnumerateArray().Select(ScopeOf).Select(logger.BeginScope).ToArray() : [];
        try
        {
            In(record.TextOf("culture", "")!, () =>
            {
                for (var i = record.IntOf("times", 1); i > 0; i--)
                    Log(record, logger, harness.DefaultMessage);
            });
        }
        finally
        {
            foreach (var scope in scopes.Reverse())
                scope!.Dispose();
            activity?.Stop();
        }
    }

    /// <summary>The texts of the messages of a list of records, as often as each is logged.</summary>
    public static IEnumerable<string> MessagesOf(JsonElement records, string missing) =>
        records.EnumerateArray().SelectMany(record => Enumerable.Repeat(record.TextOf("message", missing) ?? "", record.IntOf("times", 1)));

    /// <summary>Makes an activity of given ids the current one.</summary>
    public static Activity Start(string traceId, string spanId, int flags)
    {
        var activity = new Activity("test").SetIdFormat(ActivityIdFormat.W3C).Start();
        // An activity makes its own ids; these fields are where it keeps them.
        Set("_traceId", traceId);
        Set("_spanId", spanId);
        activity.ActivityTraceFlags = (ActivityTraceFlags)flags;
        return activity;

        void Set(string field, string value) => typeof(Activity).GetField(field, BindingFlags.Instance | BindingFlags.NonPublic)!.SetValue(activity, value);
    }

    private static void Log(JsonElement record, ILogger logger, string defaultMessage)
    {
        var level = Enum.Parse<LogLevel>(record.TextOf("level", "Information")!);
        var state = record.Find("state") is { } pairs ? PairsOf(pairs) : [];
        var message = record.TextOf("message", defaultMessage);
        logger.Log(level, new EventId(record.IntOf("eventId"), record.TextOf("eventName", null)), state, ExceptionOf(record), (_, _) => message!);
    }

    private static Exception? ExceptionOf(JsonElement record) => record.Find("exception") is { ValueKind: JsonValueKind.Object } exception
        ? StubOf(exception)
        : null;

    private static Exception StubOf(JsonElement exception)
    {
        VectorFile.RequireKnown(exception, "type", "message", "toString");
        return VectorException.Of(
            exception.TextOf("type", null)!, () => exception.TextOf("message", ""), exception.Find("toString") is null ? null : () => exception.TextOf("toString", null));
    }

    private static Activity? ActivityOf(JsonElement record) => record.Find("trace") is { ValueKind: JsonValueKind.Array } trace
        ? Start(trace[0].GetString()!, trace[1].GetString()!, int.Parse(trace[2].GetString()!, NumberStyles.HexNumber, CultureInfo.InvariantCulture))
        : null;

    private static object ScopeOf(JsonElement scope) => scope.ValueKind == JsonValueKind.Array ? PairsOf(scope) : VectorValue.ReadText(scope);

    private static List<KeyValuePair<string, object?>> PairsOf(JsonElement pairs) =>
        [.. pairs.EnumerateArray().Select(static pair => KeyValuePair.Create((string)VectorValue.Read(pair[0])!, VectorValue.Read(pair[1])))];

    private static void In(string culture, Action action)
    {
        var before = (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture);
        (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture) = (new CultureInfo(culture), new CultureInfo(culture));
        try
        {
            action();
        }
        finally
        {
            (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture) = before;
        }
    }
}
