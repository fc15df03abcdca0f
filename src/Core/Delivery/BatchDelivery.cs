using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>What a worker does with a segment: offers it to the sink until nothing is left of it, and keeps the books. Worker only.</summary>
internal sealed class BatchDelivery
{
    private readonly SinkInstance _instance;
    private readonly SinkRoute _route;
    private readonly SegmentQueue _queue;
    private readonly ILogSink _sink;
    private readonly IScheduledLogSink? _scheduled;
    private readonly TimeProvider _timeProvider;
    private readonly CancellationToken _deadline;
    private readonly GapNotices _gaps;
    private readonly SinkFlush _flush;
    private readonly LogBatch _batch = new();
    private readonly ConcurrentQueue<Action<ILogSink>> _posted = new();
    private readonly FaultDelay _delay;
    private readonly FaultRests _rests;

    // From a failure on until gaps were announced, or there were none to announce.
    private bool _owesNotice;

    // Whether the last batch was refused as a whole.
    private bool _tookNone;

    // The segment that the batch holds, from the first offer until it is settled; kept when an exception comes between.
    private Segment? _offered;
    private bool _isOver;

    public BatchDelivery(SinkRoute route, WorkerSignal signal, ILogSink sink, Backoff backoff, CancellationToken deadline)
    {
        _instance = route.Instance;
        _route = route;
        _queue = route.Queue;
        _sink = sink;
        _scheduled = sink as IScheduledLogSink;
        _delay = new FaultDelay(backoff);
        _timeProvider = _instance.TimeProvider;
        _deadline = deadline;
        _rests = new FaultRests(_instance, _queue, signal, _delay);
        _gaps = new GapNotices(_instance, route);
        _flush = new SinkFlush(sink, _queue, Fault, deadline);
    }

    /// <summary>How long the worker rests after a fault outside a batch.</summary>
    public TimeSpan FaultDelay => _delay.Next;

    /// <summary>Opens the destination, if the sink can; a failure is reported, and the first batch tries again.</summary>
    public void Open()
    {
        if (!_route.IsOpened && _sink is IOpenableLogSink openable)
            Try(() => openable.OpenAsync(_deadline));
    }

    /// <summary>Offers a segment until it is written, refused, or the shutdown deadline passed.</summary>
    public void Deliver(Segment segment)
    {
        if (!ReferenceEquals(_offered, segment))
        {
            _flush.RunIfReached();
            _batch.Load(segment.Bytes, segment.Slots, segment.Count, segment.ByteCount, _instance.Categories, _instance.Metrics.Gate);
            Volatile.Write(ref segment.Batch, _batch);
            (_offered, _isOver) = (segment, false);
        }

        while (!_queue.IsFinal)
        {
            var wasClosed = _queue.IsClosed;
            if (_isOver || (TryAnnounceGaps() && TryWrite()))
            {
                _queue.Settle(segment, _batch);
                _offered = null;
                _batch.Release();
                return;
            }

            _instance.Metrics.Retried();
            _rests.Sleep(wasClosed);
        }
    }

    /// <summary>Any thread: other delays between attempts, from the next batch on.</summary>
    public void Use(Backoff backoff) => Post(_ => _delay.Use(backoff));

    /// <summary>Any thread: lets the worker do something with the sink before the next batch.</summary>
    public void Post(Action<ILogSink> action) => _posted.Enqueue(action);

    /// <summary>Any thread: lets the worker write a line of AsyncLog's own before the next batch.</summary>
    public void PostNotice(Func<Notice> notice) => Post(sink =>
    {
        if (_route.Render(notice()) is { } batch)
            Complete(sink.WriteAsync(batch, _deadline));
    });

    /// <summary>Does what was posted, writes notices that are due, and lets the sink do what it planned.</summary>
    public void RunDue()
    {
        // Never between two attempts at one batch, nor after the shutdown deadline.
        if (_offered is not null || _queue.IsFinal)
            return;
        while (_posted.TryDequeue(out var action))
            RunPosted(action);
        _flush.RunIfReached();
        if (_rests.Left <= TimeSpan.Zero && !TryRunDue())
            _rests.Begin();
    }

    /// <summary>How long nothing has to be done without a record.</summary>
    public TimeSpan TimeUntilDue()
    {
        if (!TryReadDue(out var next))
        {
            _rests.Begin();
            next = DateTimeOffset.MinValue;
        }

        if (_gaps.NextDue is { } notice && !(next <= notice))
            next = notice;
        if (next is not { } due)
            return Timeout.InfiniteTimeSpan;
        var left = due - _timeProvider.GetUtcNow();
        var rest = _rests.Left;
        if (left < rest)
            left = rest;
        return left <= NapTime.Shortest ? NapTime.Shortest : left >= TimeSpan.FromDays(1) ? TimeSpan.FromDays(1) : left;
    }

    /// <summary>Announces what is left to announce and disposes the sink, unless a successor goes on with it.</summary>
    public void Close()
    {
        try
        {
            // A start-up line may have been posted after the last step looked, and the queue closed at once.
            RunDue();
            // What the successor writes must not follow half a line.
            while (_route.HandsOverSink && _gaps.HasBegun && !_queue.IsFinal && !Try(() => _gaps.Finish(_sink, _deadline)))
                _rests.Sleep(wasClosed: true);
            if (!_route.HandsOverSink && !_queue.IsFinal && _gaps.IsPending)
                Try(() => _gaps.WriteAll(_sink, _deadline));
            _flush.End();
        }
        finally
        {
            if (!_route.HandsOverSink)
                Try(_sink.DisposeAsync);
        }
    }

    /// <summary>Counts and reports a failure.</summary>
    public void Fault(Exception exception) => Fault(exception, isBatchOver: false);

    private void Fault(Exception exception, bool isBatchOver)
    {
        _delay.Failed(exception);
        _owesNotice = true;
        if (_route.IsLeft)
            _instance.FailedBehind(exception);
        else
            _instance.Failed(exception, isBatchOver);
    }

    private bool TryWrite()
    {
        var written = _batch.AdvancedBytes;
        var records = _batch.Count;
        var began = _timeProvider.GetTimestamp();
        var failure = Call();
        // From here on nothing of it is offered again, whatever the rest of this method throws.
        _isOver = failure is null || _batch.Count == 0;
        _instance.Wrote(_timeProvider.GetElapsedTime(began), records, failure);
        if (failure is not null)
        {
            // A destination that took something is not one that is away: the delays begin again.
            if (_batch.AdvancedBytes > written)
                _delay.Reset();
            Fault(failure, isBatchOver: _isOver);
            if (!_isOver)
                return false;
        }

        // A destination that took none of it does not work again because nothing is left to offer.
        var tookSome = records == 0 || _batch.Count > 0 || _batch.AdvancedBytes > written;
        if (tookSome && (_tookNone || _delay.Failures > 0))
            _gaps.Resume();
        _tookNone = !tookSome;
        if (tookSome)
            Worked();
        return true;
    }

    // In the try nothing but the sink: what measures and counts its call is foreign to it.
    private Exception? Call()
    {
        try
        {
            Complete(_sink.WriteAsync(_batch, _deadline));
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    // A failure may be that of the route before.
    private void Worked()
    {
        if ((_delay.Failures > 0 || _instance.Health.IsFailing) && !_route.IsLeft)
            _instance.Recovered();
        _delay.Reset();
    }

    private bool TryRunDue()
    {
        if (_gaps.IsPending && !TryAnnounceGaps())
            return false;
        if (!TryReadDue(out var next))
            return false;
        return next is not { } due || due > _timeProvider.GetUtcNow() || TryRunScheduled(_scheduled!);
    }

    // A getter that throws is counted; it says nothing of deliveries, so it neither makes nor ends an outage, and is asked again after a rest.
    private bool TryReadDue(out DateTimeOffset? due)
    {
        due = null;
        try
        {
            due = _scheduled?.NextDue;
            return true;
        }
        catch (Exception exception)
        {
            _instance.ScheduleFailed(exception);
            return false;
        }
    }

    // Between batches a sink that did its work is one that works again: a file that could be opened without a record.
    private bool TryRunScheduled(IScheduledLogSink sink)
    {
        if (!Try(() => sink.RunDueAsync(_deadline)))
            return false;
        Worked();
        return true;
    }

    // Apart, so that looking whether something is due allocates nothing.
    private void RunPosted(Action<ILogSink> action) => Try(() =>
    {
        action(_sink);
        return default;
    });

    // After an outage the notice comes first, but never between the halves of a record that was written in part.
    private bool TryAnnounceGaps()
    {
        if (!_batch.IsAtRecordStart)
            return true;
        if (_gaps.IsPending && !Try(() => _gaps.WriteDue(_sink, afterOutage: _owesNotice, _deadline)))
            return false;
        _owesNotice &= _delay.Failures > 0;
        return true;
    }

    private bool Try(Func<ValueTask> action)
    {
        try
        {
            Complete(action());
            return true;
        }
        catch (Exception exception)
        {
            Fault(exception);
            return false;
        }
    }

    // Only the worker's own thread may block on its sink's task.
    private static void Complete(ValueTask task)
    {
        if (task.IsCompleted)
            task.GetAwaiter().GetResult();
        else
            task.AsTask().GetAwaiter().GetResult();
    }
}
