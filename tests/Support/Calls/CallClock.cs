namespace AsyncLog.Tests.Calls;

/// <summary>A clock that stands still for a record in both ways. Timers and elapsed time are the system's.</summary>
internal sealed class CallClock : TimeProvider
{
    private long _ticks = new DateTimeOffset(2026, 11, 28, 4, 30, 59, TimeSpan.Zero).Ticks;

    public override DateTimeOffset GetUtcNow() => new(Interlocked.Read(ref _ticks), TimeSpan.Zero);

    /// <summary>Moves the time ahead, or back.</summary>
    public void Move(TimeSpan ahead) => Interlocked.Add(ref _ticks, ahead.Ticks);
}
