using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Logs;
using OpenTelemetry.Resources;

namespace AsyncLog.Tests.Differential;

/// <summary>One logger factory with OpenTelemetry .NET and AsyncLog in it, so that both see the same calls, scopes and activities.</summary>
internal static class BothExporters
{
    public const string Official = "official";
    public const string Own = "own";

    private const int Deadline = 30_000;
    private const int Room = 1 << 16;

    /// <summary>Makes all calls and waits until both have delivered them.</summary>
    /// <param name="endpoint">With HTTP, path included.</param>
    /// <param name="withMessage">Whether the body is the formatted message.</param>
    public static async Task RunAsync(Uri endpoint, bool withMessage = true)
    {
        StandardError.Keep();
        var services = new ServiceCollection();
        services.AddLogging(builder => builder.SetMinimumLevel(LogLevel.Trace)
            .AddOpenTelemetry(options => Configure(options, endpoint, withMessage))
            .AddAsyncOtlp(options => (options.Endpoint, options.ServiceName, options.GapNotices, options.IncludeFormattedMessage) = (endpoint, Own, false, withMessage)));
        services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel, options.FlushOnCrash) = (false, LogLevel.None, false));
        await using ServiceProvider provider = services.BuildServiceProvider();
        new SpokenCalls(provider.GetRequiredService<ILoggerFactory>()).SayAll();
        Assert.True(provider.GetRequiredService<LoggerProvider>().ForceFlush(Deadline));
        var control = provider.GetRequiredService<IAsyncLogControl>();
        Assert.True(await control.FlushAsync(TimeSpan.FromMilliseconds(Deadline), TestContext.Current.CancellationToken));
        Assert.Equal(SpokenCalls.Count, control.GetStatus().Instances[0].Written);
    }

    private static void Configure(OpenTelemetryLoggerOptions options, Uri endpoint, bool withMessage)
    {
        (options.IncludeFormattedMessage, options.IncludeScopes) = (withMessage, true);
        options.SetResourceBuilder(ResourceBuilder.CreateEmpty().AddAttributes([new("service.name", Official)]));
        options.AddOtlpExporter((exporter, processor) =>
        {
            (exporter.Endpoint, exporter.Protocol) = (endpoint, OtlpExportProtocol.HttpProtobuf);
            (processor.ExportProcessorType, processor.BatchExportProcessorOptions.MaxQueueSize) = (ExportProcessorType.Batch, Room);
        });
    }
}
