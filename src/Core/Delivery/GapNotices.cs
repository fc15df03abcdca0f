namespace AsyncLog;

/// <summary>Decides when the drops of an instance are announced in its own output, and writes the notices. Worker only.</summary>
internal sealed class GapNotices(SinkInstance instance, SinkRoute route)
{
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(10);
    private readonly LogBatch _batch = new();

    // The notice of which the sink wrote a part; its rest comes before anything else.
    private GapNotice? _begun;

    /// <summary>Whether a drop is not announced yet. The worker of a replaced route leaves it to its successor.</summary>
    public bool IsPending => instance.Metrics.Drops != instance.Announced.Drops && !route.IsReplaced && instance.Options.GapNotices;

    /// <summary>When the next notice is due; null when none is pending.</summary>
    public DateTimeOffset? NextDue
    {
        get
        {
            if (!IsPending)
                return null;
            DateTimeOffset? next = null;
            for (var reason = DropReason.QueueFull; reason < DropReason.ShutdownTimeout; reason++)
            {
                if (DueOf(reason) is { } due && !(next <= due))
                    next = due;
            }

            return next;
        }
    }

    /// <summary>Writes the notices that are due; after an outage those of all gaps, whatever their age.</summary>
    public async ValueTask WriteDue(ILogSink sink, bool afterOutage, CancellationToken cancellationToken)
    {
        await FinishBegun(sink, cancellationToken).ConfigureAwait(false);
        var now = instance.TimeProvider.GetUtcNow();
        for (var reason = DropReason.QueueFull; reason < DropReason.ShutdownTimeout; reason++)
        {
            if (DueOf(reason) is { } due && (afterOutage || due <= now))
                await Write(sink, reason, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Writes all notices; the last thing at shutdown.</summary>
    public ValueTask WriteAll(ILogSink sink, CancellationToken cancellationToken) => WriteDue(sink, afterOutage: true, cancellationToken);

    private DateTimeOffset? DueOf(DropReason reason)
    {
        var first = instance.Metrics.FirstDropTicks(reason);
        if (first == 0)
            return null;
        var last = instance.Metrics.LastDropTicks(reason);
        return new DateTimeOffset(Math.Min(first + Longest.Ticks, last + Quiet.Ticks), TimeSpan.Zero);
    }

    private async ValueTask Write(ILogSink sink, DropReason reason, CancellationToken cancellationToken)
    {
        var notice = instance.Announced.Collect(instance.Metrics, reason);
        if (notice is not null && NoticeRecord.TryLoad(_batch, notice, instance, route))
        {
            _begun = notice;
            await FinishBegun(sink, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            instance.Announced.Commit(instance.Metrics, reason, notice);
        }
    }

    private async ValueTask FinishBegun(ILogSink sink, CancellationToken cancellationToken)
    {
        if (_begun is not { } notice)
            return;
        try
        {
            await sink.WriteAsync(_batch, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // Nothing of it is written: the next attempt says what came since, too.
            if (_batch.IsAtRecordStart && _batch.Count > 0)
                _begun = null;
            throw;
        }

        _begun = null;
        instance.Announced.Commit(instance.Metrics, notice.Reason, notice);
    }
}
