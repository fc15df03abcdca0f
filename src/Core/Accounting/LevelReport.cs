using System.Collections.Concurrent;

namespace AsyncLog;

/// <summary>Says on stderr from which level on each instance takes a category, and which key says so: once, and again when that changed.</summary>
/// <remarks>Loggers are made by callers, and they never wait for stderr: they leave a note, and whoever looks at the instances next says it.</remarks>
internal sealed class LevelReport(SelfReport selfReport)
{
    private readonly ConcurrentDictionary<(string Instance, string Category), EffectiveLevel> _told = new();
    private bool _hasNews;

    /// <summary>A logger was made, or levels may have changed.</summary>
    public void Note() => Volatile.Write(ref _hasNews, true);

    /// <summary>Whether there may be something to say, and it is asked for; then whoever asks has to say it.</summary>
    public bool TakeNews() => selfReport.IsEnabled(SelfReportLevel.Info) && Interlocked.Exchange(ref _hasNews, false);

    public void Tell(string instance, string category, EffectiveLevel level)
    {
        if (_told.TryGetValue((instance, category), out var told) && told == level)
            return;
        _told[(instance, category)] = level;
        selfReport.Tell(SelfReportLevel.Info, instance, $"category {category} from {level.Level} on ({level.Rule}).");
    }
}
