using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Schedules the background work on finished files, retention and compression, and points the latest link. After start, after each roll, and once an hour.
/// Worker only.</summary>
internal sealed class ArchiveKeeper
{
    private static readonly TimeSpan Interval = TimeSpan.FromHours(1);

    // The longest time that the end of the sink waits for the deletion of old files.
    private static readonly TimeSpan MaxRetention = TimeSpan.FromSeconds(1);
    private readonly ArchiveRetention _retention;
    private readonly ArchiveCompressor _compressor;
    private readonly ActiveFileLink _link;
    private readonly TimeProvider _time;
    private readonly Action<Action>? _background;
    private readonly BackgroundTask _retaining;
    private readonly BackgroundTask _compressing;
    private long? _requestedAt;
    private long _compressionRequestedAt;

    /// <param name="background">Runs an action in the background; null: on threads of its own.</param>
    public ArchiveKeeper(IFileSystem files, SinkContext context, FileMetrics metrics, LogFileRegistry registry, object owner, Action<Action>? background)
    {
        _time = context.TimeProvider;
        _background = background;
        var finder = new ArchiveFinder(files, _time, registry, owner);
        _retention = new ArchiveRetention(files, context, metrics, finder);
        _compressor = new ArchiveCompressor(files, context, metrics, finder, registry);
        _link = new ActiveFileLink(files, context, registry, owner);
        _retaining = new BackgroundTask("AsyncLog retention", OnUnexpected);
        _compressing = new BackgroundTask("AsyncLog compression", OnUnexpected, isLow: true);

        void OnUnexpected(Exception exception)
        {
            context.CountError(FileErrorClass.Of(exception));
            context.Report(LogLevel.Error, "background", $"an unexpected {exception.GetType().Name}. Finished files stay as they are; trying again later.");
        }
    }

    /// <summary>Time at which <see cref="RunIfDue"/> is due; null before the first request.</summary>
    public DateTimeOffset? NextDue =>
        _requestedAt is { } at ? _time.GetUtcNow() + (LeftToCompress is var left && left < Left(at) ? left : Left(at)) : null;

    private TimeSpan LeftToCompress => _compressor.IsWaiting ? _time.GetRemaining(ArchiveCompressor.SettleTime, _compressionRequestedAt) : Interval;

    public void RunIfDue(LogFileSettings settings, string activePath)
    {
        if (_requestedAt is not { } at)
            return;
        if (Left(at) == TimeSpan.Zero)
            Request(settings, activePath);
        else if (LeftToCompress == TimeSpan.Zero)
            RequestCompression(settings, activePath, triesAgain: false);
    }

    /// <summary>Requests a pass over the finished files.</summary>
    public void Request(LogFileSettings settings, string activePath)
    {
        _requestedAt = _time.GetTimestamp();

        // Not in the background, because the link must point to the active file also if the sink ends next.
        _link.Point(settings, activePath);
        Run(_retaining, () => _retention.Run(settings, activePath));
        RequestCompression(settings, activePath, triesAgain: true);
    }

    /// <summary>Requests a pass if other options change the retention or the compression.</summary>
    public void RequestIfChanged(AsyncFileLoggerOptions before, LogFileSettings settings, string activePath)
    {
        AsyncFileLoggerOptions now = settings.Options;
        if ((now.RetainedFileCountLimit, now.RetainedFileTimeLimit, now.RetainedTotalSizeLimit, now.Compression, now.LatestLink ?? "")
            != (before.RetainedFileCountLimit, before.RetainedFileTimeLimit, before.RetainedTotalSizeLimit, before.Compression, before.LatestLink ?? ""))
            Request(settings, activePath);
    }

    /// <summary>Finishes a pass of the retention that waits or runs: a short process may end before it. Ends a compression that runs.</summary>
    public void Stop()
    {
        _retaining.Join(MaxRetention);
        _retaining.Discard();
        _compressing.Discard();
        _compressor.Stop();
    }

    private TimeSpan Left(long requestedAt) => _time.GetRemaining(_retention.IsPostponed ? ArchiveRetention.DoubtPause : Interval, requestedAt);

    private void RequestCompression(LogFileSettings settings, string activePath, bool triesAgain)
    {
        long now = _time.GetTimestamp();
        _compressionRequestedAt = now;
        if (settings.Options.Compression != CompressionMethod.None || _compressor.IsWaiting)
            Run(_compressing, () => _compressor.Run(settings, activePath, now, triesAgain));
    }

    private void Run(BackgroundTask task, Action action)
    {
        if (_background is null)
            task.Request(action);
        else
            _background(action);
    }
}

/// <summary>Runs the last requested action on a thread of its own, one at a time.</summary>
/// <param name="name">Of the thread.</param>
/// <param name="failed">Receives what an action throws, which would end the process.</param>
/// <param name="isLow">True for work that takes processor time: it gets the lowest priority. Retention does not, because a full disk waits for it.</param>
internal sealed class BackgroundTask(string name, Action<Exception> failed, bool isLow = false)
{
    // Protects the fields; no action runs under it.
    private readonly Lock _gate = new();
    private Action? _next;
    private bool _isRunning;

    // Of the thread that was started last.
    private Thread? _thread;

    /// <summary>Requests an action; it replaces one that waits.</summary>
    public void Request(Action action)
    {
        lock (_gate)
        {
            _next = action;
            if (_isRunning)
                return;
            _isRunning = true;
            _thread = new Thread(isLow ? RunAtLowPriority : Run) { IsBackground = true, Name = name, Priority = isLow ? ThreadPriority.Lowest : ThreadPriority.Normal };
            _thread.UnsafeStart();
        }
    }

    /// <summary>Waits until nothing waits or runs.</summary>
    /// <param name="longest">The longest time of the wait.</param>
    public void Join(TimeSpan longest)
    {
        Thread? thread;
        lock (_gate)
            thread = _thread;
        thread?.Join(longest);
    }

    /// <summary>Discards an action that waits.</summary>
    public void Discard()
    {
        lock (_gate)
            _next = null;
    }

    // On Linux the framework does not set the priority. A refusal affects only the speed.
    private void RunAtLowPriority()
    {
        if (OperatingSystem.IsLinux())
            LinuxNative.SetPriority(LinuxNative.OfThread, 0, LinuxNative.LowestPriority);
        Run();
    }

    private void Run()
    {
        while (true)
        {
            Action? action;
            lock (_gate)
            {
                action = _next;
                _next = null;
                _isRunning = action is not null;
            }

            if (action is null)
                return;
            try
            {
                action();
            }
            catch (Exception exception)
            {
                failed(exception);
            }
        }
    }
}
