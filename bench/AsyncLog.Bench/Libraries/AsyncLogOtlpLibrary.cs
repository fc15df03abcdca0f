using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to an OpenTelemetry collector over HTTP/protobuf, with the batches that the peer is given.</summary>
internal sealed class AsyncLogOtlpLibrary(LibrarySetup setup, bool withMessage) : ILibrary
{
    public void AddTo(ILoggingBuilder builder)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        builder.AddAsyncOtlp(options =>
        {
            AsyncLogLibrary.Configure(options, setup.Drops);
            options.Endpoint = setup.Collector;
            options.IncludeFormattedMessage = withMessage;
            options.ScheduledDelay = OpenTelemetryOtlpLibrary.ScheduledDelay;
        });
    }

    /// <summary>The library with the endpoint set and nothing else.</summary>
    public static ILibrary WithDefaults(LibrarySetup setup) => new DefaultsLibrary(builder =>
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        builder.AddAsyncOtlp(options => options.Endpoint = setup.Collector);
    });

    public void Drain(IServiceProvider services) => AsyncLogLibrary.DrainAll(services);

    public void Dispose()
    {
        // the container owns everything
    }
}
