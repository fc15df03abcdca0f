namespace WebApp;

/// <summary>Logs outside of requests, too: what is nearly sold out, once a minute.</summary>
internal sealed class StockReport(Catalog catalog, TimeProvider time, ILogger<StockReport> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var minute = new PeriodicTimer(TimeSpan.FromMinutes(1), time);

        // The end of the timer is the end of the loop: an exception would be reported as a failure of this service where the host ends before it has started.
        using var stopping = stoppingToken.Register(minute.Dispose);
        do
        {
            foreach (var (article, left) in catalog.Stock.Where(static entry => entry.Value < 10))
                logger.LogWarning("Only {Left} of {Article} left", left, article);
        }
        while (await minute.WaitForNextTickAsync(CancellationToken.None));
    }
}
