using System.Collections;
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A record of AsyncLog itself: its text and properties. Also the state of a log call.</summary>
internal sealed class Notice(LogLevel level, EventId eventId, string text, KeyValuePair<string, object?>[] properties) : IReadOnlyList<KeyValuePair<string, object?>>
{
    /// <summary>The category of AsyncLog's own records.</summary>
    public const string Category = "AsyncLog";

    /// <summary>The formatter that goes with the state.</summary>
    public static readonly Func<Notice, Exception?, string> Formatter = static (state, _) => state.ToString();

    public LogLevel Level { get; } = level;

    public EventId EventId { get; } = eventId;

    public int Count => properties.Length;

    public KeyValuePair<string, object?> this[int index] => properties[index];

    /// <summary>The line that announces an instance at start: <c>file "errors" -> /srv/shop/logs/Shop-errors.log (text, roll Day or 100 MB, keep 31)</c>.</summary>
    public static Notice OfStart(string type, string shortName, string target, string summary) => new(
        LogLevel.Information,
        new EventId(1, "SinkStarted"),
        $"{type} \"{shortName}\" -> {target} ({summary})",
        [new("Sink", $"{type}/{shortName}"), new("Target", target), new("Summary", summary)]);

    /// <summary>The line after the records of a process that was killed: <c>412 records of process 4711, killed after 2026-11-23 12:31:07Z, were recovered</c>.</summary>
    public static Notice OfRecovery(long records, long processId, long lastTicks)
    {
        var last = new DateTime(lastTicks, DateTimeKind.Utc);
        return new(
            LogLevel.Warning,
            new EventId(26, "CrashRecovered"),
            string.Create(
                CultureInfo.InvariantCulture,
                $"{ControlText.Count(records, "record", "records")} of process {processId}, killed after {last:yyyy-MM-dd HH:mm:ss}Z, {(records == 1 ? "was" : "were")} recovered"),
            [new("Count", records), new("ProcessId", processId), new("Last", last)]);
    }

    /// <summary>The line after an instance was switched off and on: <c>no records were taken from 2026-11-23 12:31:07.482 to 2026-11-23 12:31:10.911: the instance was switched off</c>.</summary>
    public static Notice OfPause(DateTimeOffset first, DateTimeOffset last) => new(
        LogLevel.Warning, new EventId(6, "SinkResumed"), $"{TextOfPause(first, last)}: the instance was switched off", [new("First", first), new("Last", last)]);

    /// <summary>The time in which an instance was switched off, in words.</summary>
    public static string TextOfPause(DateTimeOffset first, DateTimeOffset last)
        => string.Create(CultureInfo.InvariantCulture, $"no records were taken from {first:yyyy-MM-dd HH:mm:ss.fff} to {last:yyyy-MM-dd HH:mm:ss.fff}");

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => properties.AsEnumerable().GetEnumerator();

    public override string ToString() => text;

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
