namespace AsyncLog;

/// <summary>Schedules and writes the notices of an instance to its own output: those that were posted, and those of its drops. A replaced route leaves them
/// to its successor. Worker only.</summary>
internal sealed class DropNotices(InstanceState instance, RecordRoute route, ILogSink sink, NoticeRenderer render)
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(10);

    // One object for all attempts: sinks identify the start time and the parts of a request by its batch.
    private readonly LogBatch _batch = new();

    // Written in part: nothing else may be written before the rest of it.
    private GapNotice? _begun;
    private PostedNotice? _begunPosted;

    // Posted ones that wait for the sink, oldest first, and those that wait until it accepts records again, because it refused them.
    private readonly Queue<PostedNotice> _posted = [];
    private readonly Queue<PostedNotice> _refusedPosted = [];

    // After the sink refused a notice of a drop: it is offered again later, with what is lost until then.
    private (long Since, TimeSpan Time) _rest;
    private int _refusals;

    /// <summary>The sink to which they are written; a reload may replace it.</summary>
    public ILogSink Sink { get; set; } = sink;

    /// <summary>True if there is something to announce. The worker of a replaced pipeline leaves it to the successor, except for a notice begun.</summary>
    public bool IsPending => HasBegun || HasPosted || HasDrops;

    /// <summary>True if there are drops to announce.</summary>
    public bool HasDrops => _begun is not null || (instance.Metrics.Drops.HasUnannounced && route.Successor is null && instance.Options.GapNotices);

    /// <summary>True if a notice is written in part.</summary>
    public bool HasBegun => _begun is not null || _begunPosted is not null;

    /// <summary>True if the sink accepted one in the last <see cref="WriteDue"/>.</summary>
    public bool HasAccepted { get; private set; }

    private bool HasPosted => route.Successor is null && (_posted.Count > 0 || instance.Notices.HasAny);

    /// <summary>Time at which the next notice is due; null when none is pending.</summary>
    public DateTimeOffset? NextDue
    {
        get
        {
            if (HasBegun || HasPosted)
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

    /// <summary>Makes refused notices due now: the sink accepts records again.</summary>
    public void Resume()
    {
        (_rest, _refusals) = (default, 0);
        while (_refusedPosted.TryDequeue(out var posted))
            _posted.Enqueue(posted with { IsLastAttempt = true });
    }

    /// <summary>Announces a notice again that was written in part: another sink gets it whole.</summary>
    public void ReturnBegun()
    {
        ReturnWhole();
        Resume();
    }

    /// <summary>Gives the posted notices that were not delivered to the worker that follows.</summary>
    public void HandOver()
    {
        ReturnBegun();
        while (_posted.TryDequeue(out var posted))
            instance.Notices.Add(posted);
    }

    /// <summary>Lets records pass the notice for which the code of the sink fails.</summary>
    public void GiveUp()
    {
        if (!HasBegun && !_posted.TryDequeue(out _))
            Rest();
    }

    /// <summary>Writes the notices that are due; after an outage all of drops, regardless of age.</summary>
    /// <param name="withPosted">False if posted ones come later, because the records of a process that was killed are older.</param>
    public async ValueTask WriteDue(bool afterOutage, bool withPosted, CancellationToken cancellationToken)
    {
        HasAccepted = false;
        await Finish(cancellationToken).ConfigureAwait(false);
        while (withPosted && HasPosted)
            await WritePosted(cancellationToken).ConfigureAwait(false);
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
        return WriteDue(afterOutage: true, withPosted: true, cancellationToken);
    }

    /// <summary>Writes the rest of a notice that is written in part.</summary>
    public async ValueTask Finish(CancellationToken cancellationToken)
    {
        if (!HasBegun)
            return;
        try
        {
            await Sink.WriteAsync(_batch, cancellationToken).ConfigureAwait(false);
            End(isRefused: _batch.Refused.Total > 0);
        }
        catch (Exception)
        {
            // Nothing of it is written: the next attempt at a notice of drops includes later ones.
            if (_batch.IsAtRecordStart && _batch.Count > 0)
                ReturnWhole();
            else if (_batch.IsAtRecordStart)
                End(isRefused: _batch.Refused.Total > 0);
            throw;
        }
    }

    // Records do not wait behind a notice that the sink does not accept.
    private void End(bool isRefused)
    {
        HasAccepted |= !isRefused;
        if (_begunPosted is { } posted)
        {
            _posted.Dequeue();
            if (isRefused && !posted.IsLastAttempt && _refusedPosted.Count < PostedNotices.Max)
                _refusedPosted.Enqueue(posted);
        }
        else if (isRefused)
        {
            instance.Metrics.Drops.ReturnGap(_begun!);
            Rest();
        }
        else
        {
            _refusals = 0;
        }

        (_begun, _begunPosted) = (null, null);
    }

    // A posted one is still the first that waits.
    private void ReturnWhole()
    {
        if (_begun is { } notice)
            instance.Metrics.Drops.ReturnGap(notice);
        (_begun, _begunPosted) = (null, null);
    }

    private void Rest()
    {
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

    private async ValueTask WritePosted(CancellationToken cancellationToken)
    {
        if (_posted.Count == 0 && instance.Notices.TryTake(out var added))
            _posted.Enqueue(added);
        if (!_posted.TryPeek(out var posted))
            return;
        if (!TryRender(posted.Make(), posted.At))
        {
            _posted.Dequeue();
            return;
        }

        _begunPosted = posted;
        await Finish(cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask Write(DropReason reason, CancellationToken cancellationToken)
    {
        var notice = instance.Metrics.Drops.TakeGap(reason);
        if (notice is null)
            return;
        var zone = instance.Options.UseUtcTimestamp ? TimeZoneInfo.Utc : instance.TimeProvider.LocalTimeZone;
        if (!TryRender(notice.ToNotice(zone), instance.TimeProvider.GetUtcNow()))
        {
            instance.Metrics.Drops.ReturnGap(notice);
            Rest();
            return;
        }

        _begun = notice;
        await Finish(cancellationToken).ConfigureAwait(false);
    }

    // A batch of one record, which needs no place in the queue and is not counted.
    private bool TryRender(Notice notice, DateTimeOffset at)
    {
        var record = render(route, notice, at.UtcTicks);
        if (record.Length == 0)
            return false;
        _batch.Load(LogBatch.Create(new BatchRecord(record, notice.Level, at, Notice.Category)));
        _batch.IsNotice = true;
        return true;
    }
}

/// <summary>Renders a notice in a route's layout; returns no bytes if it cannot be rendered.</summary>
internal delegate byte[] NoticeRenderer(RecordRoute route, Notice notice, long utcTicks);
