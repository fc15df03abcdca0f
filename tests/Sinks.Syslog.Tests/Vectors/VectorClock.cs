namespace AsyncLog.Tests;

/// <summary>A wall clock that stands still in a zone of its own; timers run as always, so that workers do.</summary>
internal sealed class VectorClock(TimeSpan offset = default) : TimeProvider
{
    public static readonly DateTimeOffset Noon = new DateTimeOffset(2026, 11, 20, 12, 34, 56, TimeSpan.Zero).AddTicks(1234567);

    public DateTimeOffset Now { get; set; } = Noon;

    public override TimeZoneInfo LocalTimeZone { get; } = TimeZoneInfo.CreateCustomTimeZone("test", offset, "test", "test");

    public override DateTimeOffset GetUtcNow() => Now;
}
