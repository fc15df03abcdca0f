using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Tracing;

namespace AsyncLog;

/// <summary>The background half of a pipeline: one thread that takes segments, delivers, settles and naps.</summary>
/// <remarks>Started without the caller's context and never on the thread pool, so pool starvation cannot stop the worker; a sink may still need the pool.
/// It blocks on its sink's task.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "A successor may wait for it at any later time; it holds no handle.")]
internal sealed class SinkWorker
{
    private const int StackBytes = 256 << 10;

    // Time that memory of a burst is kept: freed sooner, it would be allocated again for the next burst, on the threads of callers.
    private static readonly TimeSpan KeepUnused = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan ShrinkEvery = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LongestSleep = TimeSpan.FromDays(1);
    private readonly SegmentQueue _queue;
    private readonly WorkerSignal _signal;
    private readonly BatchDelivery _delivery;
    private readonly TimeProvider _timeProvider;
    private readonly InstanceState _instance;
    private readonly Action _onEnded;
    private ManualResetEventSlim? _after;
    private readonly Thread _thread;
    private readonly ManualResetEventSlim _rest = new();

    // Worker only.
    private bool _hasBegun;
    private TimeSpan _nap = NapTime.Longest;
    private long _lastRecordAt;
    private long _heldSince;
    private long _shrunkAt;

    // Woken since the last segment: by the first record after silence, an urgent one, a flush, a waiting caller or the sink.
    private bool _isWoken;

    /// <param name="instance">Owning instance.</param>
    /// <param name="batchDelay">Time for which the current segment is left open.</param>
    /// <param name="after">Event to wait for before it begins; null: none.</param>
    public SinkWorker(
        InstanceState instance, SegmentQueue queue, BatchDelivery delivery, TimeSpan batchDelay, ManualResetEventSlim? after, Action onEnded)
    {
        _instance = instance;
        _queue = queue;
        _signal = queue.Signal;
        _delivery = delivery;
        _timeProvider = _instance.TimeProvider;
        BatchDelay = batchDelay;
        _after = after;
        _onEnded = onEnded;
        _thread = new Thread(Run, StackBytes) { IsBackground = true, Name = $"AsyncLog {_instance.Name}" };
    }

    /// <summary>Time for which the current segment is left open. Worker only, once it runs.</summary>
    public TimeSpan BatchDelay { get; set; }

    // True if the current segment is taken at once.
    // Flushes, callers that wait: they do not depend on their wake-up, which a wait for commits or a posted segment before Current may have consumed.
    // Urgent: with a batch delay a wake-up is not enough, or the first record after silence would end the delay before it began.
    private bool IsHurried => _queue.Flushes.IsWaiting || _queue.HasAwaited || (BatchDelay <= TimeSpan.Zero ? _isWoken : _queue.HasUrgent);

    public void Start()
    {
        if (_instance.StartWorker is { } start)
            start(Run);
        else
            _thread.UnsafeStart();
    }

    private void Run()
    {
        try
        {
            LoopGuard.Enter();
            // One layout and one order per destination: the pipeline before is drained first, within its own budget.
            _after?.Wait();
            _after = null;
            while (TryStep())
            {
            }

            Debug.Assert(_delivery.IsDetached || _queue.IsDrained, "The worker ends when nothing is left to take, or another one has the queue.");
            _delivery.Close();
        }
        catch (Exception exception)
        {
            // An exception that leaves a thread ends the process.
            Restart(exception);
        }
        finally
        {
            _onEnded();
        }
    }

    // No exception ends the loop: a fault outside the sink's own calls is counted and reported like one of them. The queue returns a segment that was
    // in hand again.
    private bool TryStep()
    {
        try
        {
            return Step();
        }
        catch (Exception exception)
        {
            Restart(exception);
            return !_queue.IsFinal && !_delivery.IsDetached;
        }
    }

    private void Restart(Exception exception)
    {
        try
        {
            _delivery.Fault(exception);
            if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Error, AsyncLogEventSource.Keywords.Lifecycle))
                AsyncLogEventSource.Log.WorkerRestarted(_instance.Name, LogSinkException.TypeOf(exception));
            Doze(_delivery.FaultDelay);
        }
        catch (Exception further)
        {
            // Out of memory, or a clock that throws: an iteration must not be shorter than a nap.
            _instance.Metrics.CountError(LogSinkException.TypeOf(further));
            _rest.Wait(NapTime.Longest);
        }
    }

    private bool Step()
    {
        if (_delivery.IsDetached)
            return false;
        if (!_hasBegun)
            Begin();
        // First of all: a line that a killed process had begun is completed before anything else is written.
        if (_delivery.TryDeliverRecovered())
            return true;
        _delivery.RunDue();
        if (_delivery.IsDetached)
            return false;
        if (_delivery.TryDeliverSpooled())
            return !_queue.IsDrained;
        var segment = _delivery.Take(sealCurrent: IsHurried && !_queue.IsClosed) ?? TakeAfterNap();
        if (segment is null)
            return !_queue.IsDrained;
        _isWoken = false;
        _heldSince = 0;
        _lastRecordAt = _timeProvider.GetTimestamp();
        if (_timeProvider.GetElapsedTime(_shrunkAt, _lastRecordAt) >= ShrinkEvery)
            Shrink();
        _nap = NapTime.For(_timeProvider.GetElapsedTime(segment.InstalledAt, segment.SealedAt), segment.ByteCount, segment.Memory.ByteCapacity);
        if (WaitForCommits(segment))
            _delivery.Deliver(segment);
        return true;
    }

    private void Begin()
    {
        _lastRecordAt = _shrunkAt = _timeProvider.GetTimestamp();
        _hasBegun = true;
        _delivery.Open();
    }

    private Segment? TakeAfterNap()
    {
        if (_delivery.IsDetached)
            return null;
        if (_queue.IsClosed)
        {
            if (_delivery.Take(sealCurrent: true) is { } left)
                return left;
            // Files of the spool that cannot be read now come before what is left here.
            if (!_queue.IsDrained)
                Doze(_nap);
            return null;
        }

        if (_timeProvider.GetElapsedTime(_lastRecordAt) >= NapTime.ParkAfter && !_queue.HasWork)
            Park();
        else if (!TryHold())
            Doze(_nap);
        return _delivery.Take(sealCurrent: IsHurried || IsHeldLongEnough());
    }

    // A sink with a batch delay leaves the current segment open that long, except for an urgent record, a flush or a shutdown.
    private bool IsHeldLongEnough()
    {
        if (BatchDelay <= TimeSpan.Zero)
            return true;
        if (!_queue.HasWork)
            return false;
        var now = _timeProvider.GetTimestamp();
        if (_heldSince == 0)
            _heldSince = now;
        return _timeProvider.GetElapsedTime(_heldSince, now) >= BatchDelay;
    }

    // True after a sleep for the rest of the batch delay, if records are held: nothing is to be done before.
    private bool TryHold()
    {
        if (_heldSince == 0)
            return false;
        var left = BatchDelay - _timeProvider.GetElapsedTime(_heldSince);
        var due = TimeUntilDue();
        if (left <= _nap || !_queue.TryHold())
            return false;
        _isWoken |= _signal.Wait(due >= TimeSpan.Zero && due < left ? due : left);
        _queue.Kernel.EndSleep();
        return true;
    }

    private void Doze(TimeSpan time)
    {
        _queue.Kernel.BeginNap(time <= NapTime.Shortest ? WorkerStates.ShortNap : WorkerStates.LongNap);
        _isWoken |= _signal.Wait(time);
        _queue.Kernel.EndSleep();
    }

    // True if there is more to free later.
    private bool Shrink()
    {
        _shrunkAt = _timeProvider.GetTimestamp();
        return _queue.Shrink(_shrunkAt - (long)(KeepUnused.TotalSeconds * _timeProvider.TimestampFrequency));
    }

    // Without a record there may still be something due, or memory to free.
    private TimeSpan TimeUntilDue()
    {
        var left = _delivery.TimeUntilDue();
        if (Shrink() && !(left <= KeepUnused))
            return KeepUnused;
        return left is not { } due ? Timeout.InfiniteTimeSpan : due <= NapTime.Shortest ? NapTime.Shortest : due >= LongestSleep ? LongestSleep : due;
    }

    private void Park()
    {
        if (_queue.TryPark())
            _isWoken |= _signal.Wait(TimeUntilDue());
        else
            _isWoken = true;
        _queue.Kernel.EndSleep();
        _lastRecordAt = _timeProvider.GetTimestamp();
    }

    // A caller descheduled between claim and commit delays only this worker. False when the shutdown deadline passed first.
    private bool WaitForCommits(Segment segment)
    {
        for (var turn = 0; !segment.TryCountLevels(); turn++)
        {
            if (_queue.IsFinal)
                return false;
            if (turn < 10)
                Thread.Yield();
            else
                _isWoken |= _signal.Wait(NapTime.Shortest);
        }

        return true;
    }
}

/// <summary>Computes the duration of the worker's nap. Pure.</summary>
internal static class NapTime
{
    /// <summary>A shorter nap costs 4 % of a core per instance.</summary>
    public static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(1);

    /// <summary>The longest time that a record waits before it is written.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(10);

    /// <summary>Silence after which the worker waits without end.</summary>
    public static readonly TimeSpan ParkAfter = TimeSpan.FromSeconds(1);

    /// <summary>Half the time a segment takes to fill at the rate it was filled with.</summary>
    /// <param name="used">Bytes in it.</param>
    /// <param name="capacity">Bytes it holds.</param>
    public static TimeSpan For(TimeSpan open, int used, int capacity)
    {
        if (used <= 0)
            return Longest;
        var half = open.Ticks * (double)capacity / used / 2;
        return half >= Longest.Ticks ? Longest : half <= Shortest.Ticks ? Shortest : TimeSpan.FromTicks((long)half);
    }
}
