using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>One library in a process of its own: silence, then single records.</summary>
internal static class IdleRun
{
    public const string Command = "idle-run";
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(120);
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Silence = TimeSpan.FromMilliseconds(1_500);
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(5);

    public static int Run(BenchArguments arguments)
    {
        var directory = arguments.Text("directory", ".");
        var name = arguments.Text("library", "no-op");
        var load = arguments.Text("load", IdleMode.Silence);
        var setup = new LibrarySetup(directory, Drops: false);
        if (load == IdleMode.FirstRecord)
            WarmUp.With(name, setup, arguments, CallStyle.Generated);
        using var library = LibraryCatalogue.Create(name, setup);
        var values = new Dictionary<string, double>();
        var calls = 0;
        using (var host = new LoggerHost(library))
        {
            for (; calls < arguments.Quick(load == IdleMode.Silence ? 25 : 2, 2); calls++)
            {
                OrderLog.Generated(host.Logger, OrderNumbers.At(calls));
                Thread.Sleep(Pause);
            }

            host.Drain();
            Thread.Sleep(Settling);
            if (load == IdleMode.Silence)
            {
                values[IdleMode.IdleShare.Key] = IdleShare(TimeSpan.FromSeconds(arguments.Number("seconds", 1)));
            }
            else
            {
                var times = Enumerable.Range(0, arguments.Number("probes", 1)).Select(_ => (double)Visible(host, library.Files[0], calls++)).ToList();
                values[IdleMode.Visible.Key] = Spread.Of(times).Median;
                values[IdleMode.VisibleMax.Key] = times.Max();
            }
        }

        library.Verify(WrittenLines.Of(0, calls));
        ChildRun.Leave(directory, [new BenchResult("idle", load, name, arguments.Number("round", 0), values)]);
        return 0;
    }

    private static double IdleShare(TimeSpan time)
    {
        var cpu = CpuClock.OfProcess;
        var start = Stopwatch.GetTimestamp();
        Thread.Sleep(time);
        return (CpuClock.OfProcess - cpu) / Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }

    // nanoseconds from the begin of the call to the first new byte
    private static long Visible(LoggerHost host, string file, int call)
    {
        Thread.Sleep(Silence);
        using var handle = File.OpenHandle(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var before = RandomAccess.GetLength(handle);
        var start = Stopwatch.GetTimestamp();
        OrderLog.Generated(host.Logger, OrderNumbers.At(call));
        while (RandomAccess.GetLength(handle) == before)
        {
            if (Stopwatch.GetElapsedTime(start) > LongestWait)
                throw new InvalidOperationException($"no byte in the file for {LongestWait.TotalSeconds} s");
            // A thread that was woken on this processor would else wait until this one has used up its time.
            Thread.Yield();
        }

        return (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
    }
}
