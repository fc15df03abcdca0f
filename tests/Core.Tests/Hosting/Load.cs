using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Hosting;

/// <summary>Threads that log numbered records, each through loggers of many categories in turn, until told to stop.</summary>
internal sealed class Load
{
    private readonly CancellationTokenSource _stop = new();
    private readonly List<Thread> _threads;
    private long _offered;

    public Load(ILoggerFactory factory, int threads = 4, int categories = 1)
    {
        var loggers = Enumerable.Range(0, categories).Select(number => factory.CreateLogger($"Category{number}")).ToArray();
        _threads = [.. Enumerable.Range(0, threads).Select(number => new Thread(() => Produce(loggers, number)) { IsBackground = true })];
        _threads.ForEach(static thread => thread.Start());
    }

    public long Offered => Volatile.Read(ref _offered);

    public long Stop()
    {
        _stop.Cancel();
        _threads.ForEach(static thread => thread.Join());
        return _offered;
    }

    /// <summary>The lines of each thread stand in the order in which they were logged.</summary>
    public static void AssertOrder(IEnumerable<string> lines)
    {
        var last = new Dictionary<string, long>(StringComparer.Ordinal);
        foreach (var line in lines.Where(static line => line.Contains(':', StringComparison.Ordinal)))
        {
            var parts = line.Split(' ')[^1].Split(':');
            var number = long.Parse(parts[1], CultureInfo.InvariantCulture);
            Assert.True(number > last.GetValueOrDefault(parts[0], -1), $"{line} after {last.GetValueOrDefault(parts[0], -1)}");
            last[parts[0]] = number;
        }
    }

    private void Produce(ILogger[] loggers, int thread)
    {
        for (var i = 0L; !_stop.IsCancellationRequested; i++)
        {
            loggers[i % loggers.Length].LogInformation("{Thread}:{Number}", thread, i);
            Interlocked.Increment(ref _offered);
        }
    }
}
