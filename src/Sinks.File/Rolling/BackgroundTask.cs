namespace AsyncLog;

/// <summary>Runs the last of the actions asked for on a thread of low priority, one at a time.</summary>
/// <param name="name">Of the thread.</param>
/// <param name="failed">Hears of an action that threw, which would end the process.</param>
internal sealed class BackgroundTask(string name, Action<Exception> failed)
{
    // Protects both fields; nothing runs under it.
    private readonly Lock _gate = new();
    private Action? _next;
    private bool _isRunning;

    /// <summary>Asks for an action; one that waits is replaced.</summary>
    public void Ask(Action action)
    {
        lock (_gate)
        {
            _next = action;
            if (_isRunning)
                return;
            _isRunning = true;
        }

        new Thread(Run) { IsBackground = true, Name = name, Priority = ThreadPriority.Lowest }.UnsafeStart();
    }

    /// <summary>Forgets an action that waits.</summary>
    public void Forget()
    {
        lock (_gate)
            _next = null;
    }

    private void Run()
    {
        while (true)
        {
            Action? action;
            lock (_gate)
            {
                action = _next;
                _next = null;
                _isRunning = action is not null;
            }

            if (action is null)
                return;
            try
            {
                action();
            }
            catch (Exception exception)
            {
                failed(exception);
            }
        }
    }
}
