namespace AsyncLog;

/// <summary>Holds back deletions by age while the wall clock does not go with time: a clock that is years ahead for a moment must not cost the logs.</summary>
/// <remarks>One thread at a time.</remarks>
internal sealed class ClockTrust(TimeProvider timeProvider)
{
    /// <summary>Between two deletions while the clock is in doubt.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    private static readonly TimeSpan Tolerance = TimeSpan.FromHours(1);
    private DateTimeOffset? _trusted;
    private long _trustedAt;
    private long? _deletedAt;

    /// <summary>How many files may be deleted by age now.</summary>
    public int Budget => !IsInDoubt ? int.MaxValue : _deletedAt is { } last && timeProvider.GetElapsedTime(last) < Pause ? 0 : 1;

    private bool IsInDoubt =>
        _trusted is { } wall && (timeProvider.GetUtcNow() - wall - timeProvider.GetElapsedTime(_trustedAt)).Duration() > Tolerance;

    /// <summary>Notes that a file was deleted for its age.</summary>
    public void Deleted() => _deletedAt = timeProvider.GetTimestamp();

    /// <summary>Takes the clock as it is: nothing is left that its jump made old.</summary>
    public void Accept()
    {
        _trusted = timeProvider.GetUtcNow();
        _trustedAt = timeProvider.GetTimestamp();
    }
}
