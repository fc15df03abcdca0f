namespace AsyncLog.Tests.Run;

/// <summary>The clock of a run. It moves when the simulation moves it: a thread that would wait for a timer asks the simulation to let the time pass.</summary>
/// <remarks>The product waits for other clocks than the system's with a timer that pulses a monitor. Creating the timer is where the wait happens here: when
/// it returns the time is over, or the waiting code was woken, and the monitor is never waited for.</remarks>
internal sealed class SimulatedClock : TimeProvider
{
    private static readonly DateTimeOffset Start = new(2026, 11, 20, 22, 0, 0, TimeSpan.Zero);

    /// <summary>Lets time pass until an instant, in ticks of this clock, for the owner of a monitor.</summary>
    public Action<object?, long>? Waiting { get; set; }

    /// <summary>Ticks since the start of the run.</summary>
    public long Ticks { get; private set; }

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => Start + TimeSpan.FromTicks(Ticks);

    public override long GetTimestamp() => Ticks;

    /// <summary>Moves forward; never back.</summary>
    public void MoveTo(long ticks) => Ticks = Math.Max(Ticks, ticks);

    public void Pass(TimeSpan time) => Ticks += time.Ticks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime > TimeSpan.Zero)
            Waiting?.Invoke(state, Ticks + dueTime.Ticks);
        return new SpentTimer();
    }

    private sealed class SpentTimer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => default;
    }
}
