using AsyncLog.Tests.Support;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Operations;

/// <summary>An application with every kind of sink: files, a syslog server that is away, one that can be stalled, one that holds callers, one that can fail.</summary>
internal sealed class OperatedApp : IAsyncDisposable
{
    private readonly TempFolder _folder = new();

    private OperatedApp()
    {
    }

    public TestApp App { get; private set; } = null!;

    public Mood Stalled { get; } = new();

    public Mood Held { get; } = new();

    public Mood Failing { get; } = new();

    public static async Task<OperatedApp> Start()
    {
        var operated = new OperatedApp();
        var nobody = Ports.Free();
        operated.App = await TestApp.Listen(logging =>
        {
            logging.AddAsyncFile(options =>
            {
                options.Path = operated._folder.File("app.log");
                options.MinFreeSpace = 1 << 20;
            });
            logging.AddAsyncSyslog(options =>
            {
                options.Endpoint = new Uri($"tcp://127.0.0.1:{nobody}");
                options.ShutdownTimeout = TimeSpan.Zero;
            });
            logging.AddMoody("stalled", operated.Stalled, static options => options.MaxQueueLength = 200);
            logging.AddMoody("held", operated.Held, Hold);
            logging.AddMoody("failing", operated.Failing);
        });
        return operated;
    }

    public void Log(int records)
    {
        var logger = App.Logger();
        for (var number = 0; number < records; number++)
            logger.Log(number % 10 == 0 ? LogLevel.Error : LogLevel.Information, "Order {Number}", number);
    }

    public async ValueTask DisposeAsync()
    {
        Failing.Failure = null;
        Stalled.GoOn();
        Held.GoOn();
        await App.DisposeAsync();
        _folder.Dispose();
    }

    private static void Hold(MoodyOptions options)
    {
        options.MaxQueueLength = 400;
        options.QueueFullMode = QueueFullMode.Wait;
        options.WaitTimeout = TimeSpan.FromMilliseconds(20);
    }
}
