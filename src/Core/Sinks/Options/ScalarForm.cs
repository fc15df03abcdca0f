namespace AsyncLog;

/// <summary>How values of one kind are read, shown and bounded.</summary>
internal sealed record ScalarForm<T>(Func<string, Parsed<T>> Parse, Func<T, string> Show)
{
    /// <summary>Whether null and the empty text mean "none".</summary>
    public bool IsOptional { get; init; }

    /// <summary>The rule a value breaks, in words; null when it breaks none.</summary>
    public Func<T, string?> Check { get; init; } = static _ => null;
}
