using System.IO.Compression;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests;

/// <summary>Logs for a long time to a file that is rolled, compressed and retained, undisturbed: memory and handles have to stay as they are.</summary>
internal sealed class SoakRun(TimeSpan duration, Checks checks)
{
    private const int RecordsPerSecond = 50_000;
    private const int Threads = 4;
    private const int FilesKept = 5;
    private const long FileSizeLimit = 16L << 20;
    private const int LooksForQuarters = 40;
    private const int LeastRecordBytes = 80;

    // The collector's heap breathes; what leaks 10 bytes in a thousand records is found in half an hour.
    private const long MemorySpare = 16L << 20;
    private const int HandlesSpare = 2;
    private static readonly TimeSpan Budget = TimeSpan.FromSeconds(30);

    public void Run()
    {
        var folder = Directory.CreateTempSubdirectory("asynclog-soak-").FullName;
        try
        {
            Run(folder);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static ServiceProvider Services(string folder)
    {
        var services = new ServiceCollection();
        services.Configure<AsyncLogOptions>(static options => options.StartupReport = false);
        services.AddLogging(builder => builder.AddAsyncFile(options =>
        {
            options.Path = Path.Combine(folder, "soak.log");
            options.Template = "{Category}: {Message}{NewLine}";
            options.FileSizeLimit = FileSizeLimit;
            options.RetainedFileCountLimit = FilesKept;
            options.Compression = CompressionMethod.Gzip;
            options.ShutdownTimeout = Budget;
        }));
        return services.BuildServiceProvider();
    }

    // A file in the making, or a file beside its compressed one.
    private static bool IsCompressing(string folder)
    {
        var names = Directory.EnumerateFiles(folder).Select(Path.GetFileName).ToHashSet();
        return names.Any(name => name!.EndsWith(".tmp", StringComparison.Ordinal) || names.Contains(name + ".gz"));
    }

    private static IEnumerable<(string Name, byte[] Content, bool IsCopy)> Read(string folder)
    {
        foreach (var path in Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal))
        {
            using var file = File.OpenRead(path);
            using Stream content = path.EndsWith(".gz", StringComparison.Ordinal) ? new GZipStream(file, CompressionMode.Decompress) : file;
            using var whole = new MemoryStream();
            content.CopyTo(whole);
            yield return (Path.GetFileName(path), whole.ToArray(), false);
        }
    }

    private void Run(string folder)
    {
        var provider = Services(folder);
        var control = provider.GetRequiredService<IAsyncLogControl>();
        var logger = provider.GetRequiredService<ILoggerFactory>().CreateLogger(EnduranceRecord.Category);
        using var load = new Load(logger, Threads, RecordsPerSecond);
        using var watch = new StatusWatch(control);
        using var footprint = new Footprint();
        watch.Start();
        load.Start();
        Polling.For(duration);
        load.Stop();
        watch.Stop();
        footprint.Stop();
        provider.Dispose();
        // The compressing thread has a low priority and ends soon after the sink.
        Polling.Until(() => !IsCompressing(folder), Budget);

        var judge = new FileJudge(load.Marks());
        judge.Read(Read(folder));
        JudgeCounters(judge, watch, control.GetStatus().Instances[0], load.Calls);
        JudgeFootprint(footprint);
    }

    private void JudgeCounters(FileJudge judge, StatusWatch watch, SinkStatus status, long calls)
    {
        checks.That("50,000 records a second are logged", calls >= RecordsPerSecond * duration.TotalSeconds * 0.95, $"{calls} in all");
        checks.That("calls = offered = written + dropped", calls == status.Offered && calls == status.Written + status.Dropped, $"{calls} = {status.Offered} = {status.Written} + {status.Dropped}");
        checks.That(
            "as many files as are to be kept, if so many were rolled",
            judge.Files <= FilesKept + 1 && judge.Files >= Math.Min(FilesKept, calls * LeastRecordBytes / FileSizeLimit), $"{judge.Files} files");
        checks.That("what is kept goes on without a gap to the last record, but for drops", judge.MissingSinceFirst <= status.Dropped, $"{judge.Lines} lines, {judge.MissingSinceFirst} missing, {status.Dropped} dropped");
        checks.None("every kept line is whole", judge.Torn);
        checks.None("no kept record is there twice", judge.Twice);
        checks.None("the order of each thread holds", judge.Order);
        checks.None($"the counters add up in every snapshot, {watch.Snapshots} times", watch.Findings);
    }

    private void JudgeFootprint(Footprint footprint)
    {
        if (footprint.Looks < LooksForQuarters)
        {
            checks.Skip("memory and handles stay as they are", "the run is too short");
            return;
        }

        long[] memory = [.. Enumerable.Range(0, 4).Select(quarter => footprint.MemoryIn(quarter) >> 20)];
        int[] handles = [.. Enumerable.Range(0, 4).Select(footprint.HandlesIn)];
        checks.That("memory is flat", footprint.MemoryIn(3) <= footprint.MemoryIn(1) + MemorySpare, $"{string.Join(", ", memory)} MB by quarter");
        checks.That("handles stay as many", handles[3] <= handles[1] + HandlesSpare, $"{string.Join(", ", handles)} by quarter");
    }
}
