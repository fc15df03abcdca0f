using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>AsyncLog to standard output.</summary>
internal sealed class AsyncLogConsoleLibrary(LibrarySetup setup) : ILibrary
{
    /// <summary>The name of its instance.</summary>
    public const string Instance = "console/default";

    // Short, because a reader that takes nothing uses all of it.
    private static readonly TimeSpan LongestDrain = TimeSpan.FromSeconds(2);

    public void AddTo(ILoggingBuilder builder)
    {
        builder.Services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        builder.AddAsyncConsole(options =>
        {
            AsyncLogLibrary.Configure(options, setup.Drops);
            if (setup.Drops)
                options.ShutdownTimeout = LongestDrain;
            options.Template = AsyncLogLibrary.SameLine;
        });
    }

    public void Drain(IServiceProvider services) => AsyncLogLibrary.DrainAll(services);

    public void Dispose()
    {
        // the container owns everything
    }
}
