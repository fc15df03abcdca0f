using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Retention limits of a file set.</summary>
/// <param name="Count">Number of files, the active one included; null: all.</param>
/// <param name="TotalSize">Number of bytes, the active file included; null: all.</param>
/// <param name="KeptSince">Files whose period ended later are kept; null: age plays no part.</param>
internal readonly record struct RetentionLimits(int? Count = null, long? TotalSize = null, DateTimeOffset? KeptSince = null);

/// <summary>Deletes the files beyond the retention limits, and the temporary files of dead processes.</summary>
/// <remarks>
/// Runs in the background, one pass at a time; a file that vanishes meanwhile is no error. While the wall clock disagrees with the monotonic clock, at most one
/// file a minute is deleted for its age: a clock that is years ahead for a moment must not delete the logs.
/// </remarks>
internal sealed class ArchiveRetention(IFileSystem files, SinkContext context, FileMetrics metrics, ArchiveFinder finder)
{
    /// <summary>Age from which an unwritten temporary file counts as abandoned.</summary>
    public static readonly TimeSpan LeftoverAge = TimeSpan.FromMinutes(1);

    /// <summary>Interval between two deletions by age while the clock is in doubt.</summary>
    public static readonly TimeSpan DoubtPause = TimeSpan.FromMinutes(1);

    private const string Condition = "retention";
    private static readonly TimeSpan ClockTolerance = TimeSpan.FromHours(1);
    private readonly TimeProvider _time = context.TimeProvider;

    // The wall clock when it was last accepted, with the monotonic clock then; and when a file was last deleted for its age.
    private (DateTimeOffset Wall, long At)? _trusted;
    private long? _deletedByAgeAt;
    private volatile bool _isPostponed;

    /// <summary>True if files are too old that were not deleted, because the clock is in doubt. Any thread.</summary>
    public bool IsPostponed => _isPostponed;

    private bool IsClockInDoubt =>
        _trusted is var (wall, at) && (_time.GetUtcNow() - wall - _time.GetElapsedTime(at)).Duration() > ClockTolerance;

    /// <summary>Chooses the files beyond the retention limits.</summary>
    /// <param name="activeSize">Bytes of the active file.</param>
    /// <param name="ageBudget">Number of files that may be deleted for their age alone.</param>
    /// <returns>Files to delete, in this order.</returns>
    public static List<(ArchiveFile File, DeletionReason Reason)> Choose(
        IReadOnlyList<ArchiveFile> oldestFirst, long activeSize, RetentionLimits limits, int ageBudget, out int postponed)
    {
        var chosen = new List<(ArchiveFile, DeletionReason)>();
        var kept = new List<ArchiveFile>();
        int surplus = limits.Count is { } count ? oldestFirst.Count - Math.Max(0, count - 1) : 0;
        postponed = 0;
        for (int i = 0; i < oldestFirst.Count; i++)
        {
            ArchiveFile file = oldestFirst[i];
            bool isTooOld = file.End <= limits.KeptSince;
            if (i < surplus)
            {
                chosen.Add((file, DeletionReason.Count));
            }
            else if (isTooOld && ageBudget-- > 0)
            {
                chosen.Add((file, DeletionReason.Age));
            }
            else
            {
                kept.Add(file);
                postponed += isTooOld ? 1 : 0;
            }
        }

        long total = activeSize + SizeOf(kept);
        foreach (ArchiveFile file in kept)
        {
            if (!(total > limits.TotalSize))
                break;
            chosen.Add((file, DeletionReason.TotalSize));
            total -= file.Stat.Size;
        }

        return chosen;
    }

    /// <param name="activePath">The active file then; what was written after it is never deleted.</param>
    public void Run(LogFileSettings settings, string activePath)
    {
        try
        {
            IReadOnlyList<string> names = files.List(settings.Directory);
            var failures = new List<string>();
            RemoveLeftovers(settings, names, failures);
            var undated = new List<string>();
            List<ArchiveFile> finished = finder.Find(settings, names, activePath, undated);
            ResetFutureTimestamps(settings, undated);
            Enforce(settings, finished, files.Stat(activePath)?.Size ?? 0, failures);
            if (failures.Count == 0)
                context.ReportRecovery(Condition, "old files can be deleted again.");
            else
            {
                string left = failures.Count == 1 ? "1 old file stays" : string.Create(CultureInfo.InvariantCulture, $"{failures.Count} old files stay");
                context.Report(LogLevel.Warning, Condition, $"{failures[^1]}. {left}; trying again later.");
            }
        }
        catch (LogSinkException exception)
        {
            metrics.Failed("retention", settings.Directory, exception);
            context.Report(LogLevel.Warning, Condition, $"{exception.Message}. Old files stay; trying again later.");
        }
    }

    private void RemoveLeftovers(LogFileSettings settings, IReadOnlyList<string> names, List<string> failures)
    {
        DateTimeOffset now = _time.GetUtcNow();
        foreach (string name in names)
        {
            FileKind? kind = settings.Names.IsSuccessorName(name) || settings.Names.IsCompressingName(name) ? FileKind.Regular
                : settings.LatestLink is { } link && FileNamePattern.TemporaryOf(name) == link ? FileKind.Link
                : null;
            if (kind is null)
                continue;
            TryDelete(settings.PathOf(name), failures, path =>
            {
                if (files.Stat(path) is { } stat && stat.Kind == kind && now - stat.LastWrite > LeftoverAge)
                    files.Delete(path);
            });
        }
    }

    // If a clock that was ahead named and wrote a file, the file keeps its place among the others, also after a restart.
    private void ResetFutureTimestamps(LogFileSettings settings, List<string> names)
    {
        foreach (string path in names.Select(settings.PathOf))
        {
            try
            {
                File.SetLastWriteTimeUtc(path, _time.GetUtcNow().UtcDateTime);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                string errorType = FileErrorClass.Of(exception);
                if (errorType != FileErrorClass.NotFound)
                    metrics.Failed("date", path, FileErrorClass.Failure("cannot set the time of", path, errorType, cause: exception));
            }
        }
    }

    private void Enforce(LogFileSettings settings, List<ArchiveFile> finished, long activeSize, List<string> failures)
    {
        DateTimeOffset now = _time.GetUtcNow();
        AsyncFileLoggerOptions options = settings.Options;
        DateTimeOffset? keptSince = options.RetainedFileTimeLimit < now - DateTimeOffset.MinValue ? now - options.RetainedFileTimeLimit : null;
        int ageBudget = !IsClockInDoubt ? int.MaxValue : _deletedByAgeAt is { } last && _time.GetElapsedTime(last) < DoubtPause ? 0 : 1;
        int kept = finished.Count;
        long keptBytes = SizeOf(finished);
        var limits = new RetentionLimits(options.RetainedFileCountLimit, options.RetainedTotalSizeLimit, keptSince);
        List<(ArchiveFile File, DeletionReason Reason)> chosen = Choose(finished, activeSize, limits, ageBudget, out int postponed);
        foreach ((ArchiveFile file, DeletionReason reason) in chosen)
        {
            TryDelete(settings.PathOf(file.Name), failures, path =>
            {
                Delete(path, reason);
                kept--;
                keptBytes -= file.Stat.Size;
            });
        }

        metrics.FinishedAre(kept, keptBytes);
        _isPostponed = postponed > 0;
        if (postponed == 0)
            _trusted = (_time.GetUtcNow(), _time.GetTimestamp());
        else
            context.Wake();
    }

    private static long SizeOf(List<ArchiveFile> finished)
    {
        long size = 0;
        foreach (ArchiveFile file in finished)
            size += file.Stat.Size;
        return size;
    }

    // A file that cannot be deleted does not prevent the deletion of the others.
    private void TryDelete(string path, List<string> failures, Action<string> delete)
    {
        try
        {
            delete(path);
        }
        catch (LogSinkException exception)
        {
            metrics.Failed("delete", path, exception);
            failures.Add(exception.Message);
        }
    }

    // A file that is gone already was deleted by another process, which counted it.
    private void Delete(string path, DeletionReason reason)
    {
        if (!files.Delete(path))
            return;
        metrics.Deleted(reason, path);
        if (reason == DeletionReason.Age)
            _deletedByAgeAt = _time.GetTimestamp();
    }
}
