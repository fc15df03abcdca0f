namespace AsyncLog;

/// <summary>A key in one of our sections without a meaning to us, or something else that is valid and probably not meant.</summary>
/// <param name="Path">The full key path.</param>
/// <param name="Hint">What was probably meant, in words; null when no known name is near.</param>
/// <param name="IsFatal">Whether it stops the start also without <c>Strict</c>: below <c>Tls</c> a slip would mean less security.</param>
internal sealed record UnknownKey(string Path, string? Hint, bool IsFatal = false)
{
    /// <summary>What is said of the path.</summary>
    public string Statement { get; init; } = "is not a known option";

    /// <summary>Whether <c>Strict</c> leaves it alone: it may belong to another library.</summary>
    public bool IsGuess { get; init; }

    /// <summary>Whether the key has an effect, though probably not the one that was meant.</summary>
    public bool IsUsed { get; init; }

    public override string ToString() => Hint is null ? $"{Path} {Statement}" : $"{Path} {Statement}; {Hint}";
}
