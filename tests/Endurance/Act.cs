namespace AsyncLog.Tests;

/// <summary>What the saboteur did.</summary>
/// <param name="Kind">What.</param>
/// <param name="At">When, since the beginning of the run.</param>
/// <param name="Marks">The sequences that came next, by thread, when the fault was over.</param>
/// <param name="Recovered">When a record logged after the fault was in the file at the path; null: not in time.</param>
internal sealed record Act(ActKind Kind, TimeSpan At, long[] Marks, TimeSpan? Recovered)
{
    /// <summary>The copy made before truncating.</summary>
    public string? Copy { get; init; }

    /// <summary>How long a thread that does not log was kept from running meanwhile.</summary>
    public TimeSpan Lag { get; init; }

    /// <summary>Drops from the beginning of the act to the recovery.</summary>
    public long Drops { get; init; }
}
