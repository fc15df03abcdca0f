using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>Mode <c>acknowledge</c>: how long a call takes that waits until its record is written, and how often the worker wakes for it.</summary>
internal sealed class AcknowledgeMode : IMode
{
    public static readonly Figure Half = new("half", "half within us", "F0", 1_000) { HasRange = true };
    public static readonly Figure Most = new("most", "99 % within us", "F0", 1_000) { HasRange = true };
    public static readonly Figure Wakes = new("wakes", "sleeps of the worker per call", "F2") { HasRange = true };

    public string Name => "acknowledge";

    public MethodText Method { get; } =
        "One thread logs records that `AcknowledgeLevel` names, one after the other: each `Log` call returns when its record is written, or with `FlushToDiskLevel`, when it is on disk. The warm-up has as many calls as the measurement. "
        + "The sleeps of the worker are its voluntary context switches, including those of a sync. One wake-up through .NET's monitor causes 2.6 to 3.1 of them, measured with two threads that only wake each other.";

    public IReadOnlyList<Figure> Figures { get; } = [Half, Most, Wakes];

    public IReadOnlyList<Gate> Gates => [];

    public IReadOnlyList<IRun> Plan(BenchArguments arguments)
    {
        var calls = arguments.Number("calls", arguments.Quick(10_000, 200));
        return [new AcknowledgeRun("/dev/shm", "tmpfs", LogLevel.None, calls), new AcknowledgeRun(null, "disk", LogLevel.None, calls), new AcknowledgeRun(null, "disk, synced", LogLevel.Information, calls / 10)];
    }

    /// <summary>In the harness itself.</summary>
    private sealed record AcknowledgeRun(string? Root, string Load, LogLevel Synced, int Calls) : IRun
    {
        public string Title => $"acknowledge {Load}";

        public string Library => "asynclog-text";

        public double Seconds => 3;

        public IReadOnlyList<BenchResult> Execute(string directory, int round)
        {
            var folder = Directory.CreateDirectory(Path.Combine(Root ?? directory, $"asynclog-bench-{Environment.ProcessId}-{Synced}")).FullName;
            using var services = new ServiceCollection().AddLogging(logging => logging.AddAsyncFile("ack", options =>
            {
                (options.Path, options.AcknowledgeLevel, options.FlushToDiskLevel) = (Path.Combine(folder, "ack.log"), LogLevel.Information, Synced);
                (options.AcknowledgeFailureMode, options.RollingInterval) = (AcknowledgeFailureMode.Throw, RollingInterval.None);
            })).Configure<AsyncLogOptions>(static options => options.StartupReport = false).BuildServiceProvider();
            var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Bench");
            var times = new LatencyHistogram();
            for (var call = 0; call < Calls; call++)
                OrderLog.Generated(logger, OrderNumbers.At(call));
            var sleeps = Sleeps();
            for (var call = 0; call < Calls; call++)
            {
                var start = Stopwatch.GetTimestamp();
                OrderLog.Generated(logger, OrderNumbers.At(call));
                times.Record((long)Stopwatch.GetElapsedTime(start).TotalNanoseconds);
            }

            var values = new Dictionary<string, double> { [Half.Key] = times.Percentile(50), [Most.Key] = times.Percentile(99), [Wakes.Key] = (double)(Sleeps() - sleeps) / Calls };
            services.Dispose();
            Directory.Delete(folder, recursive: true);
            return [new BenchResult("acknowledge", Load, Library, round, values)];
        }

        // Linux keeps 15 characters of a thread's name.
        private static long Sleeps() => Directory.GetDirectories("/proc/self/task").Where(static task => File.ReadAllText(Path.Combine(task, "comm")).StartsWith("AsyncLog file/a", StringComparison.Ordinal))
            .Sum(static task => long.Parse(File.ReadLines(Path.Combine(task, "status")).Single(static line => line.StartsWith("voluntary", StringComparison.Ordinal)).Split('\t')[1], CultureInfo.InvariantCulture));
    }
}
