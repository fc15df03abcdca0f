namespace AsyncLog;

/// <summary>A key that no option has, or a value that is valid but probably a mistake.</summary>
/// <param name="Hint">Probable intention, in words; null when no known name is near.</param>
/// <param name="IsFatal">True if it stops the start also without <c>Strict</c>, because a mistake below <c>Tls</c> would weaken security.</param>
internal sealed record UnknownKey(string Path, string? Hint, bool IsFatal = false)
{
    /// <summary>The words that follow the path in a message.</summary>
    public string Statement { get; init; } = "is not a known option";

    /// <summary>True if <c>Strict</c> does not make it fatal, because it may belong to another library or be intended.</summary>
    public bool IsGuess { get; init; }

    /// <summary>True if the key has an effect, but probably not the intended one.</summary>
    public bool IsUsed { get; init; }

    /// <summary>For a key of levels: the category whose loggers show that the key is intended; otherwise null.</summary>
    public string? Category { get; init; }

    public override string ToString() => Hint is null ? $"{Path} {Statement}" : $"{Path} {Statement}; {Hint}";
}

/// <summary>Finds hints for unknown keys: a typing mistake, a name from another logger.</summary>
internal static class UnknownKeyHints
{
    private const string NotNeeded = "";

    // Key names of other loggers. A word counts only where its target is a known key.
    private static readonly Dictionary<string, string> Synonyms = new(StringComparer.OrdinalIgnoreCase)
    {
        ["MinLevel"] = "LogLevel",
        ["MinimumLevel"] = "LogLevel",
        ["outputTemplate"] = "Template",
        ["layout"] = "Template",
        ["FormatterName"] = "Format",
        ["LogToStandardErrorThreshold"] = "ErrorLevel",
        ["fileSizeLimitBytes"] = "FileSizeLimit",
        ["maxFileSize"] = "FileSizeLimit",
        ["archiveAboveSize"] = "FileSizeLimit",
        ["maximumFileSize"] = "FileSizeLimit",
        ["archiveEvery"] = "RollingInterval",
        ["datePattern"] = "RollingInterval",
        ["maxArchiveFiles"] = "RetainedFileCountLimit",
        ["MaxRollingFiles"] = "RetainedFileCountLimit",
        ["maxSizeRollBackups"] = "RetainedFileCountLimit",
        ["maxArchiveDays"] = "RetainedFileTimeLimit",
        ["blockWhenFull"] = "QueueFullMode",
        ["overflowAction"] = "QueueFullMode",
        ["FullMode"] = "QueueFullMode",
        ["bufferSize"] = "MaxQueueLength",
        ["queueLimit"] = "MaxQueueLength",
        ["Host"] = "Endpoint",
        ["Port"] = "Endpoint",
        ["Protocol"] = "Endpoint",
        ["Address"] = "Endpoint",
        ["RemoteAddress"] = "Endpoint",
        ["RemotePort"] = "Endpoint",
        ["Url"] = "Endpoint",
        ["SpillPath"] = "SpoolPath",
        ["bufferBaseFilename"] = "SpoolPath",
        ["bufferSizeLimitBytes"] = "SpoolSizeLimit",
        ["Audit"] = "AcknowledgeLevel",
        ["FlushInterval"] = NotNeeded,
        ["autoFlush"] = NotNeeded,
        ["buffered"] = NotNeeded,
        ["shared"] = NotNeeded,
        ["concurrentWrites"] = NotNeeded,
    };

    /// <summary>The hint in words; null when there is none.</summary>
    /// <remarks>A name that is exactly a word of another logger is not a misspelled key, however similar: <c>MinLevel</c> is two edits from <c>MaxLevel</c> and means
    /// <c>LogLevel</c>.</remarks>
    public static string? For(string name, IReadOnlyCollection<string> known)
    {
        if (!Synonyms.TryGetValue(name, out var meant))
            return NameSuggestions.Near(name, known) is { } near ? DidYouMean(near) : null;
        if (meant == NotNeeded)
            return "it is not needed";
        return known.FirstOrDefault(key => key.Equals(meant, StringComparison.OrdinalIgnoreCase)) is { } target ? DidYouMean(target) : null;
    }

    private static string DidYouMean(string name) => $"did you mean '{name}'?";
}
