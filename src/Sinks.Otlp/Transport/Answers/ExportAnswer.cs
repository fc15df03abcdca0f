namespace AsyncLog;

/// <summary>What became of one attempt.</summary>
/// <param name="Outcome">What to do now.</param>
internal readonly record struct ExportAnswer(ExportOutcome Outcome)
{
    /// <summary>The class of the failure; null when there is none.</summary>
    public string? ErrorType { get; init; }

    /// <summary>What an operator is told: of a failure, or what the server had to say although it took the request.</summary>
    public string? Text { get; init; }

    /// <summary>Records that the server did not take, by its own count; never negative.</summary>
    public long Rejected { get; init; }

    /// <summary>How long the server wants to be left alone; null: it did not say.</summary>
    public TimeSpan? ServerDelay { get; init; }

    /// <summary>Whether it will not go away by itself but needs somebody's hand, although another attempt may be made.</summary>
    public bool IsPermanent { get; init; }
}
