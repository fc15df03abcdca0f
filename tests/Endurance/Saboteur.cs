using System.Diagnostics;

namespace AsyncLog.Tests;

/// <summary>Does to the files what administrators, scripts and other programs do, and measures how long the logger needs to get over it.</summary>
internal sealed class Saboteur(Ground ground, Load load, Evidence evidence, StatusWatch watch)
{
    private const int LeastToTruncate = 64 << 10;

    // From 3 s on, a little longer every time, so that the end does not always meet the same moment between two attempts.
    private static readonly TimeSpan DiskIsFull = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan LongerEveryTime = TimeSpan.FromMilliseconds(270);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);
    private static readonly ActKind[] Cycle = [ActKind.RenameFile, ActKind.CopyAndTruncateFile, ActKind.DeleteFile, ActKind.FillDisk];
    private readonly TailProbe _probe = new(ground.Active);
    private readonly List<Act> _acts = [];

    public IReadOnlyList<Act> Acts => _acts;

    /// <summary>One act after the other, the directory's removal once, until the time is over.</summary>
    public void Run(TimeSpan duration)
    {
        var start = Stopwatch.GetTimestamp();
        var interval = TimeSpan.FromSeconds(Math.Clamp(duration.TotalSeconds / 12, 1.5, 5));
        var next = 0;
        while (Stopwatch.GetElapsedTime(start) < duration - interval - DiskIsFull)
        {
            Polling.For(interval);
            var isFirstCycleOver = _acts.TrueForAll(static act => act.Kind != ActKind.RemoveDirectory) && next >= Cycle.Length;
            var kind = isFirstCycleOver ? ActKind.RemoveDirectory : Cycle[next++ % Cycle.Length];
            if (kind != ActKind.FillDisk || ground.NoSmallDisk is null)
                Do(kind, Stopwatch.GetElapsedTime(start));
        }

        var rest = duration - Stopwatch.GetElapsedTime(start);
        if (rest > TimeSpan.Zero)
            Polling.For(rest);
    }

    private void Do(ActKind kind, TimeSpan at)
    {
        var number = _acts.Count;
        var drops = watch.Look().Dropped;
        switch (kind)
        {
            case ActKind.RenameFile:
                TakeAway(evidence.PathOf(number, kind));
                break;
            case ActKind.DeleteFile:
                TakeAway(evidence.PathOf(number, kind));
                evidence.Delete(evidence.PathOf(number, kind));
                break;
            case ActKind.CopyAndTruncateFile:
                CopyAndTruncate(evidence.CopyPathOf(number));
                break;
            case ActKind.FillDisk:
                FillDisk();
                break;
            case ActKind.RemoveDirectory:
                RemoveDirectory(evidence.PathOf(number, kind));
                break;
        }

        var marks = load.Marks();
        var recovered = Polling.Until(() => _probe.HasPassed(marks), Patience, out var lag);
        var act = new Act(kind, at, marks, recovered)
        {
            Copy = kind == ActKind.CopyAndTruncateFile ? Path.GetRelativePath(ground.Root, evidence.CopyPathOf(number)) : null,
            Lag = lag,
            Drops = watch.Look().Dropped - drops,
        };
        _acts.Add(act);
        var back = recovered is { } time ? FormattableString.Invariant($"delivery back after {time.TotalMilliseconds:0} ms") : "delivery NOT back";
        Checks.Say($"{at.TotalSeconds,6:0.0} s  {kind,-20} {back}, {act.Drops} dropped");
    }

    // In one step, so that no roll comes in between; during one, the path is empty for a moment.
    private void TakeAway(string to)
    {
        if (Polling.Until(() => TryMove(ground.Active, to), Patience) is null)
            throw new InvalidOperationException($"{ground.Active} is not there");
    }

    private static bool TryMove(string from, string to)
    {
        try
        {
            File.Move(from, to, overwrite: true);
            return true;
        }
        catch (FileNotFoundException)
        {
            // Being rolled: tried again.
            return false;
        }
    }

    // Every thread has records in the copy, so that the judge knows where the window of loss begins.
    private void CopyAndTruncate(string copy)
    {
        Polling.Until(() => File.Exists(ground.Active) && new FileInfo(ground.Active) is { Exists: true, Length: > LeastToTruncate }, Patience);
        using var file = new FileStream(ground.Active, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        using (var target = new FileStream(copy, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0))
            file.CopyTo(target, 1 << 20);
        file.SetLength(0);
    }

    private void FillDisk()
    {
        using (var ballast = new FileStream(ground.Ballast, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0))
        {
            foreach (var size in new[] { 1 << 20, 4096 })
                FillWith(ballast, new byte[size]);
        }

        Polling.For(DiskIsFull + (LongerEveryTime * _acts.Count(static act => act.Kind == ActKind.FillDisk)));
        File.Delete(ground.Ballast);
    }

    private static void FillWith(FileStream ballast, byte[] block)
    {
        try
        {
            while (true)
                ballast.Write(block);
        }
        catch (IOException)
        {
            // Full, which is the aim.
        }
    }

    private void RemoveDirectory(string to)
    {
        Directory.Move(ground.Logs, to);
        foreach (var file in Directory.GetFiles(to))
            evidence.Delete(file);
        Directory.Delete(to);
    }
}
