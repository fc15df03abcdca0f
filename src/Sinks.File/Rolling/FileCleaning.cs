namespace AsyncLog;

/// <summary>When old files, archives to compress and the link are looked after: after start, after each roll, and once an hour. Worker only.</summary>
internal sealed class FileCleaning
{
    private static readonly TimeSpan Interval = TimeSpan.FromHours(1);
    private readonly RetentionPass _retention;
    private readonly CompressionPass _compression;
    private readonly LatestLink _link;
    private readonly TimeProvider _time;
    private readonly Action<Action>? _background;
    private readonly BackgroundTask _keeping;
    private readonly BackgroundTask _compressing;
    private long? _askedAt;
    private long _askedToCompressAt;

    /// <param name="files">The file system.</param>
    /// <param name="voice">Where trouble is told.</param>
    /// <param name="counters">What happened.</param>
    /// <param name="owners">The other file sets.</param>
    /// <param name="owner">The key of this one among them.</param>
    /// <param name="background">Runs what must not hold up the worker; null: a thread of low priority.</param>
    public FileCleaning(IByteFiles files, IFileVoice voice, FileCounters counters, FileNameOwners owners, object owner, Action<Action>? background)
    {
        var own = new OwnFiles(files, voice.TimeProvider, owners, owner);
        _retention = new RetentionPass(files, voice, counters, own);
        _compression = new CompressionPass(files, voice, own, owners);
        _link = new LatestLink(files, voice, owners, owner);
        _time = voice.TimeProvider;
        _background = background;
        _keeping = new BackgroundTask("AsyncLog retention", Failed);
        _compressing = new BackgroundTask("AsyncLog compression", Failed);

        void Failed(Exception exception)
        {
            voice.CountError(FileErrorClass.Of(exception));
            voice.Report(SelfReportLevel.Error, "background", $"an unexpected {exception.GetType().Name}. Finished files stay as they are; trying again later.");
        }
    }

    /// <summary>When the next look is due; null before the first.</summary>
    public DateTimeOffset? NextDue => _askedAt is { } askedAt ? _time.GetUtcNow() + Shorter(Left(askedAt, Pause), LeftToCompress) : null;

    private TimeSpan LeftToCompress => _compression.IsWaiting ? Left(_askedToCompressAt, CompressionPass.Rest) : Interval;

    private TimeSpan Pause => _retention.IsPostponed ? ClockTrust.Pause : Interval;

    public void RunIfDue(FileSinkSettings settings, string activePath)
    {
        if (_askedAt is not { } askedAt)
            return;
        if (Left(askedAt, Pause) <= TimeSpan.Zero)
            Ask(settings, activePath);
        else if (LeftToCompress <= TimeSpan.Zero)
            AskToCompress(settings, activePath, triesAgain: false);
    }

    public void Ask(FileSinkSettings settings, string activePath)
    {
        _askedAt = _time.GetTimestamp();
        Run(_keeping, () =>
        {
            _link.Point(settings, activePath);
            _retention.Run(settings, activePath);
        });
        AskToCompress(settings, activePath, triesAgain: true);
    }

    /// <summary>Forgets what waits, and ends what is done now.</summary>
    public void Stop()
    {
        _keeping.Forget();
        _compressing.Forget();
        _compression.Stop();
    }

    private void AskToCompress(FileSinkSettings settings, string activePath, bool triesAgain)
    {
        long now = _time.GetTimestamp();
        _askedToCompressAt = now;
        if (settings.Compression != FileCompression.None || _compression.IsWaiting)
            Run(_compressing, () => _compression.Run(settings, activePath, now, triesAgain));
    }

    private void Run(BackgroundTask task, Action action)
    {
        if (_background is null)
            task.Ask(action);
        else
            _background(action);
    }

    private TimeSpan Left(long since, TimeSpan interval) => TimeLeft.Of(interval, since, _time);

    private static TimeSpan Shorter(TimeSpan left, TimeSpan right) => left < right ? left : right;
}
