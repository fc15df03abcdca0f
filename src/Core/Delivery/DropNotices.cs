namespace AsyncLog;

/// <summary>Schedules and writes the notices of an instance's drops to its own output. A replaced route leaves them to its successor. Worker only.</summary>
internal sealed class DropNotices(InstanceState instance, RecordRoute route, ILogSink sink, NoticeRenderer render)
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(10);

    // One object for all attempts: sinks identify the start time and the parts of a request by its batch.
    private readonly LogBatch _batch = new();

    // Written in part: nothing else may be written before the rest of it.
    private GapNotice? _begun;

    // After the sink refused a notice: it is offered again later, with what is lost until then.
    private (long Since, TimeSpan Time) _rest;
    private int _refusals;

    /// <summary>The sink to which they are written; a reload may replace it.</summary>
    public ILogSink Sink { get; set; } = sink;

    /// <summary>True if there is something to announce. The worker of a replaced pipeline leaves it to the successor, except for a notice begun.</summary>
    public bool IsPending => HasBegun || (instance.Metrics.Drops.HasUnannounced && route.Successor is null && instance.Options.GapNotices);

    /// <summary>True if a notice is written in part.</summary>
    public bool HasBegun => _begun is not null;

    /// <summary>Time at which the next notice is due; null when none is pending.</summary>
    public DateTimeOffset? NextDue
    {
        get
        {
            if (HasBegun)
                return instance.TimeProvider.GetUtcNow();
            if (!IsPending)
                return null;
            TimeSpan? next = null;
            foreach (var reason in DropReasons.All)
            {
                if (LeftOf(reason) is { } left && !(next <= left))
                    next = left;
            }

            return instance.TimeProvider.GetUtcNow() + (next < RestLeft ? RestLeft : next);
        }
    }

    // The time left before a notice is offered again after a refusal.
    private TimeSpan RestLeft => _rest.Time == TimeSpan.Zero ? TimeSpan.Zero : _rest.Time - instance.TimeProvider.GetElapsedTime(_rest.Since);

    /// <summary>Renders a notice into a batch of one record. It needs no place in the queue and is not counted.</summary>
    /// <returns>Null when it could not be rendered.</returns>
    public LogBatch? Render(Notice notice)
    {
        var now = instance.TimeProvider.GetUtcNow();
        var record = render(route, notice, now.UtcTicks);
        if (record.Length == 0)
            return null;
        var batch = LogBatch.Create(new LogRecord(record, notice.Level, now, Notice.Category));
        batch.IsNotice = true;
        return batch;
    }

    /// <summary>Makes refused notices due now: the sink accepts records again.</summary>
    public void Resume() => (_rest, _refusals) = (default, 0);

    /// <summary>Announces a notice again that was written in part: another sink gets it whole.</summary>
    public void ReturnBegun()
    {
        if (_begun is { } notice)
            instance.Metrics.Drops.ReturnGap(notice);
        _begun = null;
        Resume();
    }

    /// <summary>Writes the notices that are due; after an outage all of them, regardless of age.</summary>
    public async ValueTask WriteDue(bool afterOutage, CancellationToken cancellationToken)
    {
        await Finish(cancellationToken).ConfigureAwait(false);
        foreach (var reason in DropReasons.All)
        {
            if (IsPending && RestLeft <= TimeSpan.Zero && LeftOf(reason) is { } left && (afterOutage || left <= TimeSpan.Zero))
                await Write(reason, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Writes all notices; the last step of the shutdown.</summary>
    public ValueTask WriteAll(CancellationToken cancellationToken)
    {
        Resume();
        return WriteDue(afterOutage: true, cancellationToken);
    }

    /// <summary>Writes the rest of a notice that is written in part.</summary>
    public async ValueTask Finish(CancellationToken cancellationToken)
    {
        if (_begun is not { } notice)
            return;
        try
        {
            await Sink.WriteAsync(_batch, cancellationToken).ConfigureAwait(false);
            _begun = null;
            if (_batch.Refused.Total > 0)
                Refused(notice);
            else
                _refusals = 0;
        }
        catch (Exception)
        {
            if (_batch.IsAtRecordStart)
            {
                _begun = null;
                // Nothing of it is written: the next attempt includes later losses.
                if (_batch.Count > 0)
                    instance.Metrics.Drops.ReturnGap(notice);
                else if (_batch.Refused.Total > 0)
                    Refused(notice);
            }

            throw;
        }
    }

    // Records do not wait behind a notice that the sink does not accept.
    private void Refused(GapNotice notice)
    {
        instance.Metrics.Drops.ReturnGap(notice);
        var rest = TimeSpan.FromTicks(Math.Min(Quiet.Ticks << Math.Min(_refusals, 10), Longest.Ticks));
        _refusals++;
        _rest = (instance.TimeProvider.GetTimestamp(), rest);
    }

    // Time until the notice of a reason is due; null if there is none.
    private TimeSpan? LeftOf(DropReason reason)
    {
        var began = instance.Metrics.Drops.GapBeganTicks(reason);
        if (began == 0)
            return null;
        var grew = instance.Metrics.Drops.GapGrewTicks(reason);
        var (whole, quiet) = (Longest - instance.Ages.Of(began), Quiet - instance.Ages.Of(grew));
        return whole < quiet ? whole : quiet;
    }

    private async ValueTask Write(DropReason reason, CancellationToken cancellationToken)
    {
        var notice = instance.Metrics.Drops.TakeGap(reason);
        if (notice is null)
            return;
        if (Render(notice.ToNotice(instance.Options.UseUtcTimestamp ? TimeZoneInfo.Utc : instance.TimeProvider.LocalTimeZone)) is not { } batch)
        {
            Refused(notice);
            return;
        }

        _batch.Load(batch);
        _begun = notice;
        await Finish(cancellationToken).ConfigureAwait(false);
    }
}

/// <summary>Renders a notice in a route's layout; returns no bytes if it cannot be rendered.</summary>
internal delegate byte[] NoticeRenderer(RecordRoute route, Notice notice, long utcTicks);
