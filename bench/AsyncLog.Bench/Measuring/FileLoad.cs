using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>A fixed count of records from several threads into a library, timed until it is disposed, and verified.</summary>
internal static class FileLoad
{
    public static Dictionary<string, double> Run(ILibrary library, int threads, int count)
    {
        long start, cpu;
        TimeSpan produced;
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
            produced = Stopwatch.GetElapsedTime(start);
        }

        var elapsed = Stopwatch.GetElapsedTime(start);
        cpu = CpuClock.OfProcess - cpu;
        var records = count / threads * threads;
        library.Verify(WrittenLines.Of(0, records));
        return new Dictionary<string, double>
        {
            [Figures.RecordsPerSecond.Key] = records / elapsed.TotalSeconds,
            [Figures.CpuPerRecord.Key] = (double)cpu / records,
            [Figures.Seconds.Key] = elapsed.TotalSeconds,
            [SaturateMode.ProducerSeconds.Key] = produced.TotalSeconds,
        };
    }

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
