using System.IO.MemoryMappedFiles;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Victim;

/// <summary>Logs numbered records, thread 0 on request and others without a pause. After each the ledger has the number, whatever happens next.</summary>
internal sealed class Storm(ILogger logger, string? ledger)
{
    private const int Most = 64;
    private readonly MemoryMappedViewAccessor? _ledger = ledger is null
        ? null
        : MemoryMappedFile.CreateFromFile(ledger, FileMode.OpenOrCreate, null, Most * sizeof(long)).CreateViewAccessor();

    private readonly List<Thread> _threads = [];
    private volatile bool _isOver;
    private long _number;

    public ILogger Logger => logger;

    /// <summary>One record of thread 0.</summary>
    public void One(LogLevel level, int length) => Write(level, 0, ++_number, new string('x', length));

    /// <summary>Starts threads whose numbers begin at <paramref name="first"/>.</summary>
    public string Start(int threads, long first)
    {
        for (var i = 1; i <= threads; i++)
        {
            var thread = i;
            _threads.Add(new Thread(() => Run(thread, first)) { IsBackground = true });
            _threads[^1].Start();
        }

        return "storming";
    }

    public string Halt()
    {
        _isOver = true;
        _threads.ForEach(static thread => thread.Join());
        return "halted";
    }

    private void Run(int thread, long first)
    {
        var padding = new string('x', 40);
        for (var number = first; !_isOver; number++)
            Write(LogLevel.Information, thread, number, padding);
    }

    private void Write(LogLevel level, int thread, long number, string padding)
    {
        logger.Log(level, "{Thread} {Number} {Padding}.", thread, number, padding);
        _ledger?.Write(thread * sizeof(long), number);
    }
}
