namespace WebApp;

/// <summary>Logs records for the warehouse: many at once, or bit by bit.</summary>
internal sealed class Parcels(ILoggerFactory loggers, TimeProvider time) : BackgroundService
{
    // 85 % of the queue of the warehouse.
    private const int Gradual = 1_700;
    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(10);

    private readonly ILogger _logger = loggers.CreateLogger(DemoEndpoints.Category);

    // When the gradual records began; 0: none were asked for.
    private long _began;

    public void Send(int records)
    {
        for (var number = 1; number <= records; number++)
            _logger.LogInformation("Parcel {Number} of {Count} goes to the warehouse", number, records);
    }

    /// <summary>Sends records for ten seconds.</summary>
    public void SendGradually() => Volatile.Write(ref _began, time.GetTimestamp());

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(100), time);
        long began = 0;
        var sent = 0;
        while (await timer.WaitForNextTickAsync(stoppingToken))
        {
            if (Volatile.Read(ref _began) is var latest && latest != began)
                (began, sent) = (latest, 0);
            if (began == 0 || sent == Gradual)
                continue;
            var due = (int)Math.Min(Gradual, Gradual * (time.GetElapsedTime(began) / Duration));
            Send(due - sent);
            sent = due;
        }
    }
}
