using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>The application: threads that log evenly paced; who was held up catches up.</summary>
internal sealed class Load(ILogger logger, int threads, int recordsPerSecond) : IDisposable
{
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(1);
    private readonly ManualResetEventSlim _stop = new();
    private readonly List<Thread> _threads = [];
    private readonly long[] _calls = new long[threads];

    /// <summary>All calls that returned.</summary>
    public long Calls => Marks().Sum();

    /// <summary>The sequences that come next, by thread. A record with a higher one is logged later than now.</summary>
    public long[] Marks()
    {
        var marks = new long[threads];
        for (var i = 0; i < threads; i++)
            marks[i] = Volatile.Read(ref _calls[i]);
        return marks;
    }

    public void Start()
    {
        for (var i = 0; i < threads; i++)
        {
            var number = i;
            _threads.Add(new Thread(() => Produce(number)) { IsBackground = true, Name = $"producer {number}" });
        }

        _threads.ForEach(static thread => thread.Start());
    }

    public void Stop()
    {
        _stop.Set();
        _threads.ForEach(static thread => thread.Join());
    }

    public void Dispose() => _stop.Dispose();

    private void Produce(int number)
    {
        var start = Stopwatch.GetTimestamp();
        var sequence = 0L;
        while (!_stop.Wait(Pace))
        {
            var due = (long)(Stopwatch.GetElapsedTime(start).TotalSeconds * recordsPerSecond / threads);
            while (sequence < due && !_stop.IsSet)
            {
                logger.Log(LogLevel.Information, default, EnduranceRecord.Text(number, sequence), null, static (text, _) => text);
                Volatile.Write(ref _calls[number], ++sequence);
            }
        }
    }
}
