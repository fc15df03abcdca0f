using CustomSink;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

// Without an argument, records go to a list. With the address of a server, they go there, too.
var lines = new List<string>();
var builder = Host.CreateApplicationBuilder();
builder.Logging.ClearProviders();
builder.Logging.AddAsyncLogSink<MemorySink, MemoryOptions>(
    (options, context) => new MemorySink(options, context), bind: static (section, options) => section.Bind(options), options => options.Lines = lines);
if (args is [var address])
{
    builder.Configuration["Logging:Http:Endpoint"] = address;
    builder.Logging.AddAsyncLogSink<HttpSink, HttpSinkOptions>(
        (options, context) => new HttpSink(options, context), bind: static (section, options) => section.Bind(options));
}

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
