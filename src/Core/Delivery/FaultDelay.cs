namespace AsyncLog;

/// <summary>How long to rest after the failures in a row so far. Worker only.</summary>
internal sealed class FaultDelay(Backoff backoff)
{
    private Backoff _backoff = backoff;

    // What the last failure asked for; null: the back-off decides.
    private TimeSpan? _asked;

    /// <summary>Failures since something worked.</summary>
    public int Failures { get; private set; }

    /// <summary>The rest now due.</summary>
    public TimeSpan Next => _asked ?? _backoff.DelayOf(Math.Max(0, Failures - 1), Random.Shared.NextDouble());

    /// <summary>Other delays from now on.</summary>
    public void Use(Backoff backoff) => _backoff = backoff;

    /// <summary>Something failed.</summary>
    public void Failed(Exception exception)
    {
        Failures++;
        // Nothing, or less, would be a loop without a rest.
        _asked = exception is LogSinkException { RetryDelay: { } asked } && asked > TimeSpan.Zero ? asked : null;
    }

    /// <summary>Something worked: the delays begin again.</summary>
    public void Reset() => Failures = 0;
}
