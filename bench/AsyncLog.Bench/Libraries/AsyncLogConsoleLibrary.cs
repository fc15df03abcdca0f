using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to standard output.</summary>
internal sealed class AsyncLogConsoleLibrary(LibrarySetup setup) : ILibrary
{
    /// <summary>The name of its instance.</summary>
    public const string Instance = "console/default";

    // A reader that takes nothing must not hold the end up.
    private static readonly TimeSpan Goodbye = TimeSpan.FromSeconds(2);

    public void AddTo(ILoggingBuilder builder)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        builder.AddAsyncConsole(options =>
        {
            AsyncLogLibrary.Configure(options, setup.Drops);
            if (setup.Drops)
                options.ShutdownTimeout = Goodbye;
            options.Template = AsyncLogLibrary.SameLine;
        });
    }

    public void Drain(IServiceProvider services) => AsyncLogLibrary.DrainAll(services);

    public void Dispose()
    {
        // the container owns everything
    }
}
