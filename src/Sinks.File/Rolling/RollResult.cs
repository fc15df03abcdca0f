namespace AsyncLog;

/// <summary>How an attempt to roll ended.</summary>
internal enum RollOutcome
{
    /// <summary>There is a next file, or the old one goes on under another period.</summary>
    Done,

    /// <summary>Another process rolled first.</summary>
    ByAnother,

    /// <summary>The old file goes on; tried again later.</summary>
    Failed,
}

/// <summary>The result of an attempt to roll.</summary>
/// <param name="Outcome">How it ended.</param>
/// <param name="Next">The file to write now; null: the old one.</param>
internal readonly record struct RollResult(RollOutcome Outcome, ActiveFile? Next = null);
