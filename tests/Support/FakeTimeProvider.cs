namespace AsyncLog.Tests;

/// <summary>A clock that moves only when told; its timers run on the thread that moves it.</summary>
public sealed class FakeTimeProvider : TimeProvider
{
    private readonly Lock _lock = new();
    private readonly List<FakeTimer> _timers = [];
    private DateTimeOffset _now;
    private TimeZoneInfo _zone = TimeZoneInfo.Utc;

    public FakeTimeProvider(DateTimeOffset? now = null) => _now = now ?? new DateTimeOffset(2026, 11, 20, 12, 31, 7, 482, TimeSpan.Zero);

    public override TimeZoneInfo LocalTimeZone => _zone;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>How many timers are alive.</summary>
    public int TimerCount
    {
        get
        {
            lock (_lock)
            {
                return _timers.Count;
            }
        }
    }

    /// <summary>How many of them wait for their time and run once.</summary>
    public int ArmedOnceCount
    {
        get
        {
            lock (_lock)
            {
                return _timers.Count(static timer => timer.Due is not null && timer.Period <= TimeSpan.Zero);
            }
        }
    }

    /// <summary>The time until the first of them is due; null: there is none.</summary>
    public TimeSpan? UntilNextOnce
    {
        get
        {
            lock (_lock)
            {
                return _timers.Where(static timer => timer.Due is not null && timer.Period <= TimeSpan.Zero).Min(static timer => timer.Due) - _now;
            }
        }
    }

    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
        {
            return _now;
        }
    }

    public override long GetTimestamp() => GetUtcNow().UtcTicks;

    public void SetZone(TimeZoneInfo zone) => _zone = zone;

    /// <summary>Sets the wall clock without running timers: an operator changed it.</summary>
    public void Jump(DateTimeOffset now)
    {
        lock (_lock)
        {
            _now = now.ToUniversalTime();
        }
    }

    /// <summary>Moves the clock, stopping at every timer that becomes due.</summary>
    public void Advance(TimeSpan time)
    {
        DateTimeOffset end = GetUtcNow() + time;
        while (TakeDue(end) is { } timer)
        {
            timer.Run();
        }

        lock (_lock)
        {
            _now = end;
        }
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        FakeTimer timer = new(this, callback, state);
        lock (_lock)
        {
            _timers.Add(timer);
        }

        timer.Change(dueTime, period);
        return timer;
    }

    private FakeTimer? TakeDue(DateTimeOffset end)
    {
        lock (_lock)
        {
            FakeTimer? next = _timers.Where(timer => timer.Due <= end).MinBy(timer => timer.Due);
            if (next is null)
            {
                return null;
            }

            _now = next.Due!.Value > _now ? next.Due.Value : _now;
            next.Due = next.Period > TimeSpan.Zero ? next.Due + next.Period : null;
            return next;
        }
    }

    private sealed class FakeTimer(FakeTimeProvider owner, TimerCallback callback, object? state) : ITimer
    {
        public DateTimeOffset? Due { get; set; }

        public TimeSpan Period { get; private set; }

        public void Run() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (owner._lock)
            {
                Due = dueTime == Timeout.InfiniteTimeSpan ? null : owner._now + dueTime;
                Period = period;
                return true;
            }
        }

        public void Dispose()
        {
            lock (owner._lock)
            {
                owner._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
