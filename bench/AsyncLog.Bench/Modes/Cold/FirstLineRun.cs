using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>A process that logs one record, watched from outside until its first byte is in the file.</summary>
internal sealed record FirstLineRun(string Library) : IRun
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(20);

    public string Title => "cold first line " + Library;

    public double Seconds => 1;

    public IReadOnlyList<BenchResult> Execute(string directory, int round)
    {
        // it writes nothing yet: asked for the path of its file only
        string file;
        using (var library = LibraryCatalogue.Create(Library, new LibrarySetup(directory, Drops: false)))
            file = library.Files[0];
        var start = Stopwatch.GetTimestamp();
        using var process = ChildProcess.Start([.. ChildProcess.Self(), ColdRun.Command, "--library", Library, "--directory", directory, "--one"], directory, serverGc: false);
        var errors = Task.Run(() => ChildProcess.ReadErrors(process.StandardError));
        var visible = Wait(file, start);
        process.WaitForExit();
        if (process.ExitCode != 0 || visible is null)
            throw new InvalidOperationException($"no first line: {errors.GetAwaiter().GetResult()}");
        return [new BenchResult("cold", ColdMode.FirstLine, Library, round, new Dictionary<string, double> { [ColdMode.Visible.Key] = visible.Value.TotalNanoseconds })];
    }

    private static TimeSpan? Wait(string file, long start)
    {
        while (new FileInfo(file) is not { Exists: true, Length: > 0 })
        {
            if (Stopwatch.GetElapsedTime(start) > LongestWait)
                return null;
            Thread.Sleep(Interval);
        }

        return Stopwatch.GetElapsedTime(start);
    }
}
