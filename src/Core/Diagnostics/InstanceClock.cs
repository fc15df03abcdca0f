namespace AsyncLog;

/// <summary>The clock of the instances: the wall clock and the zone are those of the application's <see cref="TimeProvider"/>; elapsed time and timers are those
/// of the system, so that an application's clock that stands still, or needs the thread pool for its timers, delays no record. A clock that throws is replaced by the
/// system's for that reading, on any thread: neither a caller nor a worker sees its exception.</summary>
/// <remarks>Ages of records and losses begin with a reading of the wall clock, and <see cref="SteadyAge"/> corrects them only where it was set: while it stands still, no notice of a loss is due and no sink that hangs is reported.</remarks>
internal sealed class InstanceClock(TimeProvider application, TimeProvider waits) : TimeProvider
{
    /// <summary>The key under which a test registers the <see cref="TimeProvider"/> that elapsed time and timers use instead of the system's.</summary>
    public const string WaitsKey = "AsyncLog.Waits";

    private bool _hasFailed;

    /// <summary>Called with the first exception of the application's clock, on the thread that read it.</summary>
    public Action<Exception>? Failed { get; set; }

    private TimeProvider Waits { get; } = waits;

    public override TimeZoneInfo LocalTimeZone
    {
        get
        {
            try
            {
                return application.LocalTimeZone;
            }
            catch (Exception exception)
            {
                Report(exception);
                return Waits.LocalTimeZone;
            }
        }
    }

    public override long TimestampFrequency => Waits.TimestampFrequency;

    /// <summary>The clock that elapsed time and timers of <paramref name="clock"/> come from.</summary>
    public static TimeProvider WaitsOf(TimeProvider clock) => clock is InstanceClock { Waits: var waits } ? waits : clock;

    public override DateTimeOffset GetUtcNow()
    {
        try
        {
            return application.GetUtcNow();
        }
        catch (Exception exception)
        {
            Report(exception);
            return Waits.GetUtcNow();
        }
    }

    public override long GetTimestamp() => Waits.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        => Waits.CreateTimer(callback, state, dueTime, period);

    private void Report(Exception exception)
    {
        if (!Interlocked.Exchange(ref _hasFailed, true))
            Failed?.Invoke(exception);
    }
}
