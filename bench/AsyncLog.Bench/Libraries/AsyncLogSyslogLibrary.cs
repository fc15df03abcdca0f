using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to a syslog receiver: RFC 5424 with structured data, as it comes.</summary>
internal sealed class AsyncLogSyslogLibrary(LibrarySetup setup) : ILibrary
{
    // A receiver that takes nothing must not hold the end up.
    private static readonly TimeSpan Goodbye = TimeSpan.FromSeconds(2);

    public void AddTo(ILoggingBuilder builder)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        builder.AddAsyncSyslog(Configure);
    }

    public void Drain(IServiceProvider services) => AsyncLogLibrary.DrainAll(services);

    public void Dispose()
    {
        // the container owns everything
    }

    private void Configure(AsyncSyslogLoggerOptions options)
    {
        AsyncLogLibrary.Configure(options, setup.Drops);
        if (setup.Drops)
            options.ShutdownTimeout = Goodbye;
        options.Endpoint = setup.Receiver;
        // the same names in every process
        options.HostName = "host-1";
        options.AppName = "bench";
    }
}
