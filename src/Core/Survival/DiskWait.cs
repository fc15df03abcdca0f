using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Runs operations on files on threads of their own, so that a disk that hangs delays a start or a shutdown by at most half a second.</summary>
internal sealed class DiskWait(InstanceState instance, string path)
{
    /// <summary>The longest time that a start or a shutdown waits for the disk.</summary>
    public static readonly TimeSpan Max = TimeSpan.FromMilliseconds(500);

    // The end of an operation for which a start or a shutdown waited in vain.
    private volatile ManualResetEventSlim? _stuck;

    /// <summary>Begins an operation.</summary>
    /// <returns>Waits for its end, at most until half a second after the beginning; not at all behind an operation that is stuck.</returns>
    public Action Begin(string purpose, Action action)
    {
        // A simulation has one thread.
        if (instance.StartWorker is not null)
        {
            action();
            return static () => { };
        }

        var began = TimeProvider.System.GetTimestamp();
        var ended = new ManualResetEventSlim();
        try
        {
            new Thread(() => Run(action, ended), 256 << 10) { IsBackground = true, Name = $"AsyncLog spool {purpose} {instance.Name}" }.UnsafeStart();
        }
        catch (Exception exception) when (exception is OutOfMemoryException or ThreadStartException)
        {
            // As with a disk that fails: memory alone holds the records.
            instance.Metrics.CountError(LogSinkException.TypeOf(exception));
            return static () => { };
        }

        return () => Await(ended, Max - TimeProvider.System.GetElapsedTime(began));
    }

    private void Await(ManualResetEventSlim ended, TimeSpan left)
    {
        var isStuck = _stuck is { IsSet: false };
        if (ended.Wait(isStuck || left <= TimeSpan.Zero ? TimeSpan.Zero : left) || isStuck)
            return;
        _stuck = ended;
        instance.SelfReport.Write(LogLevel.Error, instance.Name, $"SpoolPath: {path} did not answer within half a second. Memory alone holds records until it does.");
    }

    private void Run(Action action, ManualResetEventSlim ended)
    {
        LoopGuard.Enter();
        try
        {
            action();
        }
        catch (Exception exception)
        {
            // An exception that leaves a thread ends the process.
            var errorType = LogSinkException.TypeOf(exception);
            instance.Metrics.CountError(errorType);
            instance.SelfReport.Write(LogLevel.Error, instance.Name, $"SpoolPath: {LogSinkException.TextOf(exception)} ({errorType}).");
        }
        finally
        {
            ended.Set();
        }
    }
}
