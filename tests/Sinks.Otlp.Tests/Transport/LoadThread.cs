using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Transport;

/// <summary>Logs the numbers from 0 at a steady rate until it is stopped.</summary>
internal sealed class LoadThread
{
    private readonly Thread _thread;
    private readonly ILogger _logger;
    private readonly int _perSecond;
    private readonly CancellationToken _stop;
    private long _logged;

    public LoadThread(ILogger logger, int perSecond, CancellationToken stop)
    {
        _logger = logger;
        _perSecond = perSecond;
        _stop = stop;
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>Waits for the end.</summary>
    /// <returns>How many records were logged.</returns>
    public long Join()
    {
        _thread.Join();
        return _logged;
    }

    private void Run()
    {
        var clock = Stopwatch.StartNew();
        while (!_stop.IsCancellationRequested)
        {
            long due = (long)(clock.Elapsed.TotalSeconds * _perSecond);
            for (; _logged < due; _logged++)
                _logger.LogInformation("{Number}", _logged.ToString(CultureInfo.InvariantCulture));
            _stop.WaitHandle.WaitOne(1);
        }
    }
}
