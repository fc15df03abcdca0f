namespace Company.Worker1;

public sealed partial class Worker(ILogger<Worker> logger, TimeProvider? clock = null) : BackgroundService
{
    private readonly TimeProvider _clock = clock ?? TimeProvider.System;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(10), _clock);
        var round = 0;
        do
        {
            LogRound(++round);
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    [LoggerMessage(Level = LogLevel.Information, Message = "Round {Round}")]
    private partial void LogRound(int round);
}
