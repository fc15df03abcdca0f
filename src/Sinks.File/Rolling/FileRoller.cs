namespace AsyncLog;

/// <summary>Finishes a file and opens the next one. Until the next one is open the old one stays open and in place. Worker only.</summary>
internal sealed class FileRoller(IByteFiles files, FileOpener opener, TimeProvider timeProvider)
{
    private const int Attempts = 10_000;

    // The dated file that was finished last.
    private (DateTime Start, long Number)? _finished;

    /// <summary>Where the file that was finished last is now; null: under the name it had.</summary>
    public string? Archive { get; private set; }

    /// <param name="settings">The settings in force.</param>
    /// <param name="active">The file to finish; open and unchanged until another one is returned, which is the caller's then.</param>
    /// <param name="reason">Why.</param>
    /// <param name="reference">The time of the record that comes next, or now.</param>
    /// <returns>The next file; null when another process rolled first.</returns>
    public ActiveFile? Roll(FileSinkSettings settings, ActiveFile active, RollReason reason, DateTimeOffset reference)
    {
        bool isOfAnother = active.Period.IsOverAt(reference) || (reason == RollReason.Interval && active.Period.IsAheadOf(reference));
        FilePeriod next = isOfAnother ? settings.PeriodOf(reference, timeProvider) : active.Period;
        if (!settings.Names.IsDated)
            return RollFixed(settings, active, next);

        // A clock that was ahead leads back to a period of which a file is finished already.
        bool mustBeNew = reason is RollReason.Startup or RollReason.Configuration or RollReason.Request or RollReason.Suspect;
        string date = settings.Names.ActiveName(next.Start);
        long after = settings.Names.ActiveName(active.Period.Start) == date ? active.Number
            : _finished is { } last && settings.Names.ActiveName(last.Start) == date ? last.Number
            : -1;
        ActiveFile opened = opener.OpenDated(settings, next, after, mustBeNew);
        _finished = (active.Period.Start, active.Number);
        return opened;
    }

    private ActiveFile? RollFixed(FileSinkSettings settings, ActiveFile active, FilePeriod next)
    {
        string successor = settings.PathOf(settings.Names.SuccessorName(Environment.ProcessId));
        IByteFile file = OpenSuccessor(settings, successor);
        bool isInPlace = false;
        try
        {
            if (MoveToArchive(settings, active) is { } archive && Publish(successor, active.Path, archive) && IsAt(active.Path, file))
            {
                isInPlace = true;
                Archive = archive;
                file.Renamed(active.Path);
                return opener.Own(settings, file, active.Path, 0, next, isNamedByPeriod: true);
            }

            return null;
        }
        finally
        {
            if (!isInPlace)
            {
                file.Dispose();
                DeleteQuietly(successor);
            }
        }
    }

    // What is left of a process that had our id, or of another host in this process, whose roll then ends with opening what is there.
    private IByteFile OpenSuccessor(FileSinkSettings settings, string path)
    {
        try
        {
            return opener.OpenPath(settings, path, FileOpening.New);
        }
        catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.Exists)
        {
            files.Delete(path);
            return opener.OpenPath(settings, path, FileOpening.New);
        }
    }

    /// <returns>The path of the archive; null when the active name is gone.</returns>
    private string? MoveToArchive(FileSinkSettings settings, ActiveFile active)
    {
        DateTime date = active.Period.Start;
        long first = Math.Max(FileNumbers.Highest(files, settings, date).Number, 0) + 1;
        for (long number = first; number < first + Attempts; number++)
        {
            string archive = settings.PathOf(settings.Names.NumberedName(date, number));

            // Another process may have rolled and compressed since the numbers were read.
            if (files.Stat(FileNamePattern.CompressedName(archive)) is not null)
                continue;
            switch (files.Archive(active.Path, archive))
            {
                case FileMove.Done: return archive;
                case FileMove.SourceGone: return null;
            }
        }

        throw FileErrorClass.Failure("cannot find a free name after", settings.Names.NumberedName(date, first), FileErrorClass.Exists);
    }

    private bool Publish(string successor, string active, string archive)
    {
        try
        {
            return files.Publish(successor, active) == FileMove.Done;
        }
        catch (LogSinkException)
        {
            // As before: the old file under its old name, unless somebody else is there already.
            files.Publish(archive, active);
            throw;
        }
    }

    // Two hosts in one process use one name for successors: what was put in place may be the other's.
    private bool IsAt(string path, IByteFile file) => files.Stat(path) is { } there && there.IsSameFile(file.Stat());

    private void DeleteQuietly(string path)
    {
        try
        {
            files.Delete(path);
        }
        catch (LogSinkException)
        {
            // The failure that led here is the one to report, and retention removes leftovers: test A_successor_left_behind_is_removed.
        }
    }
}
