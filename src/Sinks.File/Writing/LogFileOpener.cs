namespace AsyncLog;

/// <summary>Opens the log file of a path or of a period, and the one that follows a finished file; creates the directories. Worker only.</summary>
internal sealed class LogFileOpener(IFileSystem files, TimeProvider timeProvider)
{
    private const int Attempts = 10_000;
    private string? _existingParent;
    private string? _limitation;

    // The dated file that was finished last.
    private (DateTime Start, long Number)? _finished;

    /// <summary>Returns the created directories, once: the existing parent in which they were created (null: none were), and the deviation from
    /// the options for files and directories (null: none).</summary>
    public (string? ExistingParent, string? Limitation) TakeCreated()
    {
        (string?, string?) created = (_existingParent, _limitation);
        (_existingParent, _limitation) = (null, null);
        return created;
    }

    /// <summary>Opens the file for records of an instant.</summary>
    public LogFile Open(LogFileSettings settings, DateTimeOffset reference)
    {
        FilePeriod period = settings.PeriodOf(reference, timeProvider);
        if (settings.Names.IsDated)
            return OpenDated(settings, period, after: -1, mustBeNew: false);
        string path = settings.PathOf(settings.Names.ActiveName(period.Start));
        return Adopt(settings, OpenPath(settings, path, FileOpening.NewOrExisting), path, 0, period, isNamedByPeriod: false);
    }

    /// <summary>Opens the path of a file that was moved, deleted or lost.</summary>
    public LogFile Reopen(LogFileSettings settings, LogFile before, DateTimeOffset reference)
    {
        FilePeriod current = PeriodAfter(settings, before.Period, reference);
        if (settings.Names.IsDated && (current.Start != before.Period.Start || IsFinishedByAnother(settings, before)))
            return OpenDated(settings, current, current.Start == before.Period.Start ? before.Number : -1, mustBeNew: false);
        FilePeriod period = settings.Names.IsDated ? before.Period : current;
        IAppendFile file = OpenPath(settings, before.Path, FileOpening.NewOrExisting);
        LogFile reopened = Adopt(settings, file, before.Path, before.Number, period, settings.Names.IsDated);

        // The times of a file never lead back to an earlier period.
        if (reopened.Period.EndTicks < before.Period.EndTicks || reopened.Period.StartTicks < before.Period.StartTicks)
            reopened.Period = before.Period;
        return reopened;
    }

    /// <summary>Truncates the file found at start.</summary>
    public LogFile OpenEmpty(LogFileSettings settings, LogFile found)
    {
        found.Dispose();
        bool isDeleted = TryDelete(found.Path);
        IAppendFile file = OpenPath(settings, found.Path, FileOpening.NewOrExisting);
        if (!isDeleted)
            file.Truncate();
        return Adopt(settings, file, found.Path, found.Number, settings.PeriodOf(timeProvider.GetUtcNow(), timeProvider), isNamedByPeriod: true);
    }

    /// <summary>Gives an empty file the period of the record that comes next. A dated file is renamed and not deleted: another process may be writing it.</summary>
    /// <returns>False if the name is taken.</returns>
    public bool TryRedate(LogFileSettings settings, LogFile empty, DateTimeOffset reference)
    {
        FilePeriod period = settings.PeriodOf(reference, timeProvider);
        string path = settings.Names.IsDated ? settings.PathOf(settings.Names.ActiveName(period.Start)) : empty.Path;
        if (path == empty.Path)
            empty.Period = period;
        else if (HighestNumber(settings, period.Start).Number < 0 && files.Publish(empty.Path, path) == FileMove.Done)
            empty.Redated(path, period);
        else
            return false;
        return true;
    }

    /// <summary>Finishes a file and opens the next one. Until the next one is open the old one stays open and in place.</summary>
    /// <param name="active">The file to finish; open and unchanged until another one is returned, which the caller closes then.</param>
    /// <param name="reference">The time of the record that comes next, or now.</param>
    /// <returns>The next file; null when another process rolled first.</returns>
    public LogFile? OpenNext(LogFileSettings settings, LogFile active, RollReason reason, DateTimeOffset reference, out string finished)
    {
        FilePeriod next = reason == RollReason.Interval && active.Period.IsAheadOf(reference)
            ? settings.PeriodOf(reference, timeProvider)
            : PeriodAfter(settings, active.Period, reference);
        finished = active.Path;
        if (!settings.Names.IsDated)
            return ReplaceFixed(settings, active, next, ref finished);

        // After a clock was ahead, a file of the period may be finished already.
        bool mustBeNew = reason is RollReason.Startup or RollReason.Configuration or RollReason.Request or RollReason.Suspect;
        string date = settings.Names.ActiveName(next.Start);
        long after = settings.Names.ActiveName(active.Period.Start) == date ? active.Number
            : _finished is { } last && settings.Names.ActiveName(last.Start) == date ? last.Number
            : -1;
        LogFile opened = OpenDated(settings, next, after, mustBeNew);
        _finished = (active.Period.Start, active.Number);
        return opened;
    }

    // The period of the file that follows one. Without an interval it is dated by the day on which it begins; older records do not lead back.
    private FilePeriod PeriodAfter(LogFileSettings settings, FilePeriod before, DateTimeOffset reference) =>
        before.IsOverAt(reference) || (settings.Options.RollingInterval == RollingInterval.None && !before.IsAheadOf(reference))
            ? settings.PeriodOf(reference, timeProvider)
            : before;

    // Opens the dated file that follows in a period the finished number (-1: none). A file that exists already, because another process was first, is passed over
    // when it must be new.
    private LogFile OpenDated(LogFileSettings settings, FilePeriod period, long after, bool mustBeNew)
    {
        (long highest, bool isPlain) = HighestNumber(settings, period.Start);
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            if (highest > after && isPlain && !mustBeNew && TryAppendTo(settings, period, highest) is { } existing)
                return existing;
            long number = Math.Max(highest, after) + 1;
            string path = settings.PathOf(settings.Names.NumberedName(period.Start, number));
            try
            {
                return Adopt(settings, OpenPath(settings, path, FileOpening.New), path, number, period, isNamedByPeriod: true);
            }
            catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.Exists)
            {
                // Another process took the name: the next round decides.
                (highest, isPlain) = (number, true);
            }
        }

        throw FileErrorClass.Failure("cannot find a free name after", settings.Names.NumberedName(period.Start, after), FileErrorClass.Exists);
    }

    private LogFile? TryAppendTo(LogFileSettings settings, FilePeriod period, long number)
    {
        string path = settings.PathOf(settings.Names.NumberedName(period.Start, number));
        LogFile found = Adopt(settings, OpenPath(settings, path, FileOpening.NewOrExisting), path, number, period, isNamedByPeriod: true);
        if (!(found.Size >= settings.Options.FileSizeLimit))
            return found;
        found.Dispose();
        return null;
    }

    // Creates the successor under a temporary name, renames the active file to its archive and the successor to the active name.
    private LogFile? ReplaceFixed(LogFileSettings settings, LogFile active, FilePeriod next, ref string finished)
    {
        // The name may also belong to another host in this process, whose roll then ends with opening what is at the path.
        (string successor, IAppendFile file) = NewFile.CreateTemporary(
            timeProvider, number => settings.PathOf(settings.Names.SuccessorName(number)), path => files.Delete(path), path => OpenPath(settings, path, FileOpening.New));
        bool isInPlace = false;
        try
        {
            if (MoveToArchive(settings, active) is not { } archive || !Publish(successor, active.Path, archive) || !IsAt(active.Path, file))
                return null;
            isInPlace = true;
            finished = archive;
            file.Renamed(active.Path);
            return Adopt(settings, file, active.Path, 0, next, isNamedByPeriod: true);
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

    // Returns the path of the archive; null when the active name is gone.
    private string? MoveToArchive(LogFileSettings settings, LogFile active)
    {
        DateTime date = active.Period.Start;
        long first = Math.Max(HighestNumber(settings, date).Number, 0) + 1;
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
            Restore(archive, active);
            throw;
        }
    }

    // Gives the old file its old name again, unless another process has taken it already.
    private void Restore(string archive, string active)
    {
        try
        {
            files.Publish(archive, active);
        }
        catch (LogSinkException)
        {
            // The failure of the roll is reported. The file keeps its new name, and the path is opened again: test
            // A_roll_that_can_be_neither_finished_nor_undone_is_over_when_the_path_is_opened_again.
        }
    }

    // Two hosts in one process use one name for successors: what was put in place may be the other's.
    private bool IsAt(string path, IAppendFile file) => files.Stat(path) is { } stat && stat.IsSameFile(file.Stat());

    // The highest number of a period, compressed files included, and whether that file is there uncompressed; -1: none.
    private (long Number, bool IsPlain) HighestNumber(LogFileSettings settings, DateTime periodStart)
    {
        (long Number, bool IsPlain) highest = (-1, false);
        string date = settings.Names.NumberedName(periodStart, 1);
        foreach (string name in ListOrNothing(settings.Directory))
        {
            if (!settings.Names.TryParse(name, out ArchiveKey key) || settings.Names.NumberedName(key.Date, 1) != date || key.Number < highest.Number)
                continue;
            bool isPlain = settings.Names.NumberedName(key.Date, key.Number) == name;
            highest = (key.Number, isPlain || (key.Number == highest.Number && highest.IsPlain));
        }

        return highest;
    }

    private IReadOnlyList<string> ListOrNothing(string directory)
    {
        try
        {
            return files.List(directory);
        }
        catch (LogSinkException)
        {
            // Creating and renaming find the taken names one by one: test A_directory_that_cannot_be_listed_is_rolled_in_all_the_same.
            return [];
        }
    }

    /// <summary>Returns the number of files with names that settings gave and others do not give.</summary>
    public int CountFormer(LogFileSettings before, LogFileSettings now)
        => ListOrNothing(before.Directory).Count(name => before.Names.TryParse(name, out _) && !now.Names.TryParse(name, out _));

    // Another process finished a dated file that is gone by now: compressed, or deleted as an old one.
    private bool IsFinishedByAnother(LogFileSettings settings, LogFile before)
    {
        (long highest, bool isPlain) = HighestNumber(settings, before.Period.Start);
        return highest > before.Number || (highest == before.Number && !isPlain);
    }

    // Opens a path, creating its directories where they are missing.
    private IAppendFile OpenPath(LogFileSettings settings, string path, FileOpening opening)
    {
        IAppendFile opened;
        try
        {
            opened = files.Open(path, opening, settings.Options.UnixCreateMode);
        }
        catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.NotFound)
        {
            CreateDirectory(settings, path);
            opened = files.Open(path, opening, settings.Options.UnixCreateMode);
        }

        _limitation ??= opened.Limitation;
        return opened;
    }

    private void CreateDirectory(LogFileSettings settings, string path)
    {
        try
        {
            NewDirectories created = files.CreateDirectory(settings.Directory, AsyncFileRules.DirectoryModeOf(settings.Options.UnixCreateMode));
            if (_existingParent is null || created.ExistingParent?.Length < _existingParent.Length)
                _existingParent = created.ExistingParent;
            _limitation ??= created.Limitation;
        }
        catch (LogSinkException exception)
        {
            throw new LogSinkException(exception.ErrorType, $"cannot open {path}: {exception.Message}", exception.IsPermanent, exception);
        }
    }

    // Makes a log file of an open file; closes it when that fails. The period of content that the name does not date is that of the last write.
    private LogFile Adopt(LogFileSettings settings, IAppendFile file, string path, long number, FilePeriod period, bool isNamedByPeriod)
    {
        try
        {
            FileStat stat = file.Stat();
            if (stat.Size > 0 && !isNamedByPeriod)
            {
                DateTimeOffset now = timeProvider.GetUtcNow();
                period = settings.PeriodOf(stat.LastWrite < now ? stat.LastWrite : now, timeProvider);
            }

            return new LogFile(file, stat.Size, path, number, period, settings);
        }
        catch (LogSinkException)
        {
            file.Dispose();
            throw;
        }
    }

    private bool TryDelete(string path)
    {
        try
        {
            files.Delete(path);
            return true;
        }
        catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.Permission)
        {
            // The directory is closed but the file may be written: it is truncated instead; test Truncate_cuts_a_file_it_may_not_delete.
            return false;
        }
    }

    private void DeleteQuietly(string path)
    {
        try
        {
            files.Delete(path);
        }
        catch (LogSinkException)
        {
            // The original failure is reported, and retention removes leftovers: test A_successor_left_behind_is_removed.
        }
    }
}
