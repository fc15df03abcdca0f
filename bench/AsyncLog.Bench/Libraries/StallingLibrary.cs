using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to a file of our own sink, which can stand still 200 ms in every second, as a slow disk does.</summary>
internal sealed class StallingLibrary(LibrarySetup setup, bool stalls) : ILibrary
{
    public IReadOnlyList<string> Files { get; } = [setup.PathOf("stalling.log")];

    public void AddTo(ILoggingBuilder builder)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        builder.AddSink<StallingLoggerProvider, StallingOptions>(new StallingDefinition(), Configure);
    }

    public void Drain(IServiceProvider services) => AsyncLogLibrary.DrainAll(services);

    public void Dispose()
    {
        // the container owns everything
    }

    private void Configure(StallingOptions options)
    {
        AsyncLogLibrary.Configure(options, setup.Drops);
        options.Template = AsyncLogLibrary.SameLine;
        options.Format = "Text";
        options.Path = Files[0];
        options.Stalls = stalls;
    }
}
