namespace AsyncLog;

/// <summary>Decides when the active file is finished, and keeps failed attempts apart. Worker only.</summary>
internal sealed class FileRolls(FileRoller roller, IFileVoice voice, FileCounters counters)
{
    private const string Condition = "roll";

    /// <summary>Between attempts.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    /// <summary>After the end of a period, so that records of its last moments are written first.</summary>
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);

    /// <summary>For how long the clock is behind the period of the file before that period is taken for a mistake of the clock.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly TimeProvider _time = voice.TimeProvider;
    private RollReason? _asked;

    // Since when the clock has been behind the period of the active file: a time stamp, and the wall clock then.
    private (long Since, DateTimeOffset Time)? _behind;
    private long? _failedAt;
    private bool _hasProgress = true;

    /// <summary>When an open that failed is tried again without a record.</summary>
    public DateTimeOffset? RetryAt { get; private set; } = voice.TimeProvider.GetUtcNow();

    private bool IsPaused => _failedAt is { } failed && _time.GetElapsedTime(failed) < Pause;

    public void RetryLater() => RetryAt = _time.GetUtcNow() + Pause;

    /// <summary>Asks for a roll before the next record.</summary>
    public void Ask(RollReason reason) => _asked = reason;

    /// <summary>How much of a batch goes into the active file.</summary>
    public FileCut Cut(LogBatch batch, ActiveFile active, FileSinkSettings settings)
    {
        int all = batch.Bytes.Length;
        if (active.Size == 0)
            _asked = null;
        if (IsPaused)
            return Progress(new FileCut(all, null));
        int begun = ActiveFile.BegunOf(batch);
        if (begun == 0 && _asked is { } asked && _hasProgress)
            return new FileCut(0, asked);
        bool fits = !(active.Size + active.Ahead + all > settings.SizeLimit);
        bool isOfPeriod = batch.IndexOfFirstSince(active.Period.End) < 0;
        return Progress(fits && isOfPeriod ? new FileCut(all, null) : CutAtRecord(batch, begun, active, settings));
    }

    /// <summary>When something has to be done without a record.</summary>
    public DateTimeOffset? NextDue(ActiveFile active)
    {
        if (active.Size == 0)
            return null;
        DateTimeOffset now = _time.GetUtcNow();
        bool isAhead = active.Period.IsAheadOf(now);
        if (_failedAt is { } failed && (_asked is not null || isAhead || IsOver(active)))
            return now + TimeLeft.Of(Pause, failed, _time);
        if (_asked is not null)
            return now;
        if (isAhead)
            return now + (_behind is { } behind ? TimeLeft.Of(Patience, behind.Since, _time) : TimeSpan.Zero);
        return active.Period.End > DateTimeOffset.MaxValue - Grace ? null : active.Period.End + Grace;
    }

    /// <summary>Looks whether the clock was ahead when the active file began, and is right again.</summary>
    /// <returns>When it was first seen to be right, once it has been so for a minute; null: the period of the file stays.</returns>
    public DateTimeOffset? RightAgainSince(ActiveFile active)
    {
        DateTimeOffset now = _time.GetUtcNow();
        if (!active.Period.IsAheadOf(now))
            _behind = null;
        else if (_behind is not { } behind || now < behind.Time)
            _behind = (_time.GetTimestamp(), now);
        else if (!IsPaused && TimeLeft.Of(Patience, behind.Since, _time) == TimeSpan.Zero)
            return behind.Time;
        return null;
    }

    /// <summary>Why to roll without a record; null: no reason.</summary>
    public RollReason? DueReason(ActiveFile active) =>
        IsPaused || active.Size == 0 ? null : _asked ?? (IsOver(active) ? RollReason.Interval : null);

    /// <summary>Tries to roll; a failure is counted and reported, and the old file goes on.</summary>
    public RollResult Roll(FileSinkSettings settings, ActiveFile active, RollReason reason, DateTimeOffset reference)
    {
        _hasProgress = false;
        if (active.Size == 0 && !settings.Names.IsDated)
        {
            // Nothing to finish: the empty file belongs to the new period from now on.
            active.Period = settings.PeriodOf(reference, _time);
            return new RollResult(RollOutcome.Done);
        }

        try
        {
            ActiveFile? next = roller.Roll(settings, active, reason, reference);
            _asked = null;
            if (_failedAt is not null)
                voice.Resolve(Condition, "files roll again.");
            _failedAt = null;
            if (next is null)
                return new RollResult(RollOutcome.ByAnother);
            counters.Rolled(reason, roller.Archive ?? active.Path, next.Path);
            return new RollResult(RollOutcome.Done, next);
        }
        catch (LogSinkException exception)
        {
            _failedAt = _time.GetTimestamp();
            voice.Failed("roll", active.Path, exception);
            voice.Report(SelfReportLevel.Warning, Condition, $"cannot begin a new file: {exception.Message}. The old one goes on; trying again every second.");
            return new RollResult(RollOutcome.Failed);
        }
    }

    private FileCut CutAtRecord(LogBatch batch, int begun, ActiveFile active, FileSinkSettings settings)
    {
        long size = active.Size;
        int bytes = 0;
        for (int i = 0; i < batch.Count; i++)
        {
            LogRecord record = batch[i];
            int length = i == 0 ? record.Bytes.Length - begun : record.Bytes.Length;
            bool mustStay = i == 0 && (begun > 0 || !_hasProgress);
            if (!mustStay && RollDecision.Before(size, settings.SizeLimit, active.Period.EndTicks, length, record.Timestamp.UtcTicks) is { } reason)
                return new FileCut(bytes, reason);
            size += length + (i == 0 ? active.Ahead : 0);
            bytes += length;
        }

        return new FileCut(bytes, null);
    }

    // At most one roll per record written: whatever the clocks say, a batch gets on.
    private FileCut Progress(FileCut cut)
    {
        _hasProgress |= cut.Bytes > 0;
        return cut;
    }

    private bool IsOver(ActiveFile active) => _time.GetUtcNow().UtcTicks - Grace.Ticks >= active.Period.EndTicks;
}
