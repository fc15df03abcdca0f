using System.Collections;
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

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => properties.AsEnumerable().GetEnumerator();

    public override string ToString() => text;

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
