namespace AsyncLog;

/// <summary>When old files are looked for: after start, after each roll, and once an hour. Worker only.</summary>
internal sealed class FileCleaning(RetentionPass pass, TimeProvider timeProvider, Action<Action>? background)
{
    private static readonly TimeSpan Interval = TimeSpan.FromHours(1);
    private readonly BackgroundTask _task = new("AsyncLog retention");

    /// <summary>When the next look is due; null before the first.</summary>
    public DateTimeOffset? NextDue { get; private set; }

    public void RunIfDue(FileSinkSettings settings, string activePath)
    {
        if (NextDue <= timeProvider.GetUtcNow())
            Ask(settings, activePath);
    }

    public void Ask(FileSinkSettings settings, string activePath)
    {
        NextDue = timeProvider.GetUtcNow() + Interval;
        if (background is null)
            _task.Ask(() => pass.Run(settings, activePath));
        else
            background(() => pass.Run(settings, activePath));
    }

    public void Forget() => _task.Forget();
}
