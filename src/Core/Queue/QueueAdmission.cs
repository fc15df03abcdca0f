using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Who is let into a queue, and what happens to a record that finds no room: refused, an older one evicted for it, or its caller held.</summary>
/// <remarks>The slow path of callers, taken once per segment. Everything but the two properties runs under the instance's lock, on which waiting
/// callers sleep.</remarks>
internal sealed class QueueAdmission(SegmentStore store, SinkMetrics metrics, TimeProvider timeProvider, Action wakeWorker)
{
    private int _from = (int)LogLevel.Trace;
    private bool _isClosed;
    private int _waiting;

    /// <summary>The lowest level let in now; one compare before anything is rendered.</summary>
    public LogLevel From => (LogLevel)Volatile.Read(ref _from);

    /// <summary>Callers that are held now.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>Whether nothing is taken any more.</summary>
    public bool IsClosed => Volatile.Read(ref _isClosed);

    /// <summary>Nothing is opened any more. A later record is refused by the state word, and counted by its route; waiting callers are woken to the same end.</summary>
    public void Close()
    {
        Volatile.Write(ref _isClosed, true);
        Volatile.Write(ref _from, (int)LogLevel.Trace);
        Monitor.PulseAll(metrics.Gate);
    }

    /// <summary>Recomputes who is let in; after segments were taken, returned or the rules changed.</summary>
    public void Update()
    {
        if (!_isClosed)
            Volatile.Write(ref _from, (int)store.Admission);
    }

    /// <summary>A segment came back: releases waiting callers with hysteresis.</summary>
    public void Returned()
    {
        Update();
        if (_waiting > 0 && store.HasRoomForWaiters)
            Monitor.PulseAll(metrics.Gate);
    }

    /// <summary>Other rules: waiting callers look again.</summary>
    public void RulesChanged()
    {
        Update();
        Monitor.PulseAll(metrics.Gate);
    }

    /// <summary>Makes room for a record that does not fit Current: seal, post, open the next; or what the rules say when none is free.</summary>
    /// <returns>Accepted: it may be claimed now. Anything else is final.</returns>
    public WriteOutcome MakeRoom(int length, LogLevel level)
    {
        var deadline = default(DeadlineTimer);
        try
        {
            WriteOutcome outcome;
            while (!TryRotate(length, level, out outcome))
            {
                if (store.Rules.FullMode == QueueFullMode.DropOldest && store.TryEvict(metrics))
                    continue;
                if (store.Rules.FullMode == QueueFullMode.Wait && WaitForRoom(ref deadline))
                    continue;
                break;
            }

            Update();
            return outcome;
        }
        finally
        {
            deadline.Dispose();
        }
    }

    // True: the record may be claimed, or the queue is closed. False: there is no room for it, and the outcome says why.
    private bool TryRotate(int length, LogLevel level, out WriteOutcome outcome)
    {
        var current = store.Current;
        var word = Volatile.Read(ref current.State);
        outcome = WriteOutcome.Accepted;
        var isOpen = !StateWord.IsSealed(word);
        // Another caller rotated meanwhile.
        if (isOpen && current.Fits(word, length, level))
            return true;
        outcome = WriteOutcome.Closed;
        if (_isClosed)
            return true;
        // A segment of the reserve stays open for the levels that it is for, until there is one for the others too.
        if (isOpen && (int)level < current.LowestLevel && !store.CanOpen(level, StateWord.Count(word)))
        {
            outcome = store.FullBecause;
            return false;
        }

        if (isOpen)
            store.SealAndPost();
        var opened = store.TryOpen(level);
        outcome = opened ? WriteOutcome.Accepted : store.FullBecause;
        return opened;
    }

    // Sleeps on the lock. False when the time is over.
    private bool WaitForRoom(ref DeadlineTimer deadline)
    {
        if (!deadline.IsStarted)
            deadline = DeadlineTimer.Start(timeProvider, store.Rules.WaitTimeout, metrics.Gate);
        if (deadline.IsOver)
            return false;
        var began = timeProvider.GetTimestamp();
        _waiting++;
        try
        {
            // A caller that waits needs the worker, whether it naps or rests.
            wakeWorker();
            Monitor.Wait(metrics.Gate, deadline.Remaining);
            return true;
        }
        catch (ThreadInterruptedException)
        {
            // The application wants its thread back: the record is refused and counted, and the thread stays interrupted.
            Thread.CurrentThread.Interrupt();
            return false;
        }
        finally
        {
            _waiting--;
            metrics.AddCallerWait(timeProvider.GetElapsedTime(began));
        }
    }
}
