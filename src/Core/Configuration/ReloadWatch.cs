using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Calls back once, a quiet quarter of a second after configuration changed.</summary>
/// <remarks>One saved file gives several change events, and the first of them may see half of it.</remarks>
internal sealed class ReloadWatch : IDisposable
{
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(250);

    // Changes whose callback has not ended. Callbacks run one at a time, so that older settings never replace newer ones: the thread that runs one repeats it for
    // all changes that came meanwhile.
    private int _changes;
    private readonly Action _changed;
    private readonly ITimer _timer;
    private readonly List<IDisposable> _registrations = [];
    private volatile bool _isDisposed;

    public ReloadWatch(IEnumerable<Func<IChangeToken?>> sources, TimeProvider timeProvider, Action changed)
    {
        _changed = changed;
        using (ExecutionContext.SuppressFlow())
        {
            _timer = timeProvider.CreateTimer(static watch => ((ReloadWatch)watch!).Run(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            foreach (Func<IChangeToken?> source in sources)
                _registrations.Add(ChangeToken.OnChange(source, Restart));
        }
    }

    public void Dispose()
    {
        _isDisposed = true;
        foreach (IDisposable registration in _registrations)
            registration.Dispose();

        _timer.Dispose();
    }

    private void Restart()
    {
        if (!_isDisposed)
            _timer.Change(Quiet, Timeout.InfiniteTimeSpan);
    }

    private void Run()
    {
        if (Interlocked.Increment(ref _changes) > 1)
            return;
        int seen;
        do
        {
            seen = Volatile.Read(ref _changes);
            if (!_isDisposed)
                _changed();
        }
        while (Interlocked.Add(ref _changes, -seen) > 0);
    }
}
