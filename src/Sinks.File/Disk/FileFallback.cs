namespace AsyncLog;

/// <summary>Opens the path that is wanted, and where it cannot be opened at start another one until it can. Worker only.</summary>
/// <param name="wanted">What the options say.</param>
/// <param name="files">The file system.</param>
/// <param name="voice">Where it is told.</param>
/// <param name="hold">Opens.</param>
/// <param name="use">Puts the settings of one place or the other in force.</param>
/// <param name="isReload">Whether the application runs already, so that there is no start to help.</param>
internal sealed class FileFallback(
    FileSinkSettings wanted, IByteFiles files, IFileVoice voice, FileHold hold, Action<FileSinkSettings> use, bool isReload)
{
    private const string Condition = "fallback";
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);
    private readonly TimeProvider _time = voice.TimeProvider;
    private FileSinkSettings _wanted = wanted;
    private FileSinkSettings? _instead;
    private bool _isStart = !isReload;
    private long _triedAt;

    /// <summary>The settings in force.</summary>
    public FileSinkSettings InForce => _instead ?? _wanted;

    /// <summary>When the wanted path is tried again; null: it is in use, or nothing else is.</summary>
    public DateTimeOffset? NextDue => _instead is null ? null : _time.GetUtcNow() + Left;

    private TimeSpan Left => TimeLeft.Of(Pause, _triedAt, _time);

    /// <summary>Puts changed options in force. What waits for the next start stays as this one found it.</summary>
    public void Apply(FileSinkSettings settings)
    {
        _wanted = settings with { Fallback = _wanted.Fallback, OnStartup = _wanted.OnStartup };
        _instead = _instead is null ? null : Instead() ?? _instead;
    }

    /// <summary>Opens the file unless it is open.</summary>
    /// <param name="reference">The time of the record that comes next, or now.</param>
    public ActiveFile Open(DateTimeOffset reference)
    {
        if (hold.Active is { } active)
            return _instead is null || Left > TimeSpan.Zero ? active : TryReturn(active, reference);
        bool isStart = _isStart;
        _isStart = false;
        try
        {
            return hold.Open(InForce, reference);
        }
        catch (LogSinkException failure) when (isStart && IsForGood(failure.ErrorType))
        {
            if (Instead() is { } other && OpenInstead(other, failure, reference) is { } opened)
                return opened;
            throw;
        }
    }

    /// <summary>The condition ends with its sink.</summary>
    public void Leave()
    {
        if (_instead is not null)
            voice.Restore(Condition);
    }

    private static bool IsForGood(string errorType) =>
        errorType is FileErrorClass.Permission or FileErrorClass.ReadOnly or FileErrorClass.NotADirectory;

    private ActiveFile? OpenInstead(FileSinkSettings other, LogSinkException failure, DateTimeOffset reference)
    {
        try
        {
            use(other);
            ActiveFile opened = hold.Open(other, reference);
            _instead = other;
            _triedAt = _time.GetTimestamp();
            voice.CountError(failure.ErrorType);
            voice.Degrade(Condition);
            voice.Events.FallbackUsed(other.InsteadOf!, opened.Path);
            voice.Report(SelfReportLevel.Warning, Condition, $"{failure.Message}. Writing to {opened.Path}; retrying every second.");
            return opened;
        }
        catch (LogSinkException exception)
        {
            voice.Failed("fallback", other.ActivePathAt(reference, _time), exception);
            use(_wanted);
            return null;
        }
    }

    private ActiveFile TryReturn(ActiveFile active, DateTimeOffset reference)
    {
        _triedAt = _time.GetTimestamp();
        if (!hold.TryChange(_wanted, reference))
            return active;
        _instead = null;
        use(_wanted);
        voice.Restore(Condition);
        voice.Resolve(Condition, $"writing to {hold.Active!.Path} now.");
        return hold.Active;
    }

    private FileSinkSettings? Instead()
    {
        if (_wanted.Fallback is not { } target)
            return null;
        FileSinkSettings other = _wanted with
        {
            // What is found there is nobody's to throw away.
            OnStartup = FileStartup.Append,
            InsteadOf = _wanted.ActivePathAt(_time.GetUtcNow(), _time),
        };
        if (target.Path is not null)
            return target.Relocate(other);
        return files.PrivateDirectory() is not { } own ? null : other with
        {
            Directory = own,
            FileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
            DirectoryMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute,
        };
    }
}
