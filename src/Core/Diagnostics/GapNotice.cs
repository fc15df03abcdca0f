using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Notice of lost records: count, time span and reason; written to the instance's own output. The times are UTC ticks. Immutable.</summary>
internal sealed record GapNotice(DropReason Reason, long[] Levels, long FirstTicks, long LastTicks)
{
    public long Count => Levels.Sum();

    /// <summary>The notice for the instance's own output.</summary>
    public Notice ToNotice(TimeZoneInfo zone) => new(LogLevel.Warning, new EventId(21, "DropsEnded"), ToText(zone), [.. ToProperties(zone)]);

    /// <summary>The text, with times in <paramref name="zone"/> and levels from the highest count down.</summary>
    public string ToText(TimeZoneInfo zone) => string.Create(CultureInfo.InvariantCulture, $"{Count} records dropped {Details(zone)}");

    /// <summary>Formats the text after the number of records: time span, reason, counts by level.</summary>
    public string Details(TimeZoneInfo zone)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{TimeOf(FirstTicks, zone)}–{TimeOf(LastTicks, zone)} ({DropReasons.NameOf(Reason)}): ");
        text.AppendJoin(", ", ByCount().Select(static level => string.Create(CultureInfo.InvariantCulture, $"{level.Level} {level.Count}")));
        return text.ToString();
    }

    /// <summary>The same as properties.</summary>
    public IEnumerable<KeyValuePair<string, object?>> ToProperties(TimeZoneInfo zone)
    {
        yield return new("Count", Count);
        yield return new("Reason", DropReasons.NameOf(Reason));
        yield return new("First", InZone(FirstTicks, zone));
        yield return new("Last", InZone(LastTicks, zone));
        foreach (var (level, count) in ByCount())
            yield return new(level.ToString(), count);
    }

    private IEnumerable<(LogLevel Level, long Count)> ByCount() => Levels
        .Select(static (count, level) => (Level: (LogLevel)level, Count: count))
        .Where(static level => level.Count > 0)
        .OrderByDescending(static level => level.Count);

    private static string TimeOf(long ticks, TimeZoneInfo zone) => InZone(ticks, zone).ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);

    private static DateTimeOffset InZone(long ticks, TimeZoneInfo zone) => TimeZoneInfo.ConvertTime(new DateTimeOffset(ticks, TimeSpan.Zero), zone);
}
