namespace AsyncLog;

/// <summary>A key in one of our sections that means nothing to us.</summary>
/// <param name="Path">The full key path.</param>
/// <param name="Hint">What was probably meant, in words; null when nothing comes to mind.</param>
/// <param name="IsFatal">Whether it stops the start also without <c>Strict</c>: below <c>Tls</c> a slip would mean less security.</param>
internal sealed record UnknownKey(string Path, string? Hint, bool IsFatal = false)
{
    public override string ToString() => Hint is null ? $"{Path} is not a known option" : $"{Path} is not a known option; {Hint}";
}
