using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>Records of the instances of one name that were logged after dispose, when nothing reports losses any more: their number is reported at the end of the
/// process. It keeps no instance alive. Any thread.</summary>
internal sealed class LateRecords
{
    private static readonly ConcurrentDictionary<string, LateRecords> All = new(StringComparer.Ordinal);
    private readonly string _name;
    private SelfReport? _report;
    private long _count;

    static LateRecords()
    {
        AppDomain.CurrentDomain.ProcessExit += static (_, _) => ReportAll();
        AppDomain.CurrentDomain.UnhandledException += static (_, _) => ReportAll();
    }

    private LateRecords(string name) => _name = name;

    /// <summary>Gets those of a name.</summary>
    /// <param name="instance">The name of an instance that was disposed.</param>
    /// <param name="report">Reports them; a later instance of the name brings its own.</param>
    public static LateRecords Of(string instance, SelfReport report)
    {
        var late = All.GetOrAdd(instance, static name => new LateRecords(name));
        Volatile.Write(ref late._report, report);
        return late;
    }

    public void Add(long records) => Interlocked.Add(ref _count, records);

    /// <summary>Reports the records since the last call, if there are any.</summary>
    public void Report()
    {
        if (Interlocked.Exchange(ref _count, 0) is > 0 and var count)
        {
            _report!.WriteFinal(
                SelfReportLevel.Warning, _name,
                $"{ControlText.Count(count, "record was", "records were")} logged after dispose, and {(count == 1 ? "is" : "are")} lost ({DropReasons.NameOf(DropReason.AlreadyShutdown)}).");
        }
    }

    private static void ReportAll()
    {
        foreach (var late in All.Values)
            late.Report();
    }
}
