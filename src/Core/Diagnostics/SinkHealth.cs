namespace AsyncLog;

/// <summary>Computes the state of one instance from its deliveries, conditions, queue and losses.</summary>
internal sealed class SinkHealth(DropLedger drops, TimeProvider timeProvider, SteadyAge ages)
{
    /// <summary>The share of a bound from which a queue counts as nearly full.</summary>
    public const double NearlyFull = 0.8;

    /// <summary>The reason that records were lost.</summary>
    public const string Drops = "drops";

    /// <summary>The reason that a queue was nearly full.</summary>
    public const string NearFull = "queue_near_full";

    /// <summary>The reason that the destination does not answer.</summary>
    public const string Timeout = "timeout";

    // Without an answer for so long the destination counts as one that does not answer.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    // Counts between two looks at a call, which are a second apart: a process that is frozen is not watched meanwhile.
    private static readonly TimeSpan MaxWatched = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan CleanWindow = TimeSpan.FromSeconds(60);

    // A repeated failure does not end between two attempts.
    private static readonly TimeSpan RecoveryShown = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan MaxOutage = TimeSpan.FromSeconds(60);

    // Protects all fields; taken by the worker on a failure and by readers of the state.
    private readonly Lock _gate = new();
    private SinkState _state;
    private DateTimeOffset _since = timeProvider.GetUtcNow();
    private volatile string? _failure;
    private bool _isPermanent;
    private long _failingSince;
    private DateTimeOffset? _problemSince;

    // Since when the destination has not answered, although no delivery failed.
    private DateTimeOffset? _silentSince;

    // The call of the sink that had not returned at the last look, when that was, and for how long it was watched.
    private long _watchedCall;
    private long _watchedAt;
    private TimeSpan _watched;

    // The last trouble: its time of day, and a reading for the time since; null before the first.
    private (DateTimeOffset Time, long Reading)? _lastTrouble;
    private string? _lastTroubleReason;

    // By reason: the time of day of the first trouble and the reading of the last one, as long as no pause ends it.
    private readonly Dictionary<string, (DateTimeOffset Began, long Last)> _troubles = new(StringComparer.Ordinal);
    // Of the batches that were refused as a whole, one after the other: the time of day of the first, and readings of the first and the last.
    private (DateTimeOffset Began, long First, long Last)? _refusing;
    private long _lostAt;
    private bool _isStopped;
    private bool _isRecovering;

    // Conditions that sinks reported; the last one that holds is the reason, a permanent one before all others.
    private readonly List<(object Owner, string Reason, bool IsPermanent, DateTimeOffset Began)> _conditions = [];

    /// <summary>True if the last delivery failed.</summary>
    public bool IsFailing => _failure is not null;

    /// <summary>The reason why nothing is delivered; null: records are delivered, as far as is known. Call after <see cref="Evaluate"/>.</summary>
    public string? Outage
    {
        get
        {
            lock (_gate)
                return _silentSince is null ? _failure : Timeout;
        }
    }

    /// <summary>Records a failed delivery.</summary>
    public void Failed(string errorType, bool isPermanent)
    {
        lock (_gate)
        {
            if (_failure is null)
                _failingSince = timeProvider.GetTimestamp();
            // Before it becomes the failure, which no pause between two attempts ends.
            Trouble(errorType);
            _failure = errorType;
            _isPermanent = isPermanent;
        }
    }

    /// <summary>Records a successful delivery. A failure lasted until now, however long ago its last attempt was.</summary>
    public void Recovered()
    {
        lock (_gate)
        {
            if (_failure is not null && !_isStopped)
                Trouble(_failure);
            (_failure, _refusing) = (null, null);
        }
    }

    /// <summary>Records that nothing is left of a batch.</summary>
    /// <param name="isRefused">True if none of its records was written. When all batches of a minute were refused, the state is failed, because a sink that
    /// drops everything does not recover by itself.</param>
    public void Settled(bool isRefused)
    {
        // Only the worker changes it.
        if (!isRefused && _refusing is null)
            return;
        lock (_gate)
        {
            var now = timeProvider.GetTimestamp();
            _refusing = !isRefused ? null : _refusing is { } before ? before with { Last = now } : (timeProvider.GetUtcNow(), now, now);
        }
    }

    /// <summary>Records a failed operation that the sink recovered from: the state is degraded for a minute.</summary>
    public void AddTransientError(string errorType)
    {
        lock (_gate)
            Trouble(errorType);
    }

    /// <summary>Begins a condition: the sink delivers, though not everything or not to the usual place.</summary>
    public void Degrade(object owner, string reason, bool isPermanent = false)
    {
        lock (_gate)
        {
            var known = IndexOf(owner, reason);
            if (known < 0)
                _conditions.Add((owner, reason, isPermanent, timeProvider.GetUtcNow()));
            else
                _conditions[known] = _conditions[known] with { IsPermanent = isPermanent };
        }
    }

    /// <summary>Ends a condition.</summary>
    public void Restore(object owner, string reason)
    {
        lock (_gate)
        {
            var known = IndexOf(owner, reason);
            if (known >= 0)
                _conditions.RemoveAt(known);
        }
    }

    /// <summary>Removes all conditions of an owner.</summary>
    public void RemoveConditionsOf(object owner)
    {
        lock (_gate)
            _conditions.RemoveAll(condition => ReferenceEquals(condition.Owner, owner));
    }

    public void Started()
    {
        lock (_gate)
            _isStopped = false;
    }

    public void Stopped()
    {
        lock (_gate)
            _isStopped = true;
    }

    /// <summary>Times at which the trouble ended and the state becomes healthy, if only the clean window delays it; else null. Call after <see cref="Evaluate"/>.</summary>
    public (DateTimeOffset? TroubleEnded, DateTimeOffset? HealthyAt) Recovery
    {
        get
        {
            lock (_gate)
            {
                if (!_isRecovering || _lastTrouble is not { } trouble)
                    return (null, null);
                // By the clock as it is set now, so that the page counts down to the second.
                var ended = timeProvider.GetUtcNow() - timeProvider.GetElapsedTime(trouble.Reading);
                if ((ended - trouble.Time).Duration() < TimeSpan.FromSeconds(1))
                    ended = trouble.Time;
                return (ended, ended + CleanWindow);
            }
        }
    }

    /// <summary>The time for which a call of the sink has not returned, if that is long; else null. Call after <see cref="Evaluate"/>.</summary>
    public TimeSpan? SilentFor { get; private set; }

    /// <summary>Computes the state, its reason, and since when the reason holds; without a reason, the state.</summary>
    /// <param name="fill">Use of the queue, 0 to 1.</param>
    /// <param name="unservedFor">For how long records have waited and none was delivered; null when none waits.</param>
    /// <param name="calledAt">When the call of the sink began that has not returned, as a time stamp; 0: there is none.</param>
    /// <param name="hasConfigurationProblem">True if something is wrong with the configuration.</param>
    public (SinkState State, string? Reason, DateTimeOffset Since) Evaluate(
        double fill = 0, TimeSpan? unservedFor = null, long calledAt = 0, bool hasConfigurationProblem = false)
    {
        lock (_gate)
        {
            Watch(calledAt);
            // Also a worker that hangs elsewhere than in its sink.
            var silence = SilentFor ?? (_failure is null && unservedFor >= Patience ? unservedFor : null);
            _silentSince = silence is { } time ? _silentSince ?? timeProvider.GetUtcNow() - time : null;
            if (SilentFor is not null)
                Trouble(Timeout, began: _silentSince);
            if (fill >= NearlyFull)
                Trouble(NearFull);
            var lostAt = drops.LastTicks;
            if (lostAt != _lostAt)
                Trouble(Drops, ages.Of(lostAt));
            _lostAt = lostAt;
            _problemSince = hasConfigurationProblem ? _problemSince ?? timeProvider.GetUtcNow() : null;
            var (state, reason, since) = Judge(unservedFor);
            if (state != _state)
                _since = timeProvider.GetUtcNow();
            _state = state;
            return (state, reason, since ?? _since);
        }
    }

    private void Watch(long calledAt)
    {
        var now = timeProvider.GetTimestamp();
        var unseen = calledAt == 0 ? TimeSpan.Zero : timeProvider.GetElapsedTime(calledAt == _watchedCall ? _watchedAt : calledAt, now);
        _watched = (calledAt == _watchedCall ? _watched : TimeSpan.Zero) + (unseen < MaxWatched ? unseen : MaxWatched);
        (_watchedCall, _watchedAt) = (calledAt, now);
        // In an outage the last failure stays the reason until an attempt lasts longer than any time-out of a sink.
        SilentFor = calledAt != 0 && _watched >= (_failure is null ? Patience : MaxOutage) ? _watched : null;
    }

    private (SinkState State, string? Reason, DateTimeOffset? Since) Judge(TimeSpan? unservedFor)
    {
        _isRecovering = false;
        if (_isStopped)
            return (SinkState.Stopped, null, null);
        if (_failure is not null && (_silentSince is null || _isPermanent))
        {
            var hasFailed = _isPermanent || (unservedFor is not null && timeProvider.GetElapsedTime(_failingSince) >= MaxOutage);
            return (hasFailed ? SinkState.Failed : SinkState.Degraded, _failure, _troubles[_failure].Began);
        }

        if (_silentSince is not null)
            return (unservedFor >= MaxOutage ? SinkState.Failed : SinkState.Degraded, Timeout, _silentSince);
        var permanent = _conditions.FindLastIndex(static condition => condition.IsPermanent);
        if (permanent >= 0)
            return (SinkState.Failed, _conditions[permanent].Reason, _conditions[permanent].Began);
        var isRefusing = _refusing is { } refusing && timeProvider.GetElapsedTime(refusing.First, refusing.Last) >= MaxOutage;
        if (_conditions.Count > 0)
            return (isRefusing ? SinkState.Failed : SinkState.Degraded, _conditions[^1].Reason, _conditions[^1].Began);
        if (isRefusing)
            return (SinkState.Failed, Drops, _refusing!.Value.Began);
        if (_problemSince is not null)
            return (SinkState.Degraded, "configuration", _problemSince);
        if (_lastTrouble is not { } trouble)
            return (SinkState.Healthy, null, null);
        var clean = timeProvider.GetElapsedTime(trouble.Reading);
        _isRecovering = clean >= RecoveryShown && clean < CleanWindow;
        return clean < CleanWindow ? (SinkState.Degraded, _lastTroubleReason, _troubles[_lastTroubleReason!].Began) : (SinkState.Healthy, null, null);
    }

    private int IndexOf(object owner, string reason)
        => _conditions.FindIndex(condition => ReferenceEquals(condition.Owner, owner) && condition.Reason == reason);

    private void Trouble(string reason, TimeSpan age = default, DateTimeOffset? began = null)
    {
        var reading = timeProvider.GetTimestamp() - (long)(age.Ticks * ((double)timeProvider.TimestampFrequency / TimeSpan.TicksPerSecond));
        var at = timeProvider.GetUtcNow() - age;
        if (_lastTrouble is not { } newest || reading > newest.Reading)
            _lastTrouble = (at, reading);
        // A full queue loses records: the reason must not alternate between the two.
        if (reason != NearFull || _lastTroubleReason != Drops || !IsRecent(_troubles[Drops].Last, reading))
            _lastTroubleReason = reason;
        foreach (var (other, trouble) in _troubles)
        {
            if (other != _lastTroubleReason && !Continues(other, trouble.Last, reading))
                _troubles.Remove(other);
        }

        _troubles[reason] = (_troubles.TryGetValue(reason, out var known) && Continues(reason, known.Last, reading) ? known.Began : began ?? at, reading);
    }

    private bool Continues(string reason, long last, long reading) => reason == _failure || IsRecent(last, reading);

    private bool IsRecent(long last, long reading) => timeProvider.GetElapsedTime(last, reading) < RecoveryShown;
}
