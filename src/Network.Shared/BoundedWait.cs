using System.Net.Sockets;

namespace AsyncLog;

/// <summary>Waiting on a thread that may block, never one of the pool: bounded by the instance's clock, ended by the shutdown deadline.</summary>
internal sealed class BoundedWait(TimeProvider timeProvider)
{
    // Largest delay in noticing the end of the shutdown budget; the count does not wait for the worker.
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(50);

    // A clock that is moved by hand cannot end a wait by itself.
    private static readonly TimeSpan ForeignSlice = TimeSpan.FromMilliseconds(2);

    private readonly TimeSpan _slice = timeProvider == TimeProvider.System ? Slice : ForeignSlice;

    /// <summary>The wall clock, UTC.</summary>
    public DateTimeOffset UtcNow => timeProvider.GetUtcNow();

    /// <summary>A reading for <see cref="Since"/>.</summary>
    public long Now => timeProvider.GetTimestamp();

    public TimeSpan Since(long reading) => timeProvider.GetElapsedTime(reading);

    /// <summary>The time of day at which a time that began at a reading is over; now, if it is over.</summary>
    public DateTimeOffset DueIn(TimeSpan time, long began) => UtcNow + (time - Since(began) is var left && left > TimeSpan.Zero ? left : TimeSpan.Zero);

    /// <summary>Waits until the time is over or the shutdown budget is used up.</summary>
    public void Pause(TimeSpan time, CancellationToken cancellationToken)
    {
        long began = Now;
        for (TimeSpan left = time; left > TimeSpan.Zero && !cancellationToken.IsCancellationRequested; left = time - Since(began))
        {
            TimeSpan slice = timeProvider == TimeProvider.System || left < _slice ? left : _slice;
            cancellationToken.WaitHandle.WaitOne((int)Math.Clamp(Math.Ceiling(slice.TotalMilliseconds), 1, int.MaxValue));
        }
    }

    /// <summary>Waits for the work of another thread.</summary>
    /// <returns>False when the time was over or the shutdown budget used up before.</returns>
    public bool Wait(ManualResetEventSlim ended, TimeSpan time, CancellationToken cancellationToken)
    {
        long began = Now;
        for (TimeSpan left = time; !ended.Wait(left < TimeSpan.Zero ? TimeSpan.Zero : left < _slice ? left : _slice, CancellationToken.None);)
        {
            left = time - Since(began);
            if (left <= TimeSpan.Zero || cancellationToken.IsCancellationRequested)
                return false;
        }

        return true;
    }

    /// <summary>Waits until a socket is ready.</summary>
    /// <returns>False when the time was over or the shutdown budget used up before.</returns>
    public bool Wait(Socket socket, SelectMode mode, TimeSpan time, CancellationToken cancellationToken)
    {
        long began = Now;
        TimeSpan left = time;
        do
        {
            if (socket.Poll(left < TimeSpan.Zero ? TimeSpan.Zero : left < _slice ? left : _slice, mode))
                return true;
            left = time - Since(began);
        }
        while (left > TimeSpan.Zero && !cancellationToken.IsCancellationRequested);
        return false;
    }
}
