namespace AsyncLog.Tests;

/// <summary>A clock that moves only when told. The wall clock can be set without time passing.</summary>
internal sealed class TestClock : TimeProvider
{
    private DateTimeOffset _wall = new(2026, 11, 20, 12, 0, 0, TimeSpan.Zero);
    private long _passed;

    public TimeZoneInfo Zone { get; set; } = TimeZoneInfo.Utc;

    public override TimeZoneInfo LocalTimeZone => Zone;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public DateTimeOffset Now
    {
        get => _wall;
        set => _wall = value.ToUniversalTime();
    }

    public override DateTimeOffset GetUtcNow() => _wall;

    public override long GetTimestamp() => _passed;

    public void Pass(TimeSpan time)
    {
        _wall += time;
        _passed += time.Ticks;
    }

    public void PassSeconds(double seconds) => Pass(TimeSpan.FromSeconds(seconds));
}
