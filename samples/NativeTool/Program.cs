using AsyncLog;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NativeTool;

// Four kinds of destinations in a trimmed or native program. Configured as everywhere, for example by
//   Logging__AsyncFile__Path=/tmp/tool.log Logging__AsyncSyslog__Endpoint=udp://localhost:514 OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318
var builder = Host.CreateApplicationBuilder(args);
builder.Logging.ClearProviders().AddAsyncConsole().AddAsyncFile().AddAsyncSyslog().AddAsyncOtlp();
// Without reflection, the contracts of objects in {@Item} come from a source generator.
builder.Services.Configure<AsyncLogOptions>(static options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, ToolJson.Default));
using var host = builder.Build();
var logger = host.Services.GetRequiredService<ILoggerFactory>().CreateLogger("Tool");

using (logger.BeginScope("run {Run}", Environment.ProcessId))
{
    ToolLog.Started(logger, args.Length, TimeSpan.FromMilliseconds(1.5));
    logger.LogWarning("Nothing {Done}, {Tags}", "to do", new[] { "a", "b" });
    logger.LogInformation("Copied {@Summary}", new Summary(3, null, Outcome.Partial, TimeSpan.FromSeconds(1.5), new() { ["a.txt"] = 12 }, ["b.txt"]));
    ToolLog.Failed(logger, new InvalidOperationException("an example"));
}
