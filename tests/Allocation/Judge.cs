using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace AsyncLog.Tests;

/// <summary>Runs every path in a process of its own and compares what it cost with what it may.</summary>
internal static class Judge
{
    // Half of a run is waiting for its last byte.
    private const int AtOnce = 2;

    // 10 KB in a run, which the runtime itself may need: a tenth of a byte per record in 10^5 of them, a hundredth in 10^6.
    private static readonly double Tolerance = 10_000.0 / PathRun.Records;

    public static int Run(string part)
    {
        var nothing = new ConcurrentDictionary<string, Lazy<double>>(StringComparer.Ordinal);
        var failed = 0;
        var passed = 0;
        var verdicts = PathCatalogue.All.Where(path => path.Name.Contains(part, StringComparison.Ordinal))
            .AsParallel().AsOrdered().WithDegreeOfParallelism(AtOnce).WithMergeOptions(ParallelMergeOptions.NotBuffered)
            .Select(path => Judged(path, nothing));
        foreach (var (isGood, text) in verdicts)
        {
            (passed, failed) = isGood ? (passed + 1, failed) : (passed, failed + 1);
            Console.WriteLine(text);
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{passed} passed, {failed} failed"));
        return failed == 0 ? 0 : 1;
    }

    private static (bool IsGood, string Text) Judged(AllocationPath path, ConcurrentDictionary<string, Lazy<double>> nothing)
    {
        var allowed = path.Allowed ?? Nothing(nothing, path.Name);
        if (path.Besides is { } besides)
            allowed += Cost(nothing, besides);
        var (cost, error) = Measure(path.Name, allowed);
        var isGood = error is null && cost <= allowed + Tolerance;
        return (isGood, string.Create(
            CultureInfo.InvariantCulture,
            $"{(isGood ? "ok    " : "FAILED")} {path.Name,-36} {cost,10:F4} bytes per record{(allowed is > 0 and < double.MaxValue ? $", allowed {allowed:F0}" : "")}{error}"));
    }

    // "text, template" and "dropped template" may cost what "nothing, template" does
    private static double Nothing(ConcurrentDictionary<string, Lazy<double>> known, string name)
        => Cost(known, "nothing, " + name[name.IndexOf("template", StringComparison.Ordinal)..]);

    private static double Cost(ConcurrentDictionary<string, Lazy<double>> known, string name)
        => known.GetOrAdd(name, static baseline => new(() => Measure(baseline, double.MaxValue).Cost)).Value;

    // The least of up to three runs: what a record costs, it costs in every run; what the runtime does for itself, it does in some. A run in
    // which records were dropped, because the worker of a busy machine could not keep up, measures something else and counts as none.
    private static (double Cost, string? Error) Measure(string name, double allowed)
    {
        var result = MeasureOnce(name);
        for (var attempt = 2; attempt <= 3 && (result.Error is not null || result.Cost > allowed + Tolerance); attempt++)
            result = MeasureOnce(name);
        return result;
    }

    private static (double Cost, string? Error) MeasureOnce(string name)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardOutput = true, RedirectStandardError = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
            start.ArgumentList.Add(typeof(Judge).Assembly.Location);
        start.ArgumentList.Add("--run");
        start.ArgumentList.Add(name);
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 && long.TryParse(output.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var bytes)
            ? ((double)bytes / PathRun.Records, null)
            : (double.NaN, " " + errors.Result.Split('\n')[0]);
    }
}
