namespace AsyncLog;

/// <summary>Opens the file of a path or of a period, with the directories it needs. Worker only.</summary>
internal sealed class FileOpener(IByteFiles files, TimeProvider timeProvider)
{
    private const int Attempts = 10_000;
    private string? _existingParent;
    private string? _limitation;

    /// <summary>The directory that existed and in which directories for a file were created, once for each time that some were; null: none were.</summary>
    public string? TakeExistingParent()
    {
        string? parent = _existingParent;
        _existingParent = null;
        return parent;
    }

    /// <summary>What is not as asked for of files and directories that were created, once; null: nothing.</summary>
    public string? TakeLimitation()
    {
        string? limitation = _limitation;
        _limitation = null;
        return limitation;
    }

    /// <summary>Opens the file that records of an instant go to.</summary>
    public ActiveFile Open(FileSinkSettings settings, DateTimeOffset reference)
    {
        FilePeriod period = settings.PeriodOf(reference, timeProvider);
        if (settings.Names.IsDated)
            return OpenDated(settings, period, after: -1, mustBeNew: false);
        IByteFile file = OpenPath(settings, settings.PathOf(settings.Names.ActiveName(period.Start)), FileOpening.NewOrExisting);
        return Own(settings, file, settings.PathOf(settings.Names.ActiveName(period.Start)), 0, period, isNamedByPeriod: false);
    }

    /// <summary>Opens what is at the path of a file that was moved or deleted.</summary>
    public ActiveFile Reopen(FileSinkSettings settings, ActiveFile before, DateTimeOffset reference)
    {
        FilePeriod current = before.Period.IsOverAt(reference) ? settings.PeriodOf(reference, timeProvider) : before.Period;
        if (settings.Names.IsDated && IsFollowed(settings, before))
            return OpenDated(settings, current, current.Start == before.Period.Start ? before.Number : -1, mustBeNew: false);
        FilePeriod period = settings.Names.IsDated ? before.Period : current;
        IByteFile file = OpenPath(settings, before.Path, FileOpening.NewOrExisting);
        ActiveFile reopened = Own(settings, file, before.Path, before.Number, period, settings.Names.IsDated);

        // Only own state counts: what a file's times say never leads back.
        if (reopened.Period.EndTicks < before.Period.EndTicks)
            reopened.Period = before.Period;
        return reopened;
    }

    /// <summary>Replaces the content found at start by nothing.</summary>
    public ActiveFile Empty(FileSinkSettings settings, ActiveFile found)
    {
        found.Dispose();
        bool isDeleted = TryDelete(found.Path);
        IByteFile file = OpenPath(settings, found.Path, FileOpening.NewOrExisting);
        if (!isDeleted)
            file.Truncate();
        return Own(settings, file, found.Path, found.Number, settings.PeriodOf(timeProvider.GetUtcNow(), timeProvider), isNamedByPeriod: true);
    }

    /// <summary>Opens the dated file that follows in a period.</summary>
    /// <param name="settings">The settings in force.</param>
    /// <param name="period">The period.</param>
    /// <param name="after">The number of the period's finished file; -1: none.</param>
    /// <param name="mustBeNew">Whether a file that exists already, because another process was first, is passed over.</param>
    public ActiveFile OpenDated(FileSinkSettings settings, FilePeriod period, long after, bool mustBeNew)
    {
        (long highest, bool isPlain) = FileNumbers.Highest(files, settings, period.Start);
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            if (highest > after && isPlain && !mustBeNew && TryAppendTo(settings, period, highest) is { } existing)
                return existing;
            long number = Math.Max(highest, after) + 1;
            string path = settings.PathOf(settings.Names.NumberedName(period.Start, number));
            try
            {
                return Own(settings, OpenPath(settings, path, FileOpening.New), path, number, period, isNamedByPeriod: true);
            }
            catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.Exists)
            {
                // Another process took the name; looked at in the next round.
                highest = number;
                isPlain = true;
            }
        }

        throw FileErrorClass.Failure("cannot find a free name after", settings.Names.NumberedName(period.Start, after), FileErrorClass.Exists);
    }

    /// <summary>Opens a path, creating its directories where they are missing.</summary>
    public IByteFile OpenPath(FileSinkSettings settings, string path, FileOpening opening)
    {
        IByteFile opened;
        try
        {
            opened = files.Open(path, opening, settings.FileMode);
        }
        catch (LogSinkException exception) when (exception.ErrorType == FileErrorClass.NotFound)
        {
            CreateDirectory(settings, path);
            opened = files.Open(path, opening, settings.FileMode);
        }

        _limitation ??= opened.Limitation;
        return opened;
    }

    // Another process finished a dated file that is gone by now: compressed, or deleted as an old one.
    private bool IsFollowed(FileSinkSettings settings, ActiveFile before)
    {
        (long highest, bool isPlain) = FileNumbers.Highest(files, settings, before.Period.Start);
        return highest > before.Number || (highest == before.Number && !isPlain);
    }

    private void CreateDirectory(FileSinkSettings settings, string path)
    {
        try
        {
            NewDirectories made = files.CreateDirectory(settings.Directory, settings.DirectoryMode);
            if (_existingParent is null || made.ExistingParent?.Length < _existingParent.Length)
                _existingParent = made.ExistingParent;
            _limitation ??= made.Limitation;
        }
        catch (LogSinkException exception)
        {
            throw new LogSinkException(exception.ErrorType, $"cannot open {path}: {exception.Message}", exception.IsPermanent, exception);
        }
    }

    /// <summary>Makes the active file of an open one; closes it when that fails.</summary>
    public ActiveFile Own(FileSinkSettings settings, IByteFile file, string path, long number, FilePeriod period, bool isNamedByPeriod)
    {
        try
        {
            FileStat stat = file.Stat();
            if (stat.Size > 0 && !isNamedByPeriod)
            {
                DateTimeOffset now = timeProvider.GetUtcNow();
                period = settings.PeriodOf(stat.LastWrite < now ? stat.LastWrite : now, timeProvider);
            }

            return new ActiveFile(file, stat.Size, path, number, period, settings);
        }
        catch (LogSinkException)
        {
            file.Dispose();
            throw;
        }
    }

    private ActiveFile? TryAppendTo(FileSinkSettings settings, FilePeriod period, long number)
    {
        string path = settings.PathOf(settings.Names.NumberedName(period.Start, number));
        ActiveFile found = Own(settings, OpenPath(settings, path, FileOpening.NewOrExisting), path, number, period, isNamedByPeriod: true);
        if (!(found.Size >= settings.SizeLimit))
            return found;
        found.Dispose();
        return null;
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
            // The directory is closed but the file may be written: it is cut instead; test FI_42_Truncate_cuts_a_file_it_may_not_delete.
            return false;
        }
    }
}
