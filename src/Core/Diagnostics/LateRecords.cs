using System.Collections.Concurrent;
using System.Runtime.Loader;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Records of an instance that were logged after dispose, when nothing reports losses any more: their number is reported at the end of the process,
/// for all instances of a name together. Any thread.</summary>
internal sealed class LateRecords(string instance, SelfReport report)
{
    // The first instance of each name that got such records; it also counts those of later instances. Without such records nothing is kept alive.
    private static readonly ConcurrentDictionary<string, LateRecords> All = new(StringComparer.Ordinal);
    private static bool _isEnding;
    private long _count;

    static LateRecords()
    {
        AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
        AppDomain.CurrentDomain.UnhandledException += OnUnhandledException;
        // The handlers of the process would keep a load context in memory that its host unloads.
        if (AssemblyLoadContext.GetLoadContext(typeof(LateRecords).Assembly) is { IsCollectible: true } context)
            context.Unloading += OnUnloading;
    }

    public void Add(long records)
    {
        var late = All.GetOrAdd(instance, this);
        Interlocked.Add(ref late._count, records);
        // A handler of the process that runs after those below.
        if (Volatile.Read(ref _isEnding))
            late.Report();
    }

    /// <summary>Reports the records of a name since the last call, if there are any.</summary>
    public static void Report(string instance)
    {
        if (All.TryGetValue(instance, out var late))
            late.Report();
    }

    private static void OnProcessExit(object? sender, EventArgs e) => EndAll();

    private static void OnUnhandledException(object sender, UnhandledExceptionEventArgs e) => EndAll();

    // A full barrier, as between the count of a record and its read of the field.
    private static void EndAll()
    {
        Interlocked.Exchange(ref _isEnding, true);
        ReportAll();
    }

    private static void OnUnloading(AssemblyLoadContext context)
    {
        AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        AppDomain.CurrentDomain.UnhandledException -= OnUnhandledException;
        ReportAll();
    }

    private static void ReportAll()
    {
        foreach (var late in All.Values)
            late.Report();
    }

    private void Report()
    {
        if (Interlocked.Exchange(ref _count, 0) is > 0 and var count)
        {
            report.WriteFinal(
                LogLevel.Warning, instance,
                $"{ControlText.Count(count, "record was", "records were")} logged after dispose, and {(count == 1 ? "is" : "are")} lost ({DropReasons.NameOf(DropReason.AlreadyShutdown)}).");
        }
    }
}
