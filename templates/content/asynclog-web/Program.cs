using AsyncLog;

var builder = WebApplication.CreateBuilder(args);

// Logs from here on, before the host is built, and until after it has ended.
using var startup = AsyncLogBootstrap.Create(builder.Configuration, logging => logging.ClearProviders().AddAsyncConsole().AddAsyncFile());
var logger = startup.CreateLogger("Startup");
try
{
    builder.Logging.AddAsyncLogBootstrap(startup);
    builder.Services.AddHealthChecks().AddAsyncLog();

    var app = builder.Build();

    // One record for each request, except those that AsyncLog:Requests:ExcludedPaths in appsettings.json names.
    app.UseAsyncLogRequestLogging();
    app.MapGet("/", (ILogger<Program> log) =>
    {
        log.LogInformation("Saying hello");
        return "Hello";
    });
    app.MapHealthChecks("/health");

    // The live page. In Development it answers; elsewhere add .RequireAuthorization().
    app.MapAsyncLog("/asynclog");
    app.Run();
    return 0;
}
catch (Exception exception) when (exception is not HostAbortedException)
{
    logger.LogCritical(exception, "The application failed");
    return 1;
}
