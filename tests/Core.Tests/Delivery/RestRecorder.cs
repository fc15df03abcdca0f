namespace AsyncLog.Tests.Delivery;

/// <summary>A clock that moves only when told and remembers how long the worker rests; naps are too short to count.</summary>
internal sealed class RestRecorder : TimeProvider
{
    private static readonly TimeSpan LongestNap = TimeSpan.FromMilliseconds(10);

    // Guards the rests; taken by the worker and the test.
    private readonly Lock _gate = new();
    private readonly FakeTimeProvider _clock = new();
    private readonly List<(DateTimeOffset At, TimeSpan Length)> _rests = [];

    /// <summary>Longer ones are not remembered.</summary>
    public TimeSpan LongestRest { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Whether rests are remembered.</summary>
    public Func<bool> IsRecording { get; set; } = static () => true;

    /// <summary>The rests so far; one that was interrupted and went on counts once.</summary>
    public IReadOnlyList<TimeSpan> Rests
    {
        get
        {
            lock (_gate)
                return [.. _rests.Select(static rest => rest.Length)];
        }
    }

    /// <inheritdoc cref="FakeTimeProvider.ArmedOnceCount"/>
    public int ArmedOnceCount => _clock.ArmedOnceCount;

    public override long TimestampFrequency => _clock.TimestampFrequency;

    public override TimeZoneInfo LocalTimeZone => _clock.LocalTimeZone;

    public override DateTimeOffset GetUtcNow() => _clock.GetUtcNow();

    public override long GetTimestamp() => _clock.GetTimestamp();

    public void Advance(TimeSpan time) => _clock.Advance(time);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = _clock.CreateTimer(callback, state, dueTime, period);
        lock (_gate)
        {
            var rest = (_clock.GetUtcNow(), dueTime);
            if (period <= TimeSpan.Zero && dueTime > LongestNap && dueTime <= LongestRest && IsRecording() && !_rests.Contains(rest))
                _rests.Add(rest);
        }

        return timer;
    }
}
