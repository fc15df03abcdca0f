using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;

namespace AsyncLog.Bench;

/// <summary>MEL's own console, standard output redirected to a file or a pipe by the parent process.</summary>
internal sealed class ConsoleLibrary(LibrarySetup setup, int queueLength) : ILibrary
{
    private readonly FileInfo _output = new(setup.PathOf(ChildProcess.StandardOutput));

    public int Room => queueLength / 2;

    public IReadOnlyList<string> Files => [_output.FullName];

    public void AddTo(ILoggingBuilder builder) => builder
        .AddSimpleConsole(static options =>
        {
            options.SingleLine = true;
            options.TimestampFormat = "yyyy-MM-dd HH:mm:ss.fff ";
            options.ColorBehavior = LoggerColorBehavior.Disabled;
        })
        .Services.Configure<ConsoleLoggerOptions>(options =>
        {
            options.MaxQueueLength = queueLength;
            options.QueueFullMode = setup.Drops ? ConsoleLoggerQueueFullMode.DropWrite : ConsoleLoggerQueueFullMode.Wait;
        });

    // the console has no flush: it is drained when the file has stopped growing
    public void Drain(IServiceProvider services)
    {
        long before;
        do
        {
            before = Length();
            Thread.Sleep(20);
        }
        while (Length() != before);
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

    private long Length()
    {
        _output.Refresh();
        return _output.Length;
    }
}
