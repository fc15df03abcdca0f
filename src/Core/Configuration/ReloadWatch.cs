using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Calls back once, a quiet quarter of a second after configuration changed.</summary>
/// <remarks>One saved file gives several change events, and the first of them may see half of it.</remarks>
internal sealed class ReloadWatch : IDisposable
{
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(250);

    // Serializes the callbacks, so that older settings never replace newer ones. Taken by the timer only; Dispose does not wait for it.
    private readonly Lock _running = new();
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
        lock (_running)
        {
            if (!_isDisposed)
                _changed();
        }
    }
}
