namespace AsyncLog.Tests.Vectors;

/// <summary>A wall clock that stands still in a zone of its own. Timers and elapsed time are those of the system, so that workers run, or of a clock that the test moves.</summary>
/// <param name="offset">The zone.</param>
/// <param name="timers">The clock of timers and elapsed time; null: the system's.</param>
/// <param name="runs">Whether the wall clock goes on for all threads but the one that set it: records have the time of the vector, and transports wait for nothing in vain.</param>
internal sealed class VectorClock(TimeSpan offset = default, FakeTimeProvider? timers = null, bool runs = false) : TimeProvider
{
    public static readonly DateTimeOffset Noon = new DateTimeOffset(2026, 11, 20, 12, 34, 56, TimeSpan.Zero).AddTicks(1234567);

    private readonly long _began = timers?.GetTimestamp() ?? System.GetTimestamp();
    private DateTimeOffset _now = Noon;
    private int _thread = Environment.CurrentManagedThreadId;

    public DateTimeOffset Now
    {
        get => _now;
        set => (_now, _thread) = (value, Environment.CurrentManagedThreadId);
    }

    public FakeTimeProvider? Timers => timers;

    public override TimeZoneInfo LocalTimeZone { get; } = TimeZoneInfo.CreateCustomTimeZone("test", offset, "test", "test");

    public override long TimestampFrequency => timers?.TimestampFrequency ?? base.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => runs && Environment.CurrentManagedThreadId != _thread ? Noon + GetElapsedTime(_began) : _now;

    public override long GetTimestamp() => timers?.GetTimestamp() ?? base.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        timers?.CreateTimer(callback, state, dueTime, period) ?? base.CreateTimer(callback, state, dueTime, period);
}
