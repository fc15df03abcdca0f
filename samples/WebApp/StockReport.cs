namespace WebApp;

/// <summary>Logs outside of requests, too: what is nearly sold out, once a minute.</summary>
internal sealed class StockReport(Catalog catalog, TimeProvider time, ILogger<StockReport> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var minute = new PeriodicTimer(TimeSpan.FromMinutes(1), time);
        do
        {
            foreach (var (article, left) in catalog.Stock.Where(static entry => entry.Value < 10))
                logger.LogWarning("Only {Left} of {Article} left", left, article);
        }
        while (await minute.WaitForNextTickAsync(stoppingToken));
    }
}
