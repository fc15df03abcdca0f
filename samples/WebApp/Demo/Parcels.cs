namespace WebApp;

/// <summary>Logs records for the warehouse: many at once, or some at a time.</summary>
internal sealed class Parcels(ILoggerFactory loggers, TimeProvider time) : BackgroundService
{
    // 1,700 in ten seconds: 85 % of the queue of the warehouse.
    private const int PortionSize = 17;
    private const int Portions = 100;

    private readonly ILogger _logger = loggers.CreateLogger(DemoEndpoints.Category);
    private int _portionsLeft;

    public void Send(int records)
    {
        for (var number = 1; number <= records; number++)
            _logger.LogInformation("Parcel {Number} of {Count} goes to the warehouse", number, records);
    }

    /// <summary>Sends records for ten seconds.</summary>
    public void SendGradually() => Volatile.Write(ref _portionsLeft, Portions);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(100), time);
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            if (Volatile.Read(ref _portionsLeft) > 0)
            {
                Interlocked.Decrement(ref _portionsLeft);
                Send(PortionSize);
            }
        }
    }
}
