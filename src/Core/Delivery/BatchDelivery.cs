using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Tracing;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Offers a segment to the sink until nothing is left of it: retries, notices, flushes, and what is due between batches. Worker only.</summary>
[SuppressMessage("Design", "CA1001", Justification = "A sink that hangs may use the token at any later time; it holds no handle.")]
internal sealed class BatchDelivery
{
    // Attempts at one record that throws.
    private const int MaxFaults = 10;

    // In place of the records left of a batch.
    private const int OfNotice = -1;

    private readonly SinkPipeline _pipeline;
    private readonly InstanceState _instance;
    private readonly SegmentQueue _queue;
    private readonly Spool? _spool;
    private readonly CrashRegions? _crashRegions;
    private readonly InstalledSink _installed;
    private readonly TimeProvider _timeProvider;
    private readonly DropNotices _notices;
    private readonly RetryWait _retry;
    private readonly LogBatch _batch = new();

    // For the next batch boundary; the worker that takes over runs what the one before has not.
    private readonly ConcurrentQueue<Action<BatchDelivery>> _posted;
    private CancellationTokenSource _cancellation = new();
    private bool _isCancelled;
    private bool _isDetached;

    // See CalledAt.
    private long _calledAt;

    // Its own reference: a worker that hangs in a sink which is replaced meanwhile calls no other one.
    private ILogSink _sink;

    // Set from a failure until drops were announced, or there were none to announce.
    private bool _owesNotice;

    // Set by any thread, for good: losses are announced at once, and it completes when none is left.
    private TaskCompletionSource? _announced;

    // True if the last batch was refused as a whole.
    private bool _tookNone;

    // The segment that the batch holds, from the first offer until it is settled; kept when an exception comes between.
    private Segment? _offered;

    // Where the segment came from: it is settled there, also after an exception.
    private Source _source;

    // True if nothing of it is offered any more.
    private bool _isOver;

    // The exception that the sink threw for the first record left, or for a notice, and how often in a row.
    private (Type? Type, int Records, int Times) _fault;

    // True if another thread puts the next sink in force: later changes are for that one.
    private bool _isTakenOver;

    // True if the last failure was of a destination that cannot come back while the process lives.
    private bool _isGone;

    // For the checks in debug builds.
    private Thread? _worker;

    /// <param name="before">Of the worker from which this one takes over; null: none.</param>
    public BatchDelivery(SinkPipeline pipeline, BatchDelivery? before)
    {
        _posted = before?._posted ?? new();
        _announced = before?._announced;
        _pipeline = pipeline;
        _instance = pipeline.Instance.State;
        _queue = pipeline.Queue;
        _spool = pipeline.Instance.Spool;
        _crashRegions = pipeline.Instance.CrashRegions;
        _installed = pipeline.Installed;
        _sink = _installed.Sink;
        _timeProvider = _instance.TimeProvider;
        _notices = new DropNotices(_instance, pipeline.Route, _sink, pipeline.Instance.RenderNotice);
        _retry = new RetryWait(pipeline, this);
    }

    /// <summary>Delay of the worker after a fault outside a batch.</summary>
    public TimeSpan FaultDelay => _retry.Next;

    /// <summary>True if another worker has the queue and the sink: this one only disposes the sink in which it hung.</summary>
    public bool IsDetached => Volatile.Read(ref _isDetached);

    /// <summary>Any thread: when the call of the sink began that has not returned, as a time stamp; 0: there is none.</summary>
    public long CalledAt => Volatile.Read(ref _calledAt);

    // Ends the calls of the sink at the shutdown deadline, and those of a sink that is replaced while it hangs.
    private CancellationToken Deadline => _cancellation.Token;

    private bool IsFinal => _queue.IsFinal || IsDetached;

    // True if the destination is not the instance's any more: failures are counted, but do not set its state.
    private bool HasOtherDestination => _pipeline.IsDetached || IsDetached;

    /// <summary>Opens the destination, if the sink can; a failure is reported, and the first batch tries again.</summary>
    public void Open()
    {
        AssertWorker();
        // The worker before may have replaced it.
        _notices.Sink = _sink = _installed.Sink;
        if (!_pipeline.IsOpened && _sink is IOpenableLogSink openable)
            Try(() => openable.OpenAsync(Deadline));
    }

    /// <summary>Any thread: announces losses at once from now on.</summary>
    /// <returns>Completes when none is left to announce.</returns>
    public Task AnnounceDrops()
    {
        var announced = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        return (Interlocked.CompareExchange(ref _announced, announced, null) ?? announced).Task;
    }

    /// <summary>Offers the oldest records of a process that was killed, which are older than all others.</summary>
    /// <returns>False when there are none, or not for this destination.</returns>
    public bool TryDeliverRecovered()
    {
        if (_crashRegions is null || HasOtherDestination || _queue.IsFinal || _crashRegions.Take(_queue) is not { } segment)
            return false;
        Deliver(segment, Source.CrashRegions);
        AnnounceRecovered(_crashRegions);
        return true;
    }

    /// <summary>Offers the oldest records on the disk, which are older than all in the queue.</summary>
    /// <returns>False when there are none, or not for this destination.</returns>
    public bool TryDeliverSpooled()
    {
        if (_spool is not { HasFiles: true } || HasOtherDestination || _queue.IsFinal || _spool.Take(_queue) is not { } segment)
            return false;
        Deliver(segment, Source.Spool);
        return true;
    }

    /// <summary>Offers a segment of the queue until it is written, refused, or the shutdown deadline passed.</summary>
    public void Deliver(Segment segment) => Deliver(segment, Source.Queue);

    private void Deliver(Segment segment, Source source)
    {
        AssertWorker();
        if (!ReferenceEquals(_offered, segment))
        {
            Debug.Assert(_offered is null, "A segment is settled before the next one is offered.");
            FlushIfReached();
            _batch.Load(segment.Memory, segment.Count, segment.ByteCount, _instance.Categories, _instance.Metrics.Gate, segment.Origin);
            if (segment.Interrupted is var (done, write))
                _batch.Resume(done, write);
            if (_instance.Options.SpoolRejected && source == Source.Spool)
                _batch.Rejected = new RejectedRecords();
            Volatile.Write(ref segment.Batch, _batch);
            (_offered, _source, _isOver) = (segment, source, false);
        }

        while (!IsFinal)
        {
            ApplyChanges();
            // The delay that a server requested holds whatever it refused: a notice, too.
            if (!_isOver && _retry.TrySleepHeld())
                continue;
            var wasClosed = _queue.IsClosed;
            if (_isOver || (TryWriteNotices() && TryWrite()))
            {
                Settle(segment);
                if (!HasOtherDestination)
                    _instance.Health.Settled(isRefused: segment.Count > 0 && _batch.Refused.Total >= segment.Count);
                Release();
                return;
            }

            if (IsDetached)
                return;
            // A destination that takes nothing at the shutdown need not be waited for. A successor with the same sink does: it must not write after half a record.
            if (wasClosed && !_pipeline.IsDetached && !_pipeline.SuccessorKeepsSink && _spool?.Save(_queue) == true)
            {
                _queue.Finish();
                Release();
                return;
            }

            if (wasClosed && _isGone && !_pipeline.SuccessorKeepsSink)
            {
                _instance.ReportLost(_queue.Finish(), "because the destination cannot come back");
                Release();
                return;
            }

            _instance.Metrics.Retried();
            if (!TryRefusePoison())
                _retry.Sleep(wasClosed);
        }
    }

    // A fault in the sink's code that one record causes would stop the instance for ever.
    private bool TryRefusePoison()
    {
        if (_fault.Times < MaxFaults || _fault.Records != _batch.Count || _batch.Count == 0)
            return false;
        _instance.SelfReport.Report(
            LogLevel.Error, _instance.Name, "poison",
            $"the sink threw {_fault.Type!.Name} {MaxFaults} times for the same record. The record is dropped (encode_failed), so that the next ones are delivered.");
        _batch.Refuse(0, DropReason.EncodeFailed);
        _fault = default;
        _isOver = _batch.Count == 0;
        return true;
    }

    // Where it came from; nothing is counted when the deadline passed before.
    private void Settle(Segment segment)
    {
        switch (_source)
        {
            case Source.Spool: _spool!.Settle(segment, _batch, _queue); break;
            case Source.CrashRegions: _crashRegions!.Settle(segment, _batch, _queue); break;
            default: _queue.Settle(segment, _batch); break;
        }
    }

    private void Release()
    {
        _offered = null;
        _batch.Release();
    }

    /// <summary>Any thread: lets the worker run an action before the next batch.</summary>
    public void Post(Action<BatchDelivery> action) => _posted.Enqueue(action);

    /// <summary>Any thread: lets the worker call the sink before the next batch.</summary>
    public void PostToSink(Action<ILogSink> action) => Post(delivery => action(delivery._sink));

    /// <summary>Any thread: cancels the calls of the sink, also later ones. Runs foreign callbacks.</summary>
    public void Cancel()
    {
        Volatile.Write(ref _isCancelled, true);
        Volatile.Read(ref _cancellation).Cancel();
    }

    /// <summary>Any thread: cancels the call of the sink that another one is to replace. Runs foreign callbacks.</summary>
    public void Cancel(SinkReplacement replacement)
    {
        var cancellation = Volatile.Read(ref _cancellation);
        // The claim comes before the new token.
        if (!replacement.IsClaimed)
            cancellation.Cancel();
    }

    /// <summary>Takes queue and sink away from the worker, which hangs in a call of the sink. Under the instance's lock.</summary>
    public void Detach() => Volatile.Write(ref _isDetached, true);

    // Between batches, and between two attempts at one: a repair has to reach a sink that fails. The next attempt follows at once.
    private void ApplyChanges()
    {
        while (_installed.HasChanges && !_isTakenOver && !IsFinal && TryTakeChange(out var change))
        {
            if (change.Replacement is { } replacement)
                Replace(replacement);
            if (change.Backoff is { } backoff)
                _installed.Backoff = backoff;
            if (change.Apply is { } apply)
                Run(() => apply(_sink));
            _retry.AttemptNow();
        }
    }

    // The changes of a sink that is taken away from this worker are the next worker's.
    private bool TryTakeChange(out InstalledSink.Change change)
    {
        change = default;
        lock (_instance.Metrics.Gate)
            return !IsDetached && _installed.TryTake(out change);
    }

    // The flush is the last call of the old sink: one that hangs in it is taken away from this worker before the claim.
    private void Replace(SinkReplacement replacement)
    {
        var before = _sink;
        var isFlushed = TryFlush(before);
        if (!replacement.TryClaim())
        {
            // This worker is being detached.
            _isTakenOver = true;
            replacement.Wait(SinkPipeline.AfterDeadline);
            return;
        }

        lock (_instance.Metrics.Gate)
        {
            // The next flush says so, unless one waited for this.
            if (!isFlushed)
                _queue.Flushes.ReportSinkLoss();
            _queue.Flushes.Use(replacement.Sink is IFlushableLogSink);
            _queue.Flushes.UseGone(false);
            _installed.Use(replacement);
            if (HasOtherDestination)
                replacement.Context.ClearConditions();
        }

        _isGone = false;

        // The new destination gets the whole record.
        if (_offered is not null)
            _batch.RestartRecord();
        _notices.ReturnBegun();
        _notices.Sink = _sink = replacement.Sink;
        var cancellation = new CancellationTokenSource();
        Volatile.Write(ref _cancellation, cancellation);
        if (Volatile.Read(ref _isCancelled))
            cancellation.Cancel();
        _fault = default;
        if (!HasOtherDestination)
            _instance.Recovered("another destination is in use.");
        replacement.End();
        _pipeline.DisposeBehind(before);
    }

    /// <summary>Runs what was posted, writes notices that are due, flushes, and lets the sink do what it scheduled.</summary>
    public void RunDue()
    {
        AssertWorker();
        // Never between two attempts at one batch, nor after the shutdown deadline.
        if (_offered is not null || IsFinal)
            return;
        ApplyChanges();
        while (!IsDetached && _posted.TryDequeue(out var action))
            RunPosted(action);
        FlushIfReached();
        if (IsFinal)
            return;
        if (_retry.PauseLeft <= TimeSpan.Zero && !TryRunDue())
            _retry.BeginPause();
        if (Volatile.Read(ref _announced) is { } announced && !_notices.HasDrops)
            announced.TrySetResult();
    }

    /// <summary>Time until something is due without a record; zero or less if it is due now; null: nothing is scheduled.</summary>
    public TimeSpan? TimeUntilDue()
    {
        AssertWorker();
        if (!TryReadDue(out var next))
        {
            _retry.BeginPause();
            next = DateTimeOffset.MinValue;
        }

        var now = _timeProvider.GetUtcNow();
        if (_notices.NextDue is { } notice)
        {
            var held = now + _retry.HeldLeft;
            if (notice < held)
                notice = held;
            if (!(next <= notice))
                next = notice;
        }

        if (next is not { } due)
            return null;
        var left = due - now;
        var pause = _retry.PauseLeft;
        return left < pause ? pause : left;
    }

    /// <summary>Announces what is left to announce and disposes the sink, unless a successor keeps it.</summary>
    public void Close()
    {
        AssertWorker();
        try
        {
            // A start-up line may have been posted after the last step, and the queue closed at once.
            if (!IsDetached)
                RunDue();
            // The successor must not write after half a line.
            while (_pipeline.SuccessorKeepsSink && _notices.HasBegun && !IsFinal && !Try(() => _notices.Finish(Deadline)))
            {
                _retry.Sleep(wasClosed: true);
                ApplyChanges();
            }

            if (!_pipeline.SuccessorKeepsSink && !IsFinal && _notices.HasDrops)
                Try(() => _notices.WriteAll(Deadline));
            // A loss that no flush has reported here is reported by the next flush of the successor.
            if (_sink is IFlushableLogSink && !IsFinal)
                EndFlushes(TryFlush(_sink));
        }
        finally
        {
            if (IsDetached || _pipeline.Route.Successor is not null)
            {
                _notices.HandOver();
                _pipeline.Route.Successor?.Queue.Wake();
            }

            if (!_pipeline.SuccessorKeepsSink || IsDetached)
                Try(_sink.DisposeAsync);
        }
    }

    /// <summary>Counts and reports a failure.</summary>
    public void Fault(Exception exception) => Fault(exception, isBatchOver: false);

    private void Fault(Exception exception, bool isBatchOver)
    {
        _retry.Failed(exception);
        _owesNotice = true;
        UseGone(exception is LogSinkException { IsGone: true });
        if (HasOtherDestination)
            _instance.CountFailure(exception);
        else
            _instance.Failed(exception, isBatchOver);
    }

    private bool TryWrite()
    {
        var began = _timeProvider.GetTimestamp();
        BeginCall(began);
        try
        {
            return TryWrite(began);
        }
        finally
        {
            // After a failure is counted: the call did not end with an answer.
            EndCall();
        }
    }

    private bool TryWrite(long began)
    {
        var written = _batch.AdvancedBytes;
        var records = _batch.Count;
        var failure = Call();
        // From here on nothing of it is offered again, even if the rest of this method throws.
        _isOver = failure is null || _batch.Count == 0;
        _instance.Wrote(_timeProvider.GetElapsedTime(began), records, failure);
        if (failure is not null)
        {
            // A destination that accepted a part is reachable: the delays begin again.
            if (_batch.AdvancedBytes > written)
                _retry.Reset();
            Fault(failure, isBatchOver: _isOver);
            _retry.Hold();
            if (!_isOver)
            {
                CountFault(failure, _batch.Count);
                return false;
            }
        }

        // A destination that accepted none of it has not recovered when nothing is left to offer.
        var tookSome = records == 0 || _batch.Count > 0 || _batch.AdvancedBytes > written;
        if (tookSome && (_tookNone || _retry.Failures > 0))
            _notices.Resume();
        _tookNone = !tookSome;
        if (tookSome)
            Succeeded();
        return true;
    }

    // Faults of code, not outages: a sink that throws other exceptions of its own until its destination is back loses nothing.
    private void CountFault(Exception failure, int records)
    {
        if (failure is not (ArgumentException or IndexOutOfRangeException or InvalidCastException or FormatException or OverflowException or NullReferenceException))
            _fault = default;
        else if (_fault.Type == failure.GetType() && _fault.Records == records)
            _fault.Times++;
        else
            _fault = (failure.GetType(), records, 1);
    }

    // The try holds the sink's call only: measuring and counting it are outside.
    private Exception? Call()
    {
        try
        {
            Complete(_sink.WriteAsync(_batch, Deadline));
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    // A clock of a simulation begins at 0.
    private void BeginCall(long at) => Volatile.Write(ref _calledAt, Math.Max(at, 1));

    private void EndCall() => Volatile.Write(ref _calledAt, 0);

    // A failure may be of the previous pipeline.
    private void Succeeded()
    {
        if ((_retry.Failures > 0 || _instance.Health.IsFailing) && !HasOtherDestination)
            _instance.Recovered();
        _retry.Reset();
        _fault = default;
        UseGone(false);
    }

    private void UseGone(bool isGone)
    {
        if (_isGone == isGone)
            return;
        _isGone = isGone;
        lock (_instance.Metrics.Gate)
        {
            if (!IsDetached)
                _queue.Flushes.UseGone(isGone);
        }
    }

    private void FlushIfReached()
    {
        if (!_queue.Flushes.IsReached)
            return;
        var isFlushed = TryFlush(_sink);
        lock (_instance.Metrics.Gate)
        {
            // The flushes of a queue that another worker has are that one's.
            if (!IsDetached)
                _queue.Flushes.SinkFlushed(isFlushed);
        }
    }

    private void EndFlushes(bool isFlushed)
    {
        lock (_instance.Metrics.Gate)
        {
            if (!IsDetached && !_queue.Flushes.SinkEnded(isFlushed) && _pipeline.SuccessorKeepsSink)
                _pipeline.Route.Successor?.Queue.Flushes.ReportSinkLoss();
        }
    }

    /// <summary>Takes the next segment, as <see cref="SegmentQueue.Take"/> does; null also when another worker has the queue.</summary>
    public Segment? Take(bool sealCurrent)
    {
        lock (_instance.Metrics.Gate)
            return IsDetached ? null : _queue.Take(sealCurrent);
    }

    // A method of its own: its closure would be allocated at every step of the worker.
    private void AnnounceRecovered(CrashRegions regions)
    {
        if (regions.TakeNotice() is { } notice && _instance.Options.GapNotices)
            _pipeline.PostNotice(() => notice);
    }

    private bool TryFlush(ILogSink sink)
    {
        var isFlushed = true;
        return sink is not IFlushableLogSink flushable
            || (Try(async () => isFlushed = await flushable.FlushAsync(Deadline).ConfigureAwait(false)) && isFlushed);
    }

    private bool TryRunDue()
    {
        if (_notices.IsPending && _retry.HeldLeft <= TimeSpan.Zero)
        {
            if (!TryWriteNotices())
                return false;
            // A destination that takes a notice between batches has recovered.
            if (_notices.HasAccepted)
                Succeeded();
        }

        if (!TryReadDue(out var next))
            return false;
        return next is not { } due || due > _timeProvider.GetUtcNow() || TryRunScheduled((IScheduledLogSink)_sink);
    }

    // A getter that throws is counted. Its failure is no evidence about deliveries, so it neither makes nor ends an outage, and is read again after a pause.
    private bool TryReadDue(out DateTimeOffset? due)
    {
        due = null;
        try
        {
            due = (_sink as IScheduledLogSink)?.NextDue;
            return true;
        }
        catch (Exception exception)
        {
            _instance.ScheduleFailed(exception);
            return false;
        }
    }

    // A sink that succeeds between batches has recovered: a file that could be opened without a record.
    private bool TryRunScheduled(IScheduledLogSink sink)
    {
        if (!Try(() => sink.RunDueAsync(Deadline)))
            return false;
        Succeeded();
        return true;
    }

    // Methods of their own, so that checking whether something is due allocates nothing.
    private void RunPosted(Action<BatchDelivery> action) => Run(() => action(this));

    private void Run(Action action) => Try(() =>
    {
        action();
        return default;
    });

    // After an outage the notice comes first, but never between the halves of a record that was written in part.
    private bool TryWriteNotices()
    {
        if (!_batch.IsAtRecordStart)
            return true;
        if (_notices.IsPending && !TryWriteDue())
            return TryPassNotice();
        _owesNotice &= _retry.Failures > 0;
        return true;
    }

    // A method of its own: its closure would be allocated for each batch.
    private bool TryWriteDue()
    {
        var withPosted = _offered is null || _source != Source.CrashRegions;
        var isHurried = _owesNotice || Volatile.Read(ref _announced) is not null;
        return Try(() => _notices.WriteDue(isHurried, withPosted, Deadline), isNotice: true);
    }

    // True if the code of the sink failed often for it.
    private bool TryPassNotice()
    {
        if (_fault.Times < MaxFaults)
            return false;
        _notices.GiveUp();
        _fault = default;
        return true;
    }

    private bool Try(Func<ValueTask> action, bool isNotice = false)
    {
        try
        {
            BeginCall(_timeProvider.GetTimestamp());
            Complete(action());
            return true;
        }
        catch (Exception exception)
        {
            Fault(exception);
            if (isNotice)
            {
                _retry.Hold();
                CountFault(exception, OfNotice);
            }

            return false;
        }
        finally
        {
            EndCall();
        }
    }

    [Conditional("DEBUG")]
    private void AssertWorker()
    {
        _worker ??= Thread.CurrentThread;
        Debug.Assert(_worker == Thread.CurrentThread, "Only the worker delivers.");
    }

    private enum Source
    {
        Queue,
        Spool,
        CrashRegions,
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

/// <summary>Delays of a worker after failures: with a batch in hand it sleeps; between batches it pauses only work due without a record. Worker only.</summary>
internal sealed class RetryWait(SinkPipeline pipeline, BatchDelivery delivery)
{
    // While memory is short a long delay costs records: it becomes one of this range. A range, because the queues of many processes fill at the same time.
    private static readonly TimeSpan MinAboveSpoolThreshold = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxAboveSpoolThreshold = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan CheckInterval = TimeSpan.FromSeconds(1);

    private readonly SegmentQueue _queue = pipeline.Queue;
    private readonly TimeProvider _timeProvider = pipeline.Instance.State.TimeProvider;
    private readonly InstalledSink _installed = pipeline.Installed;
    private readonly Random _random = pipeline.Instance.State.Random;

    // The delay that the last failure requested; null: the back-off decides.
    private TimeSpan? _requested;

    // True if the server requested it: it holds near a full queue too.
    private bool _isExact;
    private TimeSpan _pause;
    private long _pausedAt;

    private TimeSpan _held;
    private long _heldAt;

    // Failures that lengthen the delay.
    private int _steps;

    /// <summary>Failures since something succeeded.</summary>
    public int Failures { get; private set; }

    /// <summary>The delay before the next attempt.</summary>
    public TimeSpan Next => _requested ?? _installed.Backoff.DelayOf(Math.Max(0, _steps - 1), _random.NextDouble());

    /// <summary>Time left of the pause of work that is due without a record.</summary>
    public TimeSpan PauseLeft => _pause == TimeSpan.Zero ? TimeSpan.Zero : _pause - _timeProvider.GetElapsedTime(_pausedAt);

    /// <summary>Time left of the delay that a server requested when it refused records or a notice.</summary>
    public TimeSpan HeldLeft => _held == TimeSpan.Zero ? TimeSpan.Zero : _held - _timeProvider.GetElapsedTime(_heldAt);

    public void Failed(Exception exception)
    {
        Failures++;
        _steps++;
        // Zero or less would be a loop without a delay.
        _requested = exception is LogSinkException { RetryDelay: { } requested } && requested > TimeSpan.Zero ? requested : null;
        _isExact = _requested is not null && exception is LogSinkException { MayRetrySooner: false };
    }

    /// <summary>After a failed write: the delay that was requested holds for all records and notices.</summary>
    public void Hold() => (_held, _heldAt) = (_isExact ? _requested!.Value : TimeSpan.Zero, _timeProvider.GetTimestamp());

    /// <summary>Restarts the delays after a success.</summary>
    public void Reset()
    {
        Failures = _steps = 0;
        _held = TimeSpan.Zero;
    }

    /// <summary>Lets the next attempt come at once, and restarts the delays: something was changed.</summary>
    public void AttemptNow()
    {
        _steps = 0;
        _requested = null;
        _isExact = false;
        _pause = _held = TimeSpan.Zero;
    }

    /// <summary>Pauses the work that is due without a record.</summary>
    public void BeginPause() => (_pause, _pausedAt) = (Next, _timeProvider.GetTimestamp());

    /// <summary>Sleeps for the rest of the delay that a server requested. A change of the sink or a shutdown ends it.</summary>
    /// <returns>False if there was nothing to wait for.</returns>
    public bool TrySleepHeld()
    {
        if (HeldLeft <= TimeSpan.Zero || _queue.IsClosed)
            return false;
        while (!_queue.IsFinal && !_queue.IsClosed && !_installed.HasChanges && HeldLeft is var left && left > TimeSpan.Zero)
            _queue.Signal.Wait(left);
        return true;
    }

    /// <summary>Sleeps until the next attempt. A flush or a waiting caller does not shorten it, because they do not make a broken destination work. A change
    /// of the sink does. A shutdown does once, because its budget may end before the delay.</summary>
    /// <param name="wasClosed">True if the queue was closed already when the attempt began that failed.</param>
    public void Sleep(bool wasClosed)
    {
        var delay = Next;
        if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Verbose, AsyncLogEventSource.Keywords.Network))
            AsyncLogEventSource.Log.RetryScheduled(pipeline.Instance.State.Name, Failures, (long)delay.TotalMilliseconds);
        var mayShorten = !_isExact && delay > MinAboveSpoolThreshold;
        var began = _timeProvider.GetTimestamp();
        while (!_queue.IsFinal && !_installed.HasChanges)
        {
            if (mayShorten && _queue.IsAboveSpoolThreshold)
            {
                mayShorten = false;
                var shorter = MinAboveSpoolThreshold + ((MaxAboveSpoolThreshold - MinAboveSpoolThreshold) * _random.NextDouble());
                delay = shorter < delay ? shorter : delay;
            }

            var left = delay - _timeProvider.GetElapsedTime(began);
            if (left <= TimeSpan.Zero || (_queue.IsClosed && !wasClosed))
                return;
            var signal = _queue.Signal;
            // Detached before the signal was renewed: a new one is that of the next worker.
            if (delivery.IsDetached)
                return;
            signal.Wait(left > CheckInterval && mayShorten ? CheckInterval : left);
        }
    }
}
