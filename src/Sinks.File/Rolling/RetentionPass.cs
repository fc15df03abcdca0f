using System.Globalization;

namespace AsyncLog;

/// <summary>Deletes the files that are not kept any more, and what dead processes left in the making.</summary>
/// <remarks>Runs in the background; a file that vanishes meanwhile is no error.</remarks>
internal sealed class RetentionPass(IByteFiles files, IFileVoice voice, FileCounters counters, OwnFiles own)
{
    /// <summary>Files in the making that nobody wrote for so long were left behind; one that is made now is younger.</summary>
    public static readonly TimeSpan LeftoverAge = TimeSpan.FromMinutes(1);

    private const string Condition = "retention";
    private readonly ClockTrust _clock = new(voice.TimeProvider);
    private volatile bool _isPostponed;

    /// <summary>Whether files are too old that were not deleted, because the clock is in doubt. Any thread.</summary>
    public bool IsPostponed => _isPostponed;

    /// <param name="settings">The settings in force when it was asked for.</param>
    /// <param name="activePath">The active file then; whatever was written after it is never deleted.</param>
    public void Run(FileSinkSettings settings, string activePath)
    {
        try
        {
            IReadOnlyList<string> names = files.List(settings.Directory);
            RemoveLeftovers(settings, names);
            var undated = new List<string>();
            List<FinishedFile> finished = own.Finished(settings, names, activePath, undated);
            Date(settings, undated);
            Enforce(settings, finished, files.Stat(activePath)?.Size ?? 0);
        }
        catch (LogSinkException exception)
        {
            voice.Failed("retention", settings.Directory, exception);
            voice.Report(SelfReportLevel.Warning, Condition, $"{exception.Message}. Old files stay; trying again later.");
        }
    }

    // A file that a clock ahead of time has named and written keeps its place among the others from now on, also after a restart.
    private void Date(FileSinkSettings settings, List<string> names)
    {
        foreach (string path in names.Select(settings.PathOf))
        {
            try
            {
                File.SetLastWriteTimeUtc(path, voice.TimeProvider.GetUtcNow().UtcDateTime);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                string errorType = FileErrorClass.Of(exception);
                if (errorType != FileErrorClass.NotFound)
                    voice.Failed("date", path, FileErrorClass.Failure("cannot set the time of", path, errorType, cause: exception));
            }
        }
    }

    private void Enforce(FileSinkSettings settings, List<FinishedFile> finished, long activeSize)
    {
        var limits = new RetentionLimits(settings.CountLimit, settings.TotalSizeLimit, KeptSince(settings.AgeLimit));
        int failures = 0;
        string? lastFailure = null;
        int kept = finished.Count;
        long keptBytes = finished.Sum(static file => file.Stat.Size);
        IReadOnlyList<(string Name, DeletionReason Reason)> chosen = Retention.Choose(finished, activeSize, limits, _clock.Budget, out int postponed);
        foreach ((string name, DeletionReason reason) in chosen)
        {
            if (!TryDelete(settings.PathOf(name), reason, ref failures, ref lastFailure))
                continue;
            kept--;
            keptBytes -= finished.Find(file => file.Name == name).Stat.Size;
        }

        counters.FinishedAre(kept, keptBytes);
        _isPostponed = postponed > 0;
        if (postponed == 0)
            _clock.Accept();
        else
            voice.Wake();
        Tell(failures, lastFailure);
    }

    private DateTimeOffset? KeptSince(TimeSpan? ageLimit)
    {
        DateTimeOffset now = voice.TimeProvider.GetUtcNow();
        return ageLimit < now - DateTimeOffset.MinValue ? now - ageLimit : null;
    }

    // True: it is gone, whoever deleted it.
    private bool TryDelete(string path, DeletionReason reason, ref int failures, ref string? lastFailure)
    {
        try
        {
            if (!files.Delete(path))
                return true;
            counters.Deleted(reason, path);
            if (reason == DeletionReason.Age)
                _clock.Deleted();
            return true;
        }
        catch (LogSinkException exception)
        {
            voice.Failed("delete", path, exception);
            failures++;
            lastFailure = exception.Message;
            return false;
        }
    }

    private void Tell(int failures, string? lastFailure)
    {
        if (failures == 0)
            voice.Resolve(Condition, "old files can be deleted again.");
        else
            voice.Report(SelfReportLevel.Warning, Condition, string.Create(CultureInfo.InvariantCulture, $"{lastFailure}. {failures} old files stay; trying again later."));
    }

    private void RemoveLeftovers(FileSinkSettings settings, IReadOnlyList<string> names)
    {
        DateTimeOffset now = voice.TimeProvider.GetUtcNow();
        foreach (string name in names)
        {
            FileKind? kind = settings.Names.IsSuccessorName(name) || settings.Names.IsCompressingName(name) ? FileKind.Regular
                : settings.LatestLink is { } link && FileNamePattern.TemporaryOf(name) == link ? FileKind.Link
                : null;
            string path = settings.PathOf(name);
            if (kind is not null && files.Stat(path) is { } stat && stat.Kind == kind && now - stat.LastWrite > LeftoverAge)
                files.Delete(path);
        }
    }
}
