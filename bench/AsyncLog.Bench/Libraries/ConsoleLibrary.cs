using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;

namespace AsyncLog.Bench;

/// <summary>MEL's own console, standard output redirected to a file or a pipe by the parent process.</summary>
internal sealed class ConsoleLibrary(LibrarySetup setup, int queueLength, bool isJson = false) : ILibrary
{
    private readonly FileInfo _output = new(setup.PathOf(ChildProcess.StandardOutput));

    public int Room => queueLength / 2;

    public IReadOnlyList<string> Files => [_output.FullName];

    public void AddTo(ILoggingBuilder builder) => (isJson
        ? builder.AddJsonConsole(static options => options.IncludeScopes = true)
        : builder.AddSimpleConsole(options =>
        {
            options.SingleLine = true;
            options.TimestampFormat = "yyyy-MM-dd HH:mm:ss.fff ";
            options.ColorBehavior = LoggerColorBehavior.Disabled;
            options.IncludeScopes = setup.HasScopes;
        }))
        .Services.Configure<ConsoleLoggerOptions>(options =>
        {
            options.MaxQueueLength = queueLength;
            options.QueueFullMode = setup.Drops ? ConsoleLoggerQueueFullMode.DropWrite : ConsoleLoggerQueueFullMode.Wait;
        });

    // It has no flush.
    public void Drain(IServiceProvider services) => UntilQuiet(_output);

    /// <summary>Returns when a file has stopped growing.</summary>
    public static void UntilQuiet(FileInfo file)
    {
        long before;
        do
        {
            before = LengthOf(file);
            Thread.Sleep(20);
        }
        while (LengthOf(file) != before);
    }

    // standard output stays open; it appends, so that it goes on at the beginning
    public void RemoveFiles()
    {
        using var file = _output.Open(FileMode.Truncate);
    }

    public void Dispose()
    {
        // the container owns everything
    }

    private static long LengthOf(FileInfo file)
    {
        file.Refresh();
        return file.Exists ? file.Length : 0;
    }
}
