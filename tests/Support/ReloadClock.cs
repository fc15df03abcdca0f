namespace AsyncLog.Tests;

/// <summary>The system clock, except that the timer which waits for quiet after an edit runs only when told.</summary>
internal sealed class ReloadClock : TimeProvider
{
    private readonly List<Held> _held = [];

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        if (dueTime != Timeout.InfiniteTimeSpan)
            return System.CreateTimer(callback, state, dueTime, period);
        var held = new Held(callback, state);
        _held.Add(held);
        return held;
    }

    /// <summary>Applies what was edited, on this thread.</summary>
    public void Run() => _held.ForEach(static timer => timer.RunIfDue());

    private sealed class Held(TimerCallback callback, object? state) : ITimer
    {
        private bool _isDue;

        public bool Change(TimeSpan dueTime, TimeSpan period) => _isDue = dueTime != Timeout.InfiniteTimeSpan;

        public void RunIfDue()
        {
            if (!_isDue)
                return;
            _isDue = false;
            callback(state);
        }

        public void Dispose() => _isDue = false;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
