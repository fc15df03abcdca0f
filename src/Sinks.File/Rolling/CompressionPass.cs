namespace AsyncLog;

/// <summary>Compresses the finished files that nobody writes any more, the oldest first. Runs in the background.</summary>
internal sealed class CompressionPass(IByteFiles files, IFileVoice voice, OwnFiles own, FileNameOwners owners)
{
    /// <summary>How long a file keeps its size before it is compressed: other processes may not know yet that it is finished.</summary>
    public static readonly TimeSpan Rest = TimeSpan.FromSeconds(2);

    private const string Condition = "compression";
    private readonly GzipArchive _archive = new(files);
    private Dictionary<string, Sighting> _seen = [];
    private volatile bool _isWaiting;
    private volatile bool _isStopped;

    /// <summary>Whether another look is worth while after <see cref="Rest"/>. Any thread.</summary>
    public bool IsWaiting => _isWaiting;

    /// <param name="settings">The settings in force when it was asked for.</param>
    /// <param name="activePath">The active file then.</param>
    /// <param name="askedAt">When, as a time stamp of the clock.</param>
    /// <param name="triesAgain">Whether what failed before is tried again: after a roll, not when this looks again by itself.</param>
    public void Run(FileSinkSettings settings, string activePath, long askedAt, bool triesAgain)
    {
        bool isWaiting = false;
        try
        {
            if (settings.Compression != FileCompression.None)
                isWaiting = CompressRested(settings, activePath, askedAt, triesAgain);
        }
        catch (LogSinkException exception)
        {
            Tell(settings.Directory, exception);
        }

        _isWaiting = isWaiting;
        if (isWaiting)
            voice.Wake();
    }

    /// <summary>Lets a file that is being compressed stay as it was.</summary>
    public void Stop() => _isStopped = true;

    private bool CompressRested(FileSinkSettings settings, string activePath, long askedAt, bool triesAgain)
    {
        IReadOnlyList<string> names = files.List(settings.Directory);
        List<FinishedFile> finished = own.Finished(settings, names, activePath);
        ILookup<string?, string> inTheMaking = names.ToLookup(FileNamePattern.TemporaryOf);
        Dictionary<string, Sighting> before = _seen;
        _seen = finished.ToDictionary(static file => file.Name, file => See(file, before, askedAt, triesAgain), StringComparer.Ordinal);
        bool isWaiting = false;
        foreach (FinishedFile file in finished)
        {
            Sighting seen = _seen[file.Name];
            if (_isStopped)
                return false;
            if (FileNamePattern.IsCompressed(file.Name) || seen.State != SightingState.Open)
                continue;
            if (!IsRested(file.Name, Rest) || IsInWork(settings, file.Name, inTheMaking))
                isWaiting = true;
            else
                isWaiting |= Compress(settings, file, seen) == CompressionOutcome.Changed;
        }

        return isWaiting;
    }

    private static Sighting See(FinishedFile file, Dictionary<string, Sighting> before, long askedAt, bool triesAgain)
    {
        if (!before.TryGetValue(file.Name, out Sighting seen) || seen.Size != file.Stat.Size)
            return new Sighting(file.Stat.Size, askedAt, SightingState.Open);
        return seen.State == SightingState.Failed && triesAgain ? seen with { State = SightingState.Open } : seen;
    }

    private bool IsRested(string name, TimeSpan rest) => _seen.TryGetValue(name, out Sighting seen) && voice.TimeProvider.GetElapsedTime(seen.At) >= rest;

    // Another process has it in hand; one that died has left a file that nobody writes, or both files.
    private bool IsInWork(FileSinkSettings settings, string name, ILookup<string?, string> inTheMaking)
    {
        string packed = FileNamePattern.CompressedName(name);
        if (_seen.ContainsKey(packed) && !IsRested(packed, RetentionPass.LeftoverAge))
            return true;
        DateTimeOffset now = voice.TimeProvider.GetUtcNow();
        return inTheMaking[packed].Any(other => files.Stat(settings.PathOf(other)) is { } stat && now - stat.LastWrite <= RetentionPass.LeftoverAge);
    }

    private CompressionOutcome Compress(FileSinkSettings settings, FinishedFile file, Sighting seen)
    {
        string packed = FileNamePattern.CompressedName(file.Name);
        string temporary = FileNamePattern.TemporaryName(packed, Environment.ProcessId);
        CompressionOutcome outcome = CompressionOutcome.GivenUp;
        try
        {
            lock (owners.Compression)
                outcome = _archive.Run(settings.PathOf(file.Name), settings.PathOf(packed), settings.PathOf(temporary), seen.Size, () => _isStopped);
        }
        catch (LogSinkException exception)
        {
            _seen[file.Name] = seen with { State = SightingState.Failed };
            Tell(settings.PathOf(file.Name), exception);
        }

        switch (outcome)
        {
            case CompressionOutcome.Done:
                voice.Resolve(Condition, "finished files are compressed again.");
                break;
            case CompressionOutcome.Changed:
                _seen.Remove(file.Name);
                break;
            case CompressionOutcome.Taken:
                _seen[file.Name] = seen with { State = SightingState.Taken };
                voice.Report(SelfReportLevel.Warning, Condition, $"{settings.PathOf(packed)} exists with other content. {file.Name} stays as it is.");
                break;
        }

        return outcome;
    }

    private void Tell(string path, LogSinkException exception)
    {
        voice.Failed("compress", path, exception);
        voice.Report(SelfReportLevel.Warning, Condition, $"{exception.Message}. The file stays as it is; trying again after the next roll.");
    }

    private enum SightingState
    {
        Open,
        Failed,
        Taken,
    }

    private readonly record struct Sighting(long Size, long At, SightingState State);
}
