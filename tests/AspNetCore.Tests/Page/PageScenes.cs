using AsyncLog.Tests.Support;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Page;

/// <summary>An application with one sink that delivers, one that loses and one that fails.</summary>
internal sealed class PageScenes : IAsyncDisposable
{
    private readonly Mood _stalled = new();
    private readonly Mood _refused = new();

    private PageScenes(TestApp app) => App = app;

    public TestApp App { get; private set; }

    public static string[] Sinks { get; } = ["moody/orders", "moody/audit", "moody/archive"];

    public static async Task<PageScenes> Start()
    {
        var scenes = new PageScenes(null!);
        scenes.App = await TestApp.Listen(logging => logging
            .AddMoody("orders", new Mood(), static options => options.Target = "/srv/shop/logs/orders.log")
            .AddMoody("audit", scenes._stalled, static options => Small(options, "tcp://audit.example.com:6514"))
            .AddMoody("archive", scenes._refused, static options => options.Target = "https://collector.example.com:4318/v1/logs"));
        return scenes;
    }

    /// <summary>Everything flows; then one sink hangs and loses, another fails for good.</summary>
    public async Task GoWrong()
    {
        _stalled.Hang();
        _refused.Failure = new LogSinkException("permission", "the collector answered 403: <img src=x onerror=alert(1)>", isPermanent: true);
        // The first record hangs alone, so the queue fills with what comes after it.
        Log(1);
        await Eventually.Holds(() => App.Status(Sinks[1]).InFlight == 1, () => "nothing hangs: " + App.Status(Sinks[1]));
        Log(5000);
        await Eventually.Holds(
            () => App.Status(Sinks[1]).State == SinkState.Degraded && App.Status(Sinks[2]).State == SinkState.Failed,
            () => $"{App.Status(Sinks[1])}\n{App.Status(Sinks[2])}");
        await App.AtRest(Sinks[0]);
    }

    /// <summary>The sink that hangs continues.</summary>
    public void GoOn() => _stalled.GoOn();

    public void Log(int records)
    {
        var logger = App.Logger();
        for (var number = 0; number < records; number++)
            logger.Log(number % 50 == 0 ? LogLevel.Warning : LogLevel.Information, "Order {Number} was placed by a customer", number);
    }

    public async ValueTask DisposeAsync()
    {
        _refused.Failure = null;
        _stalled.GoOn();
        await App.DisposeAsync();
    }

    private static void Small(MoodyOptions options, string target)
    {
        options.Target = target;
        options.MaxQueueLength = 1000;
    }
}
