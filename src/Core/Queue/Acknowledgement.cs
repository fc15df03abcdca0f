using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The outcome of one record, on which its caller may sleep. The segment that holds the record carries it and completes it, so it is exact for the
/// record's segment and level, and a caller whose time is over leaves nothing behind to remove.</summary>
internal abstract class Acknowledgement(LogLevel level)
{
    // Outcomes. A drop is Dropped plus its reason.
    private const int Open = 0;
    private const int Written = 1;
    private const int Uncertain = 2;
    private const int TimedOut = 3;
    private const int Interrupted = 4;
    private const int NotAwaited = 5;
    private const int Spooled = 6;
    private const int Dropped = 256;

    // Leaves Open once: the first thread that changes it decides. The caller sleeps on the monitor of this object, which is also taken inside the instance's
    // lock; nothing runs under it.
    private int _outcome;

    /// <summary>The acknowledgement that was added to the segment before this one. Written before the record is committed.</summary>
    public Acknowledgement? Below { get; set; }

    /// <summary>The level of the record.</summary>
    protected LogLevel Level { get; } = level;

    /// <summary>True if the record is written.</summary>
    public bool IsWritten => Volatile.Read(ref _outcome) == Written;

    /// <summary>Completes it with the outcome of a batch. By the thread that settles the segment.</summary>
    /// <param name="isUncertain">True if the sink counted records as uncertain while it had the batch.</param>
    public void Settle(DropCounts refused, bool isUncertain)
    {
        if (!TryCompleteRefused(refused))
            Complete(isUncertain ? Uncertain : Written);
    }

    /// <summary>Completes it at the end of the drain, with the outcome of a batch whose rest is saved. By the thread that saves it.</summary>
    /// <param name="saved">The records on the disk, by level.</param>
    /// <param name="refused">Those of the others that were refused; null: nothing but the saved records is known of the segment.</param>
    /// <param name="isUncertain">True if the sink counted records as uncertain while it had the batch.</param>
    public void SettleUnsaved(ReadOnlySpan<long> saved, DropCounts? refused, bool isUncertain)
    {
        if (refused is not null && TryCompleteRefused(refused))
            return;
        if (saved[(int)Level] > 0 || refused is null)
            Complete(Spooled);
        else
            Complete(isUncertain ? Uncertain : Written);
    }

    /// <summary>Completes it: the record was refused, or is lost.</summary>
    public void CompleteLost(DropReason reason) => Complete(Dropped + (int)reason);

    /// <summary>Completes it: the record is on the disk, and the destination has not got it.</summary>
    public void MoveToDisk() => Complete(Spooled);

    /// <summary>Ends it where the caller did not wait: an outcome that comes later has no effect.</summary>
    protected void EndUnawaited() => TryEnd(NotAwaited);

    /// <summary>Sleeps until it is completed, the time is over or the thread is interrupted; it has an outcome then.</summary>
    protected void Wait(TimeProvider timeProvider, TimeSpan timeout)
    {
        var wasInterrupted = false;
        var deadline = default(DeadlineTimer);
        try
        {
            if (timeout > TimeSpan.Zero && Volatile.Read(ref _outcome) == Open)
            {
                deadline = DeadlineTimer.Start(timeProvider, timeout, this);
                lock (this)
                {
                    while (Volatile.Read(ref _outcome) == Open && !deadline.IsOver)
                        Monitor.Wait(this, deadline.Remaining);
                }
            }
        }
        catch (ThreadInterruptedException)
        {
            // The record stays accepted, and the thread stays interrupted.
            TryEnd(Interrupted);
            wasInterrupted = true;
        }
        finally
        {
            deadline.Dispose();
            TryEnd(TimedOut);
        }

        if (wasInterrupted)
            Thread.CurrentThread.Interrupt();
    }

    /// <summary>Why the record is not acknowledged, in words.</summary>
    protected string ReasonOf(TimeSpan timeout) => Volatile.Read(ref _outcome) switch
    {
        TimedOut => $"not written within {nameof(SinkOptions.AcknowledgeTimeout)} of {TimeText.Show(timeout)}",
        Interrupted => "the thread was interrupted while it waited",
        Uncertain => "written, but it may not have arrived",
        NotAwaited => "it was not waited for",
        Spooled => $"not sent yet: it is in {nameof(SinkOptions.SpoolPath)}",
        var outcome => $"{(DropReasons.IsBefore((DropReason)(outcome - Dropped)) ? "refused" : "lost")}: {DropReasons.NameOf((DropReason)(outcome - Dropped))}",
    };

    private bool TryCompleteRefused(DropCounts refused)
    {
        if (refused.Total == 0)
            return false;
        foreach (var reason in DropReasons.All)
        {
            if (refused[reason, Level] > 0)
            {
                CompleteLost(reason);
                return true;
            }
        }

        return false;
    }

    private void Complete(int outcome)
    {
        if (!TryEnd(outcome))
            return;
        // A caller that evicts a segment may be interrupted here.
        var wasInterrupted = InterruptSafeLock.Enter(this);
        Monitor.Pulse(this);
        InterruptSafeLock.Exit(this, wasInterrupted);
    }

    private bool TryEnd(int outcome) => Interlocked.CompareExchange(ref _outcome, outcome, Open) == Open;
}
