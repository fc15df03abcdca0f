namespace AsyncLog.Tests.Operations;

/// <summary>A thread that logs until it is stopped.</summary>
internal sealed class Storm : IDisposable
{
    private readonly ManualResetEventSlim _stop = new();
    private readonly Thread _thread;

    public Storm(OperatedApp operated)
    {
        _thread = new Thread(() =>
        {
            while (!_stop.Wait(TimeSpan.FromMilliseconds(5)))
                operated.Log(10);
        });
        _thread.Start();
    }

    public void Dispose()
    {
        _stop.Set();
        _thread.Join();
        _stop.Dispose();
    }
}
