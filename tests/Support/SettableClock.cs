namespace AsyncLog.Tests;

/// <summary>A clock whose time of day can be set, while elapsed time and timers are those of a clock that the test moves.</summary>
internal sealed class SettableClock(FakeTimeProvider time) : TimeProvider
{
    private long _set;

    public override TimeZoneInfo LocalTimeZone => time.LocalTimeZone;

    public override long TimestampFrequency => time.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => time.GetUtcNow().AddTicks(Interlocked.Read(ref _set));

    public override long GetTimestamp() => time.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => time.CreateTimer(callback, state, dueTime, period);

    /// <summary>Sets the time of day ahead, or back.</summary>
    public void Set(TimeSpan ahead) => Interlocked.Add(ref _set, ahead.Ticks);
}
