using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The wait of a caller until its record is settled. The segment that holds the record carries it and completes it, so the outcome is that of the
/// record's own level and segment, and a caller whose time is over leaves nothing behind to remove.</summary>
/// <param name="route">The route that the record was offered to.</param>
/// <param name="level">The level of the record.</param>
internal sealed class Acknowledgement(RecordRoute route, LogLevel level)
{
    // Outcomes. A drop is Dropped plus its reason.
    private const int Open = 0;
    private const int Written = 1;
    private const int Uncertain = 2;
    private const int TimedOut = 3;
    private const int Interrupted = 4;
    private const int NotAwaited = 5;
    private const int Dropped = 256;

    // Leaves Open once: the first thread that changes it decides. The caller sleeps on the monitor of this object, which is also taken inside the instance's
    // lock; nothing runs under it.
    private int _outcome;

    /// <summary>The next one that the same caller waits for. The caller's own.</summary>
    public Acknowledgement? Next { get; set; }

    /// <summary>The one that the segment got before. Written before the record is committed.</summary>
    public Acknowledgement? Below { get; set; }

    /// <summary>Waits for each of a caller's records, for all of them together no longer than for the one with the longest time, and counts those that
    /// are not acknowledged. Never throws.</summary>
    /// <param name="first">The first of the chain.</param>
    /// <param name="mayWait">False on a thread that is inside a sink or renders.</param>
    /// <returns>The exception that the caller of <c>Log</c> gets; null: none.</returns>
    public static LogDeliveryException? AwaitAll(Acknowledgement first, bool mayWait)
    {
        var began = first.Began();
        LogDeliveryException? failure = null;
        // The chain begins with the last record, and the failure of the first one counts.
        for (var one = first; one is not null; one = one.Next)
            failure = one.Await(began, mayWait) ?? failure;
        return failure;
    }

    /// <summary>Completes it with the outcome of a batch. By the thread that settles the segment.</summary>
    /// <param name="refused">Records of the batch that were refused.</param>
    /// <param name="isUncertain">True if the sink counted records as uncertain while it had the batch.</param>
    public void Settle(DropCounts refused, bool isUncertain)
    {
        if (refused.Total > 0)
        {
            foreach (var reason in DropReasons.All)
            {
                if (refused[reason, level] > 0)
                {
                    Lose(reason);
                    return;
                }
            }
        }

        Complete(isUncertain ? Uncertain : Written);
    }

    /// <summary>Completes it: the record was refused, or is lost.</summary>
    public void Lose(DropReason reason) => Complete(Dropped + (int)reason);

    private long Began()
    {
        try
        {
            return route.Queue.TimeProvider.GetTimestamp();
        }
        catch (Exception exception)
        {
            // The clock is the application's; it fails again in Wait, where no record counts as acknowledged because of it.
            route.Metrics.CountError(LogSinkException.TypeOf(exception));
            return 0;
        }
    }

    private LogDeliveryException? Await(long began, bool mayWait)
    {
        var rules = route.Queue.Rules;
        if (mayWait)
            Wait(rules.AcknowledgeTimeout, began);
        TryEnd(mayWait ? TimedOut : NotAwaited);
        var outcome = Volatile.Read(ref _outcome);
        if (outcome == Written)
            return null;
        route.Metrics.CountUnacknowledged();
        return mayWait && rules.AcknowledgeFailure == AcknowledgeFailure.Throw ? new LogDeliveryException(route.Name, level, ReasonOf(outcome, rules)) : null;
    }

    private void Wait(TimeSpan timeout, long began)
    {
        var deadline = default(DeadlineTimer);
        var wasInterrupted = false;
        try
        {
            var timeProvider = route.Queue.TimeProvider;
            var left = timeout - timeProvider.GetElapsedTime(began);
            if (left <= TimeSpan.Zero || Volatile.Read(ref _outcome) != Open)
                return;
            deadline = DeadlineTimer.Start(timeProvider, left, this);
            Sleep(ref deadline);
        }
        catch (ThreadInterruptedException)
        {
            // The record stays accepted, and the thread stays interrupted.
            TryEnd(Interrupted);
            wasInterrupted = true;
        }
        catch (Exception exception)
        {
            // As above.
            route.Metrics.CountError(LogSinkException.TypeOf(exception));
        }
        finally
        {
            deadline.Dispose();
        }

        if (wasInterrupted)
            Thread.CurrentThread.Interrupt();
    }

    private void Sleep(ref DeadlineTimer deadline)
    {
        lock (this)
        {
            while (Volatile.Read(ref _outcome) == Open && !deadline.IsOver)
            {
                // A record that was committed after the shutdown deadline is in a segment that is not settled any more.
                if (route.Queue.IsFinal)
                    TryEnd(Dropped + (int)DropReason.ShutdownTimeout);
                else
                    Monitor.Wait(this, deadline.Remaining);
            }
        }
    }

    private void Complete(int outcome)
    {
        if (!TryEnd(outcome))
            return;
        // A caller that evicts a segment may be interrupted here.
        var wasInterrupted = Uninterrupted.Enter(this);
        Monitor.Pulse(this);
        Uninterrupted.Exit(this, wasInterrupted);
    }

    private bool TryEnd(int outcome) => Interlocked.CompareExchange(ref _outcome, outcome, Open) == Open;

    private static string ReasonOf(int outcome, QueueRules rules) => outcome switch
    {
        TimedOut => $"not written within {nameof(SinkOptions.AcknowledgeTimeout)} of {TimeText.Show(rules.AcknowledgeTimeout)}",
        Interrupted => "the thread was interrupted while it waited",
        Uncertain => "written, but it may not have arrived",
        _ => $"{(DropReasons.IsBefore((DropReason)(outcome - Dropped)) ? "refused" : "lost")}: {DropReasons.NameOf((DropReason)(outcome - Dropped))}",
    };
}
