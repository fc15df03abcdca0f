using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>A fixed count of records from several threads into a library, timed until the last byte is written and until it is closed, and verified.</summary>
internal static class FileLoad
{
    public static Dictionary<string, double> Run(ILibrary library, int threads, int count)
    {
        long start, cpu, produced;
        LastByte lastByte;
        using (var host = new LoggerHost(library))
        {
            // created and waiting before the clock runs
            using var gate = new ManualResetEventSlim();
            var share = count / threads;
            var producers = Enumerable.Range(0, threads).Select(number => Producer(host, gate, (long)number * share, share)).ToList();
            start = Stopwatch.GetTimestamp();
            cpu = CpuClock.OfProcess;
            gate.Set();
            foreach (var producer in producers)
                producer.Join();
            produced = Stopwatch.GetTimestamp();
            lastByte = LastByte.Watch(library.Files);
        }

        var closed = Stopwatch.GetTimestamp();
        var written = lastByte.End(closed);
        cpu = CpuClock.OfProcess - cpu - lastByte.ProcessorTime;
        var records = count / threads * threads;
        library.Verify(WrittenLines.Of(0, records));
        return Values(records, cpu, Stopwatch.GetElapsedTime(start, written).TotalSeconds, Stopwatch.GetElapsedTime(start, closed).TotalSeconds, Stopwatch.GetElapsedTime(start, produced).TotalSeconds);
    }

    /// <summary>The figures of such a load, from any caller.</summary>
    public static Dictionary<string, double> Values(double records, double cpuNanoseconds, double written, double closed, double produced) => new()
    {
        [Figures.RecordsPerSecond.Key] = records / written,
        [Figures.CpuPerRecord.Key] = cpuNanoseconds / records,
        [Figures.Seconds.Key] = written,
        [Figures.ClosedSeconds.Key] = closed,
        [Figures.ProducerSeconds.Key] = produced,
    };

    private static Thread Producer(LoggerHost host, ManualResetEventSlim gate, long first, int count)
    {
        var logger = host.Logger;
        var thread = new Thread(() =>
        {
            gate.Wait();
            for (var n = first; n < first + count; n++)
                OrderLog.Generated(logger, OrderNumbers.At(n));
        });
        thread.Start();
        return thread;
    }
}
