namespace AsyncLog;

/// <summary>Where a file set may go when its own path cannot be opened.</summary>
/// <param name="Directory">Null: the private directory of the user.</param>
/// <param name="Names">Null: the same names.</param>
internal sealed record FallbackTarget(string? Directory = null, FileNamePattern? Names = null)
{
    /// <param name="options">Valid options whose paths are resolved.</param>
    /// <returns>Null: nowhere. Trouble that has to stop the start is not got round.</returns>
    public static FallbackTarget? From(AsyncFileOptions options)
    {
        if (string.IsNullOrEmpty(options.FallbackPath) || options.FailFastOnStart)
            return null;
        if (options.FallbackPath.Equals(AsyncFileOptions.AutomaticFallback, StringComparison.OrdinalIgnoreCase))
            return new FallbackTarget();
        FileNamePattern names = AsyncFilePath.Resolve(options.FallbackPath, options.ArchiveName, options.RollingInterval, out FileNameError? error)
            ?? throw new ArgumentException(error!.Rule, nameof(options));
        return new FallbackTarget(AsyncFilePath.DirectoryOf(options.FallbackPath), names);
    }
}
