using AsyncLog;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// Logs before its host is built: run, serve (until a signal), fail, apart, throw, use or wait. Further arguments are configuration.
var builder = Host.CreateApplicationBuilder(args[1..]);
builder.Logging.ClearProviders();
var startup = AsyncLogBootstrap.Create(builder.Configuration, static logging => logging.AddAsyncFile());
var logger = startup.CreateLogger("Startup");
for (var number = 1; number <= 1_000; number++)
    logger.LogInformation("before {Number}", number);

switch (args[0])
{
    case "throw":
        throw new InvalidOperationException("no host today");
    case "wait":
        Console.WriteLine("ready");
        Console.ReadLine();
        return;
    case "use":
        using (startup)
            throw new InvalidOperationException("no host today");
    case "apart":
        startup.Dispose();
        builder.Logging.AddAsyncFile();
        break;
    default:
        builder.Logging.AddAsyncLogBootstrap(startup);
        break;
}

if (args[0] == "fail")
    builder.Services.AddHostedService<FailingService>();
try
{
    using var host = builder.Build();
    await host.StartAsync();
    host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Host").LogInformation("running");
    if (args[0] == "run")
    {
        logger.LogInformation("beside the host");
        Console.WriteLine(string.Join('\n', OpenLogs()));
        Console.WriteLine($"instances {host.Services.GetRequiredService<IAsyncLogControl>().GetStatus().Instances.Count}");
        Console.WriteLine($"reopened {await host.Services.GetRequiredService<IAsyncFileControl>().ReopenAsync()}");
    }

    if (args[0] == "serve")
    {
        Console.WriteLine("ready");
        await host.WaitForShutdownAsync();
    }

    await host.StopAsync();
}
catch (InvalidOperationException exception)
{
    logger.LogCritical(exception, "the host failed");
}

if (args[0] == "run")
    logger.LogInformation("after the host");
startup.Dispose();

static IEnumerable<string> OpenLogs()
    => Directory.GetFiles("/proc/self/fd").Select(static link => File.ResolveLinkTarget(link, returnFinalTarget: false)?.FullName).Where(static path => path?.EndsWith(".log", StringComparison.Ordinal) == true).OfType<string>();

/// <summary>Ends the start of the host.</summary>
internal sealed class FailingService : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken) => throw new InvalidOperationException("the port is taken");

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
