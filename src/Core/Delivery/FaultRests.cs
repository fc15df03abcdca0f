using System.Diagnostics.Tracing;
using static AsyncLog.AsyncLogEventSource;

namespace AsyncLog;

/// <summary>The rests of a worker after failures: with a batch in hand it sleeps, between batches it leaves alone what has nothing to do with records. Worker only.</summary>
internal sealed class FaultRests(SinkInstance instance, SegmentQueue queue, WorkerSignal signal, FaultDelay delay)
{
    private readonly TimeProvider _timeProvider = instance.TimeProvider;
    private long _since;
    private TimeSpan _rest;

    /// <summary>How long what is due without a record still rests.</summary>
    public TimeSpan Left => _rest == TimeSpan.Zero ? TimeSpan.Zero : _rest - _timeProvider.GetElapsedTime(_since);

    /// <summary>Lets what is due without a record rest.</summary>
    public void Begin() => (_rest, _since) = (delay.Next, _timeProvider.GetTimestamp());

    /// <summary>Sleeps until the next attempt. A flush or a waiting caller does not shorten it, for they do not make a broken destination work; a shutdown
    /// does once, for its budget may end before the rest.</summary>
    /// <param name="wasClosed">Whether the queue was closed already when the attempt began that failed.</param>
    public void Sleep(bool wasClosed)
    {
        var rest = delay.Next;
        if (Log.IsEnabled(EventLevel.Verbose, Keywords.Network))
            Log.RetryScheduled(instance.Name, delay.Failures, (long)rest.TotalMilliseconds);
        var began = _timeProvider.GetTimestamp();
        while (!queue.IsFinal)
        {
            var left = rest - _timeProvider.GetElapsedTime(began);
            if (left <= TimeSpan.Zero || (queue.IsClosed && !wasClosed))
                return;
            signal.Wait(left);
        }
    }
}
