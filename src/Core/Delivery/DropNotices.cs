namespace AsyncLog;

/// <summary>Decides when the drops of an instance are announced in its own output, and writes the notices. Worker only.</summary>
internal sealed class DropNotices(SinkPipeline pipeline)
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(10);
    private readonly SinkInstance _instance = pipeline.Instance;

    // One object for all attempts: sinks measure the time and the parts of a request by its batch.
    private readonly LogBatch _batch = new();

    // Written in part: nothing else may be written before the rest of it.
    private GapNotice? _begun;

    // After the sink refused a notice: it is offered again later, with what is lost until then.
    private DateTimeOffset _notBefore = DateTimeOffset.MinValue;
    private int _refusals;

    /// <summary>Whether there is something to announce. The worker of a replaced pipeline leaves it to its successor, except for what it began.</summary>
    public bool IsPending => HasBegun || (_instance.Metrics.Drops.HasUnannounced && pipeline.Successor is null && _instance.Options.GapNotices);

    /// <summary>Whether a notice is written in part.</summary>
    public bool HasBegun => _begun is not null;

    /// <summary>When the next notice is due; null when none is pending.</summary>
    public DateTimeOffset? NextDue
    {
        get
        {
            if (HasBegun)
                return _instance.TimeProvider.GetUtcNow();
            if (!IsPending)
                return null;
            DateTimeOffset? next = null;
            foreach (var reason in DropReasons.All)
            {
                if (DueOf(reason) is { } due && !(next <= due))
                    next = due;
            }

            return next < _notBefore ? _notBefore : next;
        }
    }

    /// <summary>The sink takes records again: notices that it refused are due now.</summary>
    public void Resume() => (_notBefore, _refusals) = (DateTimeOffset.MinValue, 0);

    /// <summary>Writes the notices that are due; after an outage all of them, whatever their age.</summary>
    public async ValueTask WriteDue(bool afterOutage, CancellationToken cancellationToken)
    {
        await Finish(cancellationToken).ConfigureAwait(false);
        var now = _instance.TimeProvider.GetUtcNow();
        if (now < _notBefore)
            return;
        foreach (var reason in DropReasons.All)
        {
            if (IsPending && now >= _notBefore && DueOf(reason) is { } due && (afterOutage || due <= now))
                await Write(reason, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Writes all notices; the last thing at shutdown.</summary>
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
            await pipeline.Sink.WriteAsync(_batch, cancellationToken).ConfigureAwait(false);
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
                // Nothing of it is written: the next attempt announces what came since as well.
                if (_batch.Count > 0)
                    _instance.Metrics.Drops.ReturnGap(notice);
                else if (_batch.Refused.Total > 0)
                    Refused(notice);
            }

            throw;
        }
    }

    // Records do not wait behind a notice that the sink does not take.
    private void Refused(GapNotice notice)
    {
        _instance.Metrics.Drops.ReturnGap(notice);
        var rest = TimeSpan.FromTicks(Math.Min(Quiet.Ticks << Math.Min(_refusals, 10), Longest.Ticks));
        _refusals++;
        _notBefore = _instance.TimeProvider.GetUtcNow() + rest;
    }

    private DateTimeOffset? DueOf(DropReason reason)
    {
        var began = _instance.Metrics.Drops.GapBeganTicks(reason);
        if (began == 0)
            return null;
        var grew = _instance.Metrics.Drops.GapGrewTicks(reason);
        return new DateTimeOffset(Math.Min(began + Longest.Ticks, grew + Quiet.Ticks), TimeSpan.Zero);
    }

    private async ValueTask Write(DropReason reason, CancellationToken cancellationToken)
    {
        var notice = _instance.Metrics.Drops.TakeGap(reason);
        if (notice is null)
            return;
        if (pipeline.Render(notice.ToNotice(_instance.Options.UseUtcTimestamp ? TimeZoneInfo.Utc : _instance.TimeProvider.LocalTimeZone)) is not { } batch)
        {
            Refused(notice);
            return;
        }

        _batch.Load(batch);
        _begun = notice;
        await Finish(cancellationToken).ConfigureAwait(false);
    }
}
