namespace AsyncLog;

/// <summary>Finished files that still hold reserved blocks; they are given back once no other process can be in the middle of a write. Worker only.</summary>
internal sealed class FinishedFiles(IFileVoice voice) : IDisposable
{
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(2);

    /// <summary>Files are kept open meanwhile; more than these are closed with their blocks.</summary>
    private const int Most = 8;

    private readonly TimeProvider _time = voice.TimeProvider;
    private readonly Queue<(ActiveFile File, long Since)> _files = new();

    /// <summary>When the next one is due; null: none.</summary>
    public DateTimeOffset? NextDue => _files.TryPeek(out (ActiveFile File, long Since) oldest) ? _time.GetUtcNow() + Left(oldest.Since) : null;

    /// <summary>Closes a finished file, now or later.</summary>
    public void Add(ActiveFile file)
    {
        if (file.HasReserve && _files.Count < Most)
            _files.Enqueue((file, _time.GetTimestamp()));
        else
            file.Dispose();
    }

    /// <summary>Gives back what is due.</summary>
    public void RunIfDue()
    {
        while (_files.TryPeek(out (ActiveFile File, long Since) oldest) && Left(oldest.Since) == TimeSpan.Zero)
        {
            using ActiveFile file = _files.Dequeue().File;
            try
            {
                file.GiveBack();
            }
            catch (LogSinkException exception)
            {
                voice.CountError(exception.ErrorType);
            }
        }
    }

    public void Dispose()
    {
        while (_files.TryDequeue(out (ActiveFile File, long Since) file))
            file.File.Dispose();
    }

    private TimeSpan Left(long since) => TimeLeft.Of(Rest, since, _time);
}
