using System.Globalization;

namespace AsyncLog;

/// <summary>Deletes the files that are not kept any more: only regular files with a name this set could have given, never the active one.</summary>
/// <remarks>Runs in the background; a file that vanishes meanwhile is no error.</remarks>
internal sealed class RetentionPass(IByteFiles files, IFileVoice voice, FileCounters counters, FileNameOwners owners, object owner)
{
    private const string Condition = "retention";
    private static readonly TimeSpan SuccessorAge = TimeSpan.FromMinutes(1);

    /// <param name="settings">The settings in force when it was asked for.</param>
    /// <param name="activePath">The active file then; whatever was written after it is never deleted.</param>
    public void Run(FileSinkSettings settings, string activePath)
    {
        try
        {
            IReadOnlyList<string> names = files.List(settings.Directory);
            RemoveSuccessors(settings, names);
            int failures = 0;
            string? lastFailure = null;
            foreach (string name in Retention.Choose(Finished(settings, names, Path.GetFileName(activePath)), settings.CountLimit))
                Delete(settings.PathOf(name), ref failures, ref lastFailure);
            Tell(failures, lastFailure);
        }
        catch (LogSinkException exception)
        {
            voice.CountError(exception.ErrorType);
            voice.Report(SelfReportLevel.Warning, Condition, $"{exception.Message}. Old files stay; trying again later.");
        }
    }

    private IEnumerable<(string Name, FileStamp Stamp)> Finished(FileSinkSettings settings, IReadOnlyList<string> names, string active)
    {
        bool isDated = settings.Names.TryParse(active, out FileStamp activeStamp) && settings.Names.IsDated;
        foreach (string name in names)
        {
            if (name == active || !settings.Names.TryParse(name, out FileStamp stamp) || (isDated && stamp.CompareTo(activeStamp) >= 0))
                continue;
            if (owners.Owns(owner, settings, name) && files.Stat(settings.PathOf(name)) is { Kind: FileKind.Regular })
                yield return (name, stamp);
        }
    }

    private void Delete(string path, ref int failures, ref string? lastFailure)
    {
        try
        {
            if (files.Delete(path))
                counters.DeletedByCount();
        }
        catch (LogSinkException exception)
        {
            voice.CountError(exception.ErrorType);
            failures++;
            lastFailure = exception.Message;
        }
    }

    private void Tell(int failures, string? lastFailure)
    {
        if (failures == 0)
            voice.Resolve(Condition, "old files can be deleted again.");
        else
            voice.Report(SelfReportLevel.Warning, Condition, string.Create(CultureInfo.InvariantCulture, $"{lastFailure}. {failures} old files stay; trying again later."));
    }

    // A process that died in the middle of a roll left one; a roll that is going on now is younger.
    private void RemoveSuccessors(FileSinkSettings settings, IReadOnlyList<string> names)
    {
        DateTimeOffset now = voice.TimeProvider.GetUtcNow();
        foreach (string name in names)
        {
            if (!settings.Names.IsSuccessorName(name))
                continue;
            string path = settings.PathOf(name);
            if (files.Stat(path) is { Kind: FileKind.Regular } stat && now - stat.LastWrite > SuccessorAge)
                files.Delete(path);
        }
    }
}
