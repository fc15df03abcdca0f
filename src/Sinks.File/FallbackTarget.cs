namespace AsyncLog;

/// <summary>Where a file set may go when its own path cannot be opened.</summary>
/// <param name="Path">Resolved; null: the private directory of the user, with the same names.</param>
internal sealed record FallbackTarget(string? Path = null)
{
    /// <param name="options">Valid options whose paths are resolved.</param>
    /// <returns>Null: nowhere. Trouble that has to stop the start is not got round.</returns>
    public static FallbackTarget? From(AsyncFileOptions options)
    {
        if (string.IsNullOrEmpty(options.FallbackPath) || options.FailFastOnStart)
            return null;
        bool isAutomatic = options.FallbackPath.Equals(AsyncFileOptions.AutomaticFallback, StringComparison.OrdinalIgnoreCase);
        return new FallbackTarget(isAutomatic ? null : options.FallbackPath);
    }

    /// <summary>The same file set at <see cref="Path"/>.</summary>
    /// <returns>Null when there is no path, or when its name does not fit an interval that was changed since.</returns>
    public FileSinkSettings? Relocate(FileSinkSettings settings) =>
        Path is not null && AsyncFilePath.Resolve(Path, settings.ArchiveName, settings.Interval, out _) is { } names
            ? settings with { Directory = AsyncFilePath.DirectoryOf(Path), Names = names }
            : null;
}
