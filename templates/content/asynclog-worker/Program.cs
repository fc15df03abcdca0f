using AsyncLog;
using Company.Worker1;

var builder = Host.CreateApplicationBuilder(args);

// Logs from here on, before the host is built, and until after it has ended.
using var startup = AsyncLogBootstrap.Create(builder.Configuration, logging => logging.ClearProviders().AddAsyncConsole().AddAsyncFile());
var logger = startup.CreateLogger("Startup");
try
{
    builder.Logging.AddAsyncLogBootstrap(startup);
    builder.Services.AddHostedService<Worker>();
    using var host = builder.Build();
    host.Run();
    return 0;
}
catch (Exception exception) when (exception is not HostAbortedException)
{
    logger.LogCritical(exception, "The worker failed");
    return 1;
}
