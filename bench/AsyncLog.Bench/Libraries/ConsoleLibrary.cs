using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Console;

namespace AsyncLog.Bench;

/// <summary>MEL's own console, standard output redirected to a file by whoever started this process.</summary>
internal sealed class ConsoleLibrary : ILibrary
{
    private readonly ILoggerFactory _factory = LoggerFactory.Create(static builder => builder
        .AddSimpleConsole(static options =>
        {
            options.SingleLine = true;
            options.TimestampFormat = "yyyy-MM-dd HH:mm:ss.fff ";
            options.ColorBehavior = LoggerColorBehavior.Disabled;
        })
        .Services.Configure<ConsoleLoggerOptions>(static options =>
        {
            options.MaxQueueLength = 100_000;
            options.QueueFullMode = ConsoleLoggerQueueFullMode.Wait;
        }));

    private readonly FileInfo _output;

    public ConsoleLibrary(string directory)
    {
        _output = new FileInfo(Path.Combine(directory, ChildProcess.StandardOutput));
        Logger = _factory.CreateLogger(OrderLog.Category);
    }

    public ILogger Logger { get; }

    public int Room => 50_000;

    public IReadOnlyList<string> Files => [_output.FullName];

    // the console has no flush: it is drained when the file has stopped growing
    public void Drain()
    {
        long before;
        do
        {
            before = Length();
            Thread.Sleep(20);
        }
        while (Length() != before);
    }

    public void Dispose() => _factory.Dispose();

    private long Length()
    {
        _output.Refresh();
        return _output.Length;
    }
}
