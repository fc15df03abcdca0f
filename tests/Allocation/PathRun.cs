using System.Globalization;
using System.Runtime;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>One path in this process: warms up, logs, and prints the bytes the whole process allocated meanwhile, worker included.</summary>
internal static class PathRun
{
    /// <summary>How many records are measured.</summary>
    public static readonly int Records = ReleaseRun.Count(usual: 100_000, release: 1_000_000);

    public const int QueueMemory = 8 << 20;

    private const int WarmUp = 30_000;

    // well below the queue's memory, so that what is measured is written, not dropped
    private const int Burst = 2_500;

    // The runtime begins to compile hot methods anew 100 ms after the last method that was new to it.
    private const int PollsWithoutCompiling = 30;
    private const int CompilingPollMilliseconds = 10;

    public static int Run(AllocationPath path)
    {
        var folder = Directory.CreateTempSubdirectory("asynclog-allocation-").FullName;
        try
        {
            var bytes = Measure(path, Path.Combine(folder, "path.log"));
            Console.WriteLine(bytes.ToString(CultureInfo.InvariantCulture));
            return 0;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    public static int Explain(AllocationPath path)
    {
        using var types = new AllocatedTypes();
        var result = Run(path);
        Console.Error.WriteLine(types.ToString());
        return result;
    }

    private static long Measure(AllocationPath path, string file)
    {
        using Progress written = path.Target switch
        {
            TargetKind.Syslog or TargetKind.SyslogStream => new Receiver(isStream: path.Target == TargetKind.SyslogStream),
            TargetKind.Otlp => new OtlpReceiver(),
            _ => new WrittenFile(file),
        };
        using var services = Targets.Create(path.Target, file, written.Port);
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Allocation");
        using var surrounding = path.Surround?.Invoke(logger);
        var control = services.GetService<IAsyncLogControl>();
        WarmUpUntilSettled(path, logger, written, control);

        Flush(path, control);
        var before = control?.GetStatus().Instances[0];
        LogAll(path, logger, written, WarmUp);
        var start = Allocated(path);
        LogAll(path, logger, written, Records);
        var bytes = Allocated(path) - start;
        Flush(path, control);
        Verify(path, before, control?.GetStatus().Instances[0]);
        return bytes;
    }

    private static long Allocated(AllocationPath path) => path.IsCallerOnly ? GC.GetAllocatedBytesForCurrentThread() : GC.GetTotalAllocatedBytes(precise: true);

    // Compiled for good, and every segment of the queue made: it was full once. Callers that wait never fill it.
    private static void WarmUpUntilSettled(AllocationPath path, ILogger logger, Progress written, IAsyncLogControl? control)
    {
        while (path.Writes && path.Target != TargetKind.Acknowledged && control!.GetStatus().Instances[0].DroppedBeforeAcceptance == 0)
            Parallel.For(0, 4, _ => Repeat(path, logger, WarmUp));
        for (var round = 0; round < 3; round++)
        {
            LogAll(path, logger, written, WarmUp);
            WaitUntilCompiled();
        }
    }

    private static void WaitUntilCompiled()
    {
        long compiled = 0;
        var quietPolls = 0;
        Eventually.True(
            () =>
            {
                var now = JitInfo.GetCompiledMethodCount();
                quietPolls = now == compiled ? quietPolls + 1 : 0;
                compiled = now;
                return quietPolls == PollsWithoutCompiling;
            },
            pollMilliseconds: CompilingPollMilliseconds);
    }

    private static void Repeat(AllocationPath path, ILogger logger, int records)
    {
        for (var number = 0; number < records; number++)
            path.Log(logger, number);
    }

    private static void LogAll(AllocationPath path, ILogger logger, Progress written, int records)
    {
        for (var number = 0; number < records; number++)
        {
            path.Log(logger, number);
            if (path.Writes && number % Burst == Burst - 1)
                written.WaitUntilQuiet();
        }
    }

    private static void Flush(AllocationPath path, IAsyncLogControl? control)
    {
        if (path.Writes)
            control?.FlushAsync(TimeSpan.FromSeconds(30)).GetAwaiter().GetResult();
    }

    // Zero bytes prove nothing when the records went another way than the path says.
    private static void Verify(AllocationPath path, SinkStatus? before, SinkStatus? after)
    {
        if (before is null || after is null)
            return;
        var calls = Records + WarmUp;
        var written = after.Written - before.Written;
        var dropped = after.DroppedBeforeAcceptance - before.DroppedBeforeAcceptance;
        var expected = path.Writes ? (calls, 0) : path.Target == TargetKind.Blocked ? (0, calls) : (0, 0);
        if ((written, dropped) != expected)
            throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"{written} written and {dropped} dropped, expected {expected}"));
    }
}
