using CustomSink;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

var lines = new List<string>();
var builder = Host.CreateApplicationBuilder(args);
builder.Logging.ClearProviders().AddMemory(options => options.Lines = lines);
using (var host = builder.Build())
{
    await host.StartAsync();
    var loggers = (ILoggerFactory)host.Services.GetService(typeof(ILoggerFactory))!;
    loggers.CreateLogger("Shop.Cart").LogInformation("Item {Id} added", 42);
    await host.StopAsync();
}

// Disposing the host has delivered everything.
foreach (var line in lines)
    Console.WriteLine(line);
