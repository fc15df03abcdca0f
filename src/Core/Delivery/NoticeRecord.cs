using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Renders what AsyncLog itself has to say in an instance's output, in the instance's own layout. Needs no place in the queue and is not counted.</summary>
internal static class NoticeRecord
{
    /// <summary>The category of AsyncLog's own records.</summary>
    public const string Category = "AsyncLog";

    /// <summary>Renders a gap notice into a batch of one record.</summary>
    /// <returns>False when the formatter failed; that is counted.</returns>
    public static bool TryLoad(LogBatch batch, GapNotice notice, SinkInstance instance, SinkRoute route)
    {
        var zone = instance.Options.UseUtcTimestamp ? TimeZoneInfo.Utc : instance.TimeProvider.LocalTimeZone;
        var state = new OwnState(notice.ToText(zone), [.. notice.ToProperties(zone)]);
        return TryLoad(batch, LogLevel.Warning, new EventId(21, "DropsEnded"), state, null, instance, route);
    }

    /// <summary>Renders a record of AsyncLog's own into a batch of one record.</summary>
    /// <returns>False when the formatter failed; that is counted.</returns>
    public static bool TryLoad(
        LogBatch batch,
        LogLevel level,
        EventId eventId,
        OwnState state,
        Exception? exception,
        SinkInstance instance,
        SinkRoute route)
    {
        var record = RecordRenderer.RenderOwn(instance, route, level, eventId, state, exception);
        if (record.Length == 0)
            return false;
        var slots = new Slot[1];
        slots[0].Ticks = instance.TimeProvider.GetUtcNow().UtcTicks;
        slots[0].Word = Slot.Pack(0, record.Length, level, instance.OwnCategory);
        batch.Load(record, slots, 1, record.Length, instance.Categories);
        return true;
    }
}
